/** How many of something each has at a time. */
export class Tally {
  readonly #counts = new Map<string, number>();

  /** One more, until it leaves; false when there are so many already. */
  enter(owner: string, max: number): boolean {
    const count = this.#counts.get(owner) ?? 0;
    if (count >= max) return false;
    this.#counts.set(owner, count + 1);
    return true;
  }

  leave(owner: string): void {
    const count = (this.#counts.get(owner) ?? 0) - 1;
    if (count > 0) this.#counts.set(owner, count);
    else this.#counts.delete(owner);
  }
}
