/**
 * Numbers by index, from 0. It finds the first index at or after a given one whose number is at
 * least a given value. Lookups and changes cost O(log n).
 */

export class MaxTree {
  /** A complete binary tree: the numbers are its leaves, each node above is the larger of two. */
  #nodes: Float64Array = new Float64Array(2).fill(Number.NEGATIVE_INFINITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Appends a number. */
  push(value: number): void {
    if (this.#size === this.#width) this.#grow();
    this.#size += 1;
    this.set(this.#size - 1, value);
  }

  set(place: number, value: number): void {
    const nodes = this.#nodes;
    let node = this.#width + place;
    nodes[node] = value;
    for (node >>= 1; node >= 1; node >>= 1) nodes[node] = larger(nodes, node);
  }

  /** The first index at or after `from` whose number is at least `least`; -1 when none is. */
  firstFrom(from: number, least: number): number {
    const nodes = this.#nodes;
    const width = this.#width;
    if (from >= this.#size) return -1;
    let node = width + from;
    // Up to the first subtree to the right that holds such a number, and down to its first leaf.
    while ((nodes[node] ?? Number.NEGATIVE_INFINITY) < least) {
      while ((node & 1) === 1) node >>= 1;
      if (node === 0) return -1;
      node += 1;
    }
    while (node < width) {
      node *= 2;
      if ((nodes[node] ?? Number.NEGATIVE_INFINITY) < least) node += 1;
    }
    return node - width;
  }

  get #width(): number {
    return this.#nodes.length / 2;
  }

  #grow(): void {
    const before = this.#nodes.subarray(this.#width);
    const width = this.#width * 2;
    const nodes = new Float64Array(width * 2).fill(Number.NEGATIVE_INFINITY);
    nodes.set(before, width);
    for (let node = width - 1; node >= 1; node -= 1) nodes[node] = larger(nodes, node);
    this.#nodes = nodes;
  }
}

function larger(nodes: Float64Array, node: number): number {
  return Math.max(nodes[2 * node] ?? 0, nodes[2 * node + 1] ?? 0);
}
