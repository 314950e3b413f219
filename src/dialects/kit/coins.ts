/** Coins that requests and rows name. */
import { refuseSaying } from '#api';
import type { Asset, AssetId, Coin, Listings, Refused } from '#domain';
import { present } from '#kernel';
import { shown } from './fields.ts';
import { type Named, optionalText, requiredText, wholeNumber } from './request.ts';

/** By its code, in any case. */
export function coinNamed(listings: Listings, code: string): Asset | Refused {
  return listings.assetByCode(code.toUpperCase()) ?? refuseSaying('coin_unknown', shown(code));
}

/** The coin that a request is about. */
export const COIN: Named<string, Asset> = {
  ...requiredText('Coin, by its code'),
  find: (code, listings) => coinNamed(listings, code),
};

/** As COIN, under any of these names; undefined for all coins. */
export function coinOrAll(...names: readonly string[]): Named<string, Asset | undefined> {
  return {
    ...optionalText('Only this coin, by its code', ...names),
    find: (code, listings) => (code === '' ? undefined : coinNamed(listings, code)),
  };
}

/** Coins that are the margin of a contract, each once. */
export function marginCoins({ contracts }: Pick<Listings, 'contracts'>): readonly Coin[] {
  const coins = [...contracts.values()].map(({ margin }) => [margin.assetId, margin] as const);
  return [...new Map(coins).values()];
}

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
