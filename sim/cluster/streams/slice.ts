/**
 * Whether what arrives, one by one, is an unbroken piece of a list that others have made: nothing
 * left out, nothing twice. Where it began is found out on the way.
 */
export class Slice {
  readonly #list: readonly string[];
  /** Where the last one may stand; undefined before the first. */
  #places: readonly number[] | undefined;

  constructor(list: readonly string[]) {
    this.#list = list;
  }

  /** False when it does not come next. */
  take(one: string): boolean {
    const list = this.#list;
    this.#places =
      this.#places === undefined
        ? list.flatMap((each, at) => (each === one ? [at] : []))
        : this.#places.map((at) => at + 1).filter((at) => list[at] === one);
    return this.#places.length > 0;
  }

  /** Everything up to now has arrived; of a list that began before the first, nothing is missed. */
  get isAtEnd(): boolean {
    const last = this.#list.length - 1;
    return this.#places === undefined ? last < 0 : this.#places.includes(last);
  }

  get hasBegun(): boolean {
    return this.#places !== undefined;
  }
}
