/** What coins, pairs and accounts of a test are like, unless it says otherwise. */
import {
  type AccountSettings,
  type AssetSpec,
  type Command,
  type Contract,
  type FundBudget,
  lots,
  PPM,
  type SpotSpec,
  ticks,
  WALLETS_DEFAULT,
} from '#domain';

/** What liquidations may cost the insurance fund of a contract's coin. */
export function budgetChange({ margin }: Contract, fundBudget: FundBudget): Command {
  return { kind: 'update_asset', assetId: margin.assetId, changes: { fundBudget } };
}

/** Liquidations may cost the insurance fund all it has. */
export const WHOLE_FUND: FundBudget = { hourPpm: PPM, dayPpm: PPM };

export function assetSpec(coinId: number, code: string): AssetSpec {
  return { coinId, code, scale: 8, transferable: true, chains: [], fundBudget: WHOLE_FUND };
}

/** Prices at two decimals, sizes at four: one tick times one lot is 100 quote units. */
export function pairSpec(base: string, quote: string, changes: Partial<SpotSpec> = {}): SpotSpec {
  return {
    symbol: `${base}-${quote}`,
    baseCode: base,
    quoteCode: quote,
    priceScale: 2,
    quantityScale: 4,
    minLots: lots(1),
    maxLots: lots(100_000_000),
    minNotional: 0n,
    takerFeePpm: 1_000,
    makerFeePpm: 1_000,
    status: 'online',
    referencePriceTicks: ticks(0),
    priceBandPpm: 0,
    ...changes,
  };
}

export function accountSettings(
  name: string,
  changes: Partial<AccountSettings> = {},
): AccountSettings {
  return {
    name,
    frozen: false,
    selfTradePrevention: 'cancel_maker',
    openOrdersMax: 1_000,
    takerFeePpm: null,
    makerFeePpm: null,
    wallets: WALLETS_DEFAULT,
    ...changes,
  };
}
