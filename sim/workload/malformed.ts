/** Texts that are no command: a field, a tag or a kind that cannot be. The decoder refuses them. */
import type { Draw } from '../world/draw.ts';

/** What no field of a compact form may be: not a size, a number, or a place in a list. */
const NEVER = [-1, 0.5, 1e300, 'x', -0.001] as const;

/** How many fields from the third on every form of a tag has and reads. */
const FIELDS_READ: Readonly<Record<number, number>> = { 1: 5, 2: 3, 3: 5, 4: 3, 7: 5, 8: 5 };

export function spoilt(draw: Draw, text: string): string {
  const row: unknown[] = JSON.parse(text);
  const fields = FIELDS_READ[Number(row[1])] ?? 0;
  const written = row[2];
  if (fields > 0 && draw.percent(80)) row[2 + draw.below(fields)] = draw.of(NEVER);
  else if (typeof written === 'object' && written !== null && draw.percent(60)) {
    row[2] = { ...written, kind: draw.of(['', 'order', 'constructor', 'place_spot_order']) };
  } else row[1] = draw.of([-1, 99, '5', null, 1.5]);
  return JSON.stringify(row);
}
