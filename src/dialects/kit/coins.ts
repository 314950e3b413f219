/** Coins that requests and rows name. */
import { refuseSaying } from '#api';
import type { Asset, AssetId, Listings } from '#domain';
import { present } from '#kernel';
import { type Named, wholeNumber } from './request.ts';

/** A coin by its number; undefined for all coins. */
export const COIN_ID: Named<number | undefined, Asset | undefined> = {
  ...wholeNumber('Only this coin, by its number'),
  find: (coinId, listings) => {
    if (coinId === undefined) return undefined;
    return listings.assetByCoinId(coinId) ?? refuseSaying('coin_unknown', `coinId ${coinId}`);
  },
};

/** The coin of a row of the account. */
export function coinOf(listings: Listings, { assetId }: { readonly assetId: AssetId }): Asset {
  return present(listings.asset(assetId), 'coin of a row');
}
