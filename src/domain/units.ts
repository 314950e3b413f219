/**
 * The units of the venue. Prices are whole ticks and sizes whole lots of their instrument, as safe
 * integers. An Amount is a bigint in the smallest unit of its asset (10^-scale coin).
 * A rate in ppm is parts per million: 1000 ppm is 0.1 %.
 */
import { assert, type Brand, brand } from '#kernel';

export type Ticks = Brand<number, 'Ticks'>;
export type Lots = Brand<number, 'Lots'>;
export type AccountId = Brand<number, 'AccountId'>;
export type OrderId = Brand<number, 'OrderId'>;
export type TradeId = Brand<number, 'TradeId'>;
export type AssetId = Brand<number, 'AssetId'>;
export type InstrumentId = Brand<number, 'InstrumentId'>;
export type Amount = bigint;

export const PPM = 1_000_000;
export const PPM_BIG = 1_000_000n;

export const ZERO_LOTS = brand<Lots>(0);
export const ZERO_TICKS = brand<Ticks>(0);

/** A price in whole ticks, zero where there is none. */
export function ticks(value: number): Ticks {
  assert(Number.isSafeInteger(value) && value >= 0, 'ticks are whole and not negative');
  return brand<Ticks>(value);
}

/** A size in whole lots, zero where nothing is left. */
export function lots(value: number): Lots {
  assert(Number.isSafeInteger(value) && value >= 0, 'lots are whole and not negative');
  return brand<Lots>(value);
}

export function accountId(value: number): AccountId {
  assert(Number.isSafeInteger(value) && value > 0, 'an account id is above zero');
  return brand<AccountId>(value);
}

export function orderId(value: number): OrderId {
  assert(Number.isSafeInteger(value) && value > 0, 'an order id is above zero');
  return brand<OrderId>(value);
}

export function tradeId(value: number): TradeId {
  assert(Number.isSafeInteger(value) && value > 0, 'a trade id is above zero');
  return brand<TradeId>(value);
}

export function assetId(value: number): AssetId {
  assert(Number.isSafeInteger(value) && value >= 0, 'an asset id is an index');
  return brand<AssetId>(value);
}

export function instrumentId(value: number): InstrumentId {
  assert(Number.isSafeInteger(value) && value >= 0, 'an instrument id is an index');
  return brand<InstrumentId>(value);
}
