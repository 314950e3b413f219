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

  /** Appends numbers: costs as much as there are, and O(log n). */
  append(values: Float64Array): void {
    const from = this.#size;
    this.#size += values.length;
    const isGrown = this.#size > this.#width;
    if (isGrown) this.#grow();
    const nodes = this.#nodes;
    nodes.set(values, this.#width + from);
    let first = this.#width + (isGrown ? 0 : from);
    let last = this.#width + this.#size - 1;
    while (first > 1 && first <= last) {
      first >>= 1;
      last >>= 1;
      for (let node = first; node <= last; node += 1) nodes[node] = larger(nodes, node);
    }
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

  /** Makes room; the nodes above the leaves are still to be worked out. */
  #grow(): void {
    const before = this.#nodes.subarray(this.#width);
    let width = this.#width;
    while (width < this.#size) width *= 2;
    this.#nodes = new Float64Array(width * 2).fill(Number.NEGATIVE_INFINITY);
    this.#nodes.set(before, width);
  }
}

function larger(nodes: Float64Array, node: number): number {
  const left = nodes[2 * node] ?? 0;
  const right = nodes[2 * node + 1] ?? 0;
  return left > right ? left : right;
}
