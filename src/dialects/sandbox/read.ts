/** Reads what is asked of a sandbox, or answers with the first refusal. */
import type { JsonObject } from '#api';
import {
  type AddFault,
  CLOCK,
  type FaultEffect,
  isRefused,
  type Listings,
  PPM,
  type Refused,
  refuse,
  type SpotInstrument,
  type Ticks,
} from '#domain';
import { AdminFields } from '../admin/fields.ts';
import { shown } from '../fields.ts';

const DAY_MS = 86_400_000;
const JUMP_MAX_MS = 366 * DAY_MS;
/** Clocks do not go beyond the year 9000, so that every calendar still has room. */
const TIME_MAX_MS = 221_845_392_000_000;
const SPEED_SCALE = 3;
const BEFORE_FUNDING_MS = 1_000;
const RETRY_AFTER_MS = 1_000;
const ERROR_STATUSES = ['500', '502', '503', '504'] as const;
/** A target of another form would match no call and fail silently. */
const TARGET = /^((GET|POST|PATCH|DELETE)?( ?\/[!-~]*)?|(spot|swap)( [A-Za-z0-9_]+)?)$/;
const TARGETS =
  'is a method, a path (perhaps ending in *), both as in POST /api/spot/v1/trade/orders, or a ' +
  'stream as in swap or swap depth';
const EFFECT_FIELDS = ['kind', 'ms', 'jitterMs', 'retryAfterMs', 'status'];
const EFFECTS = [
  'latency',
  'rate_limited',
  'server_error',
  'no_answer',
  'disconnect',
  'maintenance',
  'drop_message',
  'duplicate_message',
  'delay_message',
  'disconnect_stream',
] as const satisfies FaultEffect['kind'][];

/** A text that must be given. */
export function readText(body: JsonObject, name: string): string | Refused {
  const fields = new AdminFields(body);
  return fields.orRefusal(fields.requiredText(name));
}

/** Thousandths of real time, above zero. */
export function readSpeed(body: JsonObject): number | Refused {
  const fields = new AdminFields(body);
  const speed = fields.ticks('speed', SPEED_SCALE) ?? CLOCK.speedPermilleReal;
  if (fields.fault !== undefined) return fields.fault;
  if (speed > 0 && speed <= CLOCK.speedPermilleMax) return speed;
  return refuse('clock_invalid', `speed goes from 0.001 to ${CLOCK.speedPermilleMax / 1_000}`);
}

/** How much time passes, in milliseconds. */
export function readStep(body: JsonObject): number | Refused {
  const fields = new AdminFields(body);
  fields.requiredText('ms');
  const ms = fields.count('ms') ?? 0;
  if (fields.fault !== undefined) return fields.fault;
  if (ms > 0 && ms <= DAY_MS) return ms;
  return refuse('clock_invalid', `ms goes from 1 to ${DAY_MS}`);
}

/** The time to jump to. */
export function readJump(body: JsonObject, nowMs: number): number | Refused {
  const fields = new AdminFields(body);
  fields.requiredText('time');
  const timeMs = fields.count('time') ?? 0;
  return fields.fault ?? checkJump(timeMs, nowMs);
}

function checkJump(timeMs: number, nowMs: number): number | Refused {
  if (timeMs <= nowMs) return refuse('clock_invalid', `it is ${nowMs} already`);
  if (timeMs > nowMs + JUMP_MAX_MS) return refuse('clock_invalid', 'more than 366 days from now');
  if (timeMs > TIME_MAX_MS) return refuse('clock_invalid', 'beyond the year 9000');
  return timeMs;
}

export interface FundingJump {
  readonly symbol: string;
  readonly beforeMs: number;
}

export function readFundingJump(body: JsonObject): FundingJump | Refused {
  const fields = new AdminFields(body);
  const symbol = fields.requiredText('symbol');
  const beforeMs = fields.count('beforeMs') ?? BEFORE_FUNDING_MS;
  return fields.orRefusal({ symbol, beforeMs });
}

export interface PriceMove {
  readonly pair: SpotInstrument;
  readonly priceTicks: Ticks;
}

/** The pair whose price is to move. */
export function readPriceMove(body: JsonObject, listings: Listings): PriceMove | Refused {
  const fields = new AdminFields(body);
  const coin = fields.requiredText('coin').toUpperCase();
  const quote = fields.text('quote').toUpperCase() || 'USDT';
  if (fields.fault !== undefined) return fields.fault;
  const pair = listings.spot.find(
    ({ baseCode, quoteCode }) => baseCode === coin && quoteCode === quote,
  );
  if (pair === undefined)
    return refuse('symbol_unknown', `no pair of ${shown(coin)} and ${shown(quote)}`);
  fields.requiredText('price');
  const priceTicks = fields.ticks('price', pair.priceScale);
  if (fields.fault !== undefined) return fields.fault;
  if (priceTicks === undefined || priceTicks === 0) {
    return refuse('price_invalid', 'a price is above zero');
  }
  return { pair, priceTicks };
}

export function readFaultRule(body: JsonObject): AddFault | Refused {
  const fields = new AdminFields(body);
  const effect = fields.group('effect', EFFECT_FIELDS, readEffect);
  const rule = {
    label: fields.text('label'),
    key: fields.text('key'),
    target: fields.text('target'),
    probabilityPpm: fields.rate('probability') ?? PPM,
    skipCount: fields.count('skip') ?? 0,
    hitsMax: fields.count('count') ?? 0,
    seed: fields.count('seed') ?? 0,
  };
  if (fields.fault !== undefined) return fields.fault;
  if (effect === undefined) return refuse('parameter_invalid', 'effect is missing');
  if (!TARGET.test(rule.target)) return refuse('parameter_invalid', `target ${TARGETS}`);
  return isRefused(effect) ? effect : { kind: 'add_fault', rule: { ...rule, effect } };
}

function readEffect(fields: AdminFields): FaultEffect | Refused {
  fields.requiredText('kind');
  const kind = fields.word('kind', EFFECTS);
  if (kind === undefined) return fields.fault ?? refuse('parameter_invalid', 'kind is missing');
  if (kind === 'latency') {
    return { kind, ms: fields.count('ms') ?? 0, jitterMs: fields.count('jitterMs') ?? 0 };
  }
  if (kind === 'delay_message') return { kind, ms: fields.count('ms') ?? 0 };
  if (kind === 'rate_limited') {
    return { kind, retryAfterMs: fields.count('retryAfterMs') ?? RETRY_AFTER_MS };
  }
  if (kind !== 'server_error') return { kind };
  const status = fields.word('status', ERROR_STATUSES) ?? '500';
  return { kind, status: STATUS[status] };
}

const STATUS = { '500': 500, '502': 502, '503': 503, '504': 504 } as const;
