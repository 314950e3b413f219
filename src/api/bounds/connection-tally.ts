/** How many stream connections keys and accounts have, process by process. */

/** An owner's connections at one process. */
export type OwnerCount = readonly [owner: string, count: number];

export class ConnectionTally {
  /** By process; only owners who have any. */
  readonly #counts = new Map<string, Map<string, number>>();

  /** Notes them, unless that makes an owner have more than so many in all. */
  enter(asker: string, counts: readonly OwnerCount[], max: number): boolean {
    if (counts.some(([owner, count]) => this.#elsewhere(asker, owner) + count > max)) return false;
    this.hold(asker, counts, false);
    return true;
  }

  /** Notes them; whole, instead of all that was known of the process. */
  hold(asker: string, counts: readonly OwnerCount[], isWhole: boolean): void {
    const before = isWhole ? undefined : this.#counts.get(asker);
    const known = before ?? new Map<string, number>();
    this.#counts.set(asker, known);
    for (const [owner, count] of counts) {
      if (count > 0) known.set(owner, count);
      else known.delete(owner);
    }
  }

  forget(asker: string): void {
    this.#counts.delete(asker);
  }

  #elsewhere(asker: string, owner: string): number {
    let sum = 0;
    for (const [other, counts] of this.#counts) {
      if (other !== asker) sum += counts.get(owner) ?? 0;
    }
    return sum;
  }
}
