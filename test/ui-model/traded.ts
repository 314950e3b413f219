/** Markets as the pages read them from the public list, and what the estimates make of them. */
import type { native } from '#client';
import { MARKET_ROW } from '#dialects';
import type { Listings } from '#domain';
import { present } from '#kernel';
import { type TradedContract, tradedContract } from '../../ui/src/model/contract.ts';
import { type CoinScales, type TradedPair, tradedPair } from '../../ui/src/model/pair.ts';
import { testListings } from '../support/listings.ts';

const LISTINGS = testListings();

function scalesOf({ assets }: Listings): CoinScales {
  return Object.fromEntries(assets.map(({ code, scale }) => [code, scale]));
}

export function rowOf(symbol: string, listings = LISTINGS): native.MarketsRow {
  const { spot, contracts } = listings;
  const market = [...spot, ...contracts.values()].find((one) => one.symbol === symbol);
  return JSON.parse(MARKET_ROW.write({ market: present(market, symbol) }));
}

export function pairOf(row: native.MarketsRow, listings = LISTINGS): TradedPair {
  return present(tradedPair(row, scalesOf(listings)), row.symbol);
}

export function contractOf(row: native.MarketsRow, listings = LISTINGS): TradedContract {
  return present(tradedContract(row, scalesOf(listings)), row.symbol);
}
