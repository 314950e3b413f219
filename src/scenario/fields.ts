/**
 * The fields a scenario file is made of: prices, times, names and expected figures, each with the
 * complaint a wrong one gets. Every scalar of a file is text, so that no digit is lost.
 */
import Type, { type TSchema } from 'typebox';
import { isExpected } from './compare.ts';

const LINE_LENGTH_MAX = 200;
const CONTRACT = /^[A-Z0-9]{1,16}(-[A-Z0-9]{1,16}){0,2}-PERP$/;
const MARKET = /^[A-Z0-9]{1,16}(-[A-Z0-9]{1,16}){1,3}$/;
const WALLET = /^(spot|margin|[A-Z0-9]{1,16}(-[A-Z0-9]{1,16}){0,2}-PERP)$/;
const COIN = /^[A-Z0-9]{2,16}$/;
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/;
const DURATION = /^([0-9]{1,9})(ms|s|m|h)$/;
const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export const strict = { additionalProperties: false } as const;

function text(pattern: RegExp, complaint: string) {
  return Type.Refine(
    Type.String(),
    (value) => pattern.test(value),
    () => complaint,
  );
}

export const decimal = text(/^-?[0-9]+(\.[0-9]+)?$/, 'must be a plain decimal such as 0.5');
export const whole = text(/^[0-9]{1,9}$/, 'must be a whole number');
export const symbol = text(
  MARKET,
  'must be a pair such as BTC-USDT or a contract such as BTC-USDT-PERP',
);
export const contract = text(CONTRACT, 'must be a contract such as BTC-USDT-PERP');
export const wallet = text(WALLET, 'must be spot, margin or a contract such as BTC-USDT-PERP');
export const coin = text(COIN, 'must be a coin such as USDT');
export const name = text(NAME, 'must be a name of up to 32 letters, digits, - and _');

function byKey<S extends TSchema>(key: RegExp, value: S) {
  return Type.Record(Type.String({ pattern: key.source }), value, strict);
}

export const byMarket = <S extends TSchema>(value: S) => byKey(MARKET, value);
export const byContract = <S extends TSchema>(value: S) => byKey(CONTRACT, value);
export const byWallet = <S extends TSchema>(value: S) => byKey(WALLET, value);
export const byCoin = <S extends TSchema>(value: S) => byKey(COIN, value);
export const byName = <S extends TSchema>(value: S) => byKey(NAME, value);

export const duration = text(DURATION, 'must be a time such as 500ms, 60s, 5m or 8h');
export const line = Type.String({ minLength: 1, maxLength: LINE_LENGTH_MAX });

/** Terms of a market, which the venue knows better. */
export const terms = Type.Record(Type.String(), Type.Unknown());

/** What a figure should be, in the words of compare.ts. */
export const expected = Type.Refine(
  Type.String(),
  isExpected,
  () => 'must be a figure, above/below/at least/at most/not FIGURE, or about FIGURE within FIGURE',
);

/** What should come back of a call: ok, the kind of a refusal, none (no answer) or cut. */
export const answer = text(
  /^[a-z][a-z0-9_]{1,63}$/,
  'must be ok, none, cut or the kind of a refusal such as price_above_band',
);

export const side = Type.Enum(['long', 'short']);
export const orderSide = Type.Enum(['buy', 'sell']);
export const flag = Type.Enum(['true', 'false']);

/** Milliseconds of text that fits `duration`. */
export function durationMs(given: string): number {
  const [, count = '', unit = ''] = DURATION.exec(given) ?? [];
  return Number(count) * (UNITS_MS[unit] ?? 0);
}
