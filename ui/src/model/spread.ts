/** Labels along a line, spread so that none covers another. Pure. */

export interface SpreadBounds {
  /** From the middle of a label to that of the next one, at least. */
  readonly gap: number;
  /** Where the middles may be. */
  readonly from: number;
  readonly to: number;
}

/** Labels that stand side by side: the mean of where they would be, their own place taken off. */
interface Group {
  readonly sum: number;
  readonly count: number;
}

/**
 * Where the middles go, given where they would be: in the same order, a gap apart, within the
 * bounds, and moved as little as that allows (the least sum of squares). Where there is no room for
 * all of them they share it evenly.
 */
export function spread(wanted: readonly number[], bounds: SpreadBounds): readonly number[] {
  const { from, to } = bounds;
  const last = wanted.length - 1;
  const gap = last < 1 ? bounds.gap : Math.min(bounds.gap, Math.max(0, to - from) / last);
  const order = wanted.map((_, at) => at).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const groups: Group[] = [];
  for (const [place, at] of order.entries()) {
    join(groups, { sum: (wanted[at] ?? 0) - place * gap, count: 1 });
  }
  const placed = wanted.slice();
  let place = 0;
  for (const group of groups) {
    const first = Math.max(from, Math.min(to - last * gap, meanOf(group)));
    for (const at of order.slice(place, place + group.count)) {
      placed[at] = first + place * gap;
      place += 1;
    }
  }
  return placed;
}

/** Adds a group below the others, together with those that it would cover. */
function join(groups: Group[], added: Group): void {
  let group = added;
  for (let above = groups.at(-1); above !== undefined; above = groups.at(-1)) {
    if (meanOf(above) <= meanOf(group)) break;
    group = { sum: above.sum + group.sum, count: above.count + group.count };
    groups.pop();
  }
  groups.push(group);
}

function meanOf({ sum, count }: Group): number {
  return sum / count;
}
