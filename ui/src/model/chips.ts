/** Which labels at prices a chart shows, and which share one for want of room. Pure. */

/** Where a label stands, and what it stands for: the first at the highest price. */
export interface Chip<Priced> {
  readonly y: number;
  readonly of: readonly [Priced, ...Priced[]];
}

export interface ChipBounds {
  /** Pixels of the highest and of the lowest middle. */
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/**
 * Labels of those whose price is in sight, from the top: one for each as long as there is room for
 * all, else one for all that lie within the height of a label.
 *
 * @param sorted The highest price first.
 * @param yOf Pixels from the top at which a price stands: the lower the price, the more.
 */
export function chipsInSight<Priced>(
  sorted: readonly Priced[],
  yOf: (one: Priced) => number,
  { from, to, height }: ChipBounds,
): readonly Chip<Priced>[] {
  const first = firstBelow(sorted, (one) => yOf(one) >= from);
  const end = firstBelow(sorted, (one) => yOf(one) > to);
  const isCrowded = end - first > Math.floor((to - from) / height) + 1;
  const chips: { y: number; readonly of: [Priced, ...Priced[]]; readonly row: number }[] = [];
  for (const one of sorted.slice(first, end)) {
    const y = yOf(one);
    const row = isCrowded ? Math.floor((y - from) / height) : chips.length;
    const last = chips.at(-1);
    if (last?.row === row) last.of.push(one);
    else chips.push({ y, of: [one], row });
  }
  return chips;
}

/** The first of which it holds, as of all after that one; their number for none. */
function firstBelow<T>(all: readonly T[], holds: (one: T) => boolean): number {
  let [low, high] = [0, all.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const one = all[middle];
    if (one !== undefined && holds(one)) high = middle;
    else low = middle + 1;
  }
  return low;
}
