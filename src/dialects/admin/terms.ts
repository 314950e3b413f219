/**
 * Terms of a market, each in one place: a field of a request, a field of an answer and its name in
 * the core. `M` is what has to be known of the market to count in its units.
 */
import type { TSchema } from 'typebox';
import {
  type EngineFailure,
  isRefused,
  type Lots,
  lots,
  MARKET_STATUSES,
  type MarketStatus,
  type Refused,
  type Ticks,
  ticks,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { formatRate } from '../kit/contract-figures.ts';
import { failureText } from '../kit/english.ts';
import type { Field } from '../kit/request.ts';
import { type Column, text } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type Kind, optional, RATE, SCALED, type Scaled, WHOLE, word } from './fields.ts';

/** What was given, in the units of the market. */
export type InUnits<M, T> = (market: M) => T | Refused;

/** How the terms of a kind are asked for and shown. */
export interface TermKind<M, T, D> {
  readonly field: (description: string) => Field<InUnits<M, T> | undefined>;
  readonly schema: (description: string) => TSchema;
  readonly shown: (term: T, market: M) => D;
}

export interface Term<K extends string, M, T, D> {
  /** Its name in the core. */
  readonly of: K;
  readonly field: Field<InUnits<M, T> | undefined>;
  readonly column: Column<M & { readonly [Name in K]: T }, D>;
}

export function term<const K extends string, M, T, D>(
  { field, schema, shown }: TermKind<M, T, D>,
  of: K,
  description: string,
  example: D,
): Term<K, M, T, D> {
  return {
    of,
    field: field(description),
    column: {
      schema: schema(description),
      example,
      json: (market) => JSON.stringify(shown(market[of], market)),
    },
  };
}

/** The field of a scalar that is counted in units. */
export function inUnits<S, M, T>(
  kind: Kind<S>,
  unitsOf: (asked: S, market: M) => T | Refused,
): (description: string) => Field<InUnits<M, T> | undefined> {
  return (description) => asTerm(optional(kind, description), unitsOf);
}

export function asTerm<S, M, T>(
  { schema, read }: Field<S | undefined>,
  unitsOf: (asked: S, market: M) => T | Refused,
): Field<InUnits<M, T> | undefined> {
  return {
    schema,
    read: (fields, name) => {
      const asked = read(fields, name);
      return asked === undefined ? undefined : (market) => unitsOf(asked, market);
    },
  };
}

/** A rate as a fraction. */
export const RATE_TERM: TermKind<unknown, number, string> = {
  field: inUnits(RATE, (ratePpm) => ratePpm),
  schema: (description) => schema.decimal(`${description}, as a fraction`),
  shown: formatRate,
};

/** A size in lots. */
export const SIZE_TERM: TermKind<{ readonly quantityScale: number }, Lots, string> = {
  field: inUnits(SCALED, (asked, { quantityScale }) => lotsOf(asked, quantityScale)),
  schema: schema.decimal,
  shown: (size, { quantityScale }) => formatTrimmed(size, quantityScale),
};

/** A price in ticks. */
export const PRICE_TERM: TermKind<{ readonly priceScale: number }, Ticks, string> = {
  field: inUnits(SCALED, (asked, { priceScale }) => ticksOf(asked, priceScale)),
  schema: schema.decimal,
  shown: (price, { priceScale }) => formatTrimmed(price, priceScale),
};

export const COUNT_TERM: TermKind<unknown, number, number> = {
  field: inUnits(WHOLE, (count) => count),
  schema: schema.wholeNumber,
  shown: (count) => count,
};

const STATUS_TERM: TermKind<unknown, MarketStatus, MarketStatus> = {
  field: inUnits(word(MARKET_STATUSES, 'online'), (status): MarketStatus => status),
  schema: () =>
    schema.oneOf(
      [...MARKET_STATUSES, 'suspended'],
      'online trades; halt and offline take cancels only; ' +
        'suspended takes nothing until it is resumed',
    ),
  shown: (status) => status,
};

export const STATUS = term(STATUS_TERM, 'status', 'online, halt or offline', 'online');

export const SUSPENDED_REASON: Column<{ readonly suspendedReason?: EngineFailure }, string> = text(
  'Failure that suspended it; empty while it is not suspended',
  '',
  ({ suspendedReason }) => (suspendedReason === undefined ? '' : failureText(suspendedReason)),
);

export function lotsOf(asked: Scaled, quantityScale: number): Lots | Refused {
  const size = asked(quantityScale);
  return isRefused(size) ? size : lots(size);
}

export function ticksOf(asked: Scaled, priceScale: number): Ticks | Refused {
  const price = asked(priceScale);
  return isRefused(price) ? price : ticks(price);
}

interface AnyTerm {
  readonly of: string;
  readonly field: Field<unknown>;
  readonly column: Column<never>;
}
type Terms = Readonly<Record<string, AnyTerm>>;

/** The fields by which terms are asked for. */
export function termFields<T extends Terms>(terms: T): { readonly [K in keyof T]: T[K]['field'] } {
  const entries = Object.entries(terms).map(([name, { field }]) => [name, field]);
  return Object.fromEntries(entries);
}

/** The fields that show terms. */
export function termColumns<T extends Terms>(
  terms: T,
): { readonly [K in keyof T]: T[K]['column'] } {
  const entries = Object.entries(terms).map(([name, { column }]) => [name, column]);
  return Object.fromEntries(entries);
}

/** The terms that were given, under their names in the core. */
export function keptTerms<Kept, M>(
  terms: Readonly<Record<string, { readonly of: keyof Kept & string }>>,
  asked: Readonly<Record<string, InUnits<M, unknown> | undefined>>,
  market: M,
): Partial<Kept> | Refused {
  const kept: Record<string, unknown> = {};
  for (const [name, { of }] of Object.entries(terms)) {
    const found = asked[name]?.(market);
    if (isRefused(found)) return found;
    if (found !== undefined) kept[of] = found;
  }
  return kept as Partial<Kept>;
}

/** A field for a term that must be given. */
export function needed<T>(description: string, { read }: Field<T>): Field<T> {
  return {
    schema: schema.required(description),
    read: (fields, name) => {
      fields.requiredText(name);
      return read(fields, name);
    },
  };
}
