/** Periods of candles and depths of books, as both products name them. */
import type { Period } from '#domain';
import { shown } from '../kit/fields.ts';
import type { Field } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';

const PERIODS: ReadonlyMap<string, Period> = new Map<string, Period>([
  ['1m', '1min'],
  ['5m', '5min'],
  ['15m', '15min'],
  ['30m', '30min'],
  ['1h', '1h'],
  ['2h', '2h'],
  ['4h', '4h'],
  ['6h', '6h'],
  ['8h', '8h'],
  ['12h', '12h'],
  ['1d', '1d'],
  ['1w', '1w'],
  ['1M', '1M'],
]);

/** The period of an interval's name; case counts, because 1M is a month. */
export function periodOf(interval: string): Period | undefined {
  return PERIODS.get(interval);
}

export const INTERVAL: Field<Period> = {
  schema: schema.required(
    `${[...PERIODS.keys()].join(' ')}; case counts`,
    schema.choices(...PERIODS.keys()),
  ),
  read: (fields, name) => {
    const given = fields.requiredText(name);
    const period = periodOf(given);
    if (period === undefined && given !== '') {
      const known = [...PERIODS.keys()].join(', ');
      fields.refuse('parameter_invalid', `${name} ${shown(given)}, takes ${known}`);
    }
    return period ?? '1min';
  },
};

const DEPTHS = ['15', '200'] as const;
const [FEW = '15'] = DEPTHS;

/** Levels of each side of a book: these numbers and no other. */
export const DEPTH_LEVELS: Field<number> = {
  schema: schema.optional(
    'Levels of each side: 15, the default, or 200',
    schema.choices(...DEPTHS),
  ),
  read: (fields, name) => {
    const given = fields.text(name);
    if (given === '') return Number(FEW);
    const found = DEPTHS.find((levels) => levels === given);
    if (found === undefined) {
      fields.refuse('parameter_invalid', `${name} ${shown(given)}, takes ${DEPTHS.join(', ')}`);
    }
    return Number(found ?? FEW);
  },
};
