/** What operators may do alone, and how long what they do is kept. */
import Type, { type Static } from 'typebox';
import { LIMITS } from '#domain';
import { OPERATOR_DEFAULTS, type OperatorSettings } from '#people';
import { ConfigFault } from './document.ts';

const strict = { additionalProperties: false } as const;
const HOUR_MS = 3_600_000;
const HOURS_MAX = 24 * 30;
const DAY_MS = 24 * HOUR_MS;
const DAYS_MAX = 3_650;
const ENTRIES = { minimum: 1_000, maximum: 100_000_000 } as const;

/** An amount above which money takes two. */
const amount = Type.String({ pattern: '^[0-9]{1,30}(\\.[0-9]{1,18})?$' });

export const OPERATORS_SCHEMA = Type.Object(
  {
    twoPersonAbove: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z0-9]{1,32}$' }), amount, {
        maxProperties: LIMITS.assetsMax,
      }),
    ),
    approvalHours: Type.Optional(Type.Integer({ minimum: 1, maximum: HOURS_MAX })),
    reasonRequired: Type.Optional(Type.Boolean()),
    logDays: Type.Optional(Type.Integer({ minimum: 1, maximum: DAYS_MAX })),
    logEntriesMax: Type.Optional(Type.Integer(ENTRIES)),
  },
  strict,
);

type OperatorsContent = Static<typeof OPERATORS_SCHEMA>;

/** Coins are those of the file: a misspelt one would have no limit. Throws ConfigFault. */
export function operatorSettings(
  content: OperatorsContent | undefined,
  coins: readonly { readonly code: string }[],
  placeOf: (path: readonly string[]) => string,
): OperatorSettings {
  const { twoPersonAbove = {}, approvalHours, reasonRequired, logDays } = content ?? {};
  const unknown = Object.keys(twoPersonAbove).filter((code) =>
    coins.every((coin) => coin.code !== code),
  );
  if (unknown.length > 0) {
    const place = placeOf(['operators', 'twoPersonAbove']);
    throw new ConfigFault(unknown.map((code) => `${place}: ${code} is no coin of this file`));
  }
  const defaults = OPERATOR_DEFAULTS;
  return {
    twoPersonAbove: new Map(Object.entries(twoPersonAbove)),
    approvalMs: approvalHours === undefined ? defaults.approvalMs : approvalHours * HOUR_MS,
    reasonRequired: reasonRequired ?? defaults.reasonRequired,
    logKeepMs: logDays === undefined ? defaults.logKeepMs : logDays * DAY_MS,
    logEntriesMax: content?.logEntriesMax ?? defaults.logEntriesMax,
  };
}

/** Each process would count and approve for itself. Throws ConfigFault. */
export function refuseLimitsUnshared(
  { twoPersonAbove }: OperatorSettings,
  hasPeople: boolean,
  placeOf: (path: readonly string[]) => string,
): void {
  if (hasPeople || twoPersonAbove.size === 0) return;
  throw new ConfigFault([
    `${placeOf(['operators', 'twoPersonAbove'])}: limits of a cluster take a database that every ` +
      'process shares: name it in people.database or OUTCRY_PEOPLE',
  ]);
}
