/** Where a time lies among bars, also between them, before the first and after the last one. */
import type { Bar } from './candles.ts';

/** The index of a time, with a fraction between two bars. `periodS` is the length of a bar. */
export function indexOfTime(bars: readonly Bar[], periodS: number, time: number): number {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (time <= first.time) return (time - first.time) / periodS;
  if (time >= last.time) return bars.length - 1 + (time - last.time) / periodS;
  let low = 0;
  let high = bars.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.time ?? 0) <= time) low = middle;
    else high = middle;
  }
  const [from, to] = [bars[low]?.time ?? time, bars[high]?.time ?? time];
  return to === from ? low : low + (time - from) / (to - from);
}

/** The time of an index, the other way round; whole seconds. */
export function timeOfIndex(bars: readonly Bar[], periodS: number, index: number): number {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return 0;
  if (index <= 0) return Math.round(first.time + index * periodS);
  const end = bars.length - 1;
  if (index >= end) return Math.round(last.time + (index - end) * periodS);
  const low = Math.floor(index);
  const [from, to] = [bars[low]?.time ?? first.time, bars[low + 1]?.time ?? last.time];
  return Math.round(from + (index - low) * (to - from));
}
