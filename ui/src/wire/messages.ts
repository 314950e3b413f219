/** Answers that several parts of the pages read, typed as the API documents them. */

/** A row of /api/spot/v1/public/products. */
export interface SpotProduct {
  readonly symbol: string;
  readonly symbolName: string;
  readonly baseCoin: string;
  readonly quoteCoin: string;
  readonly minTradeAmount: string;
  readonly maxTradeAmount: string;
  readonly takerFeeRate: string;
  readonly makerFeeRate: string;
  readonly priceScale: string;
  readonly quantityScale: string;
  readonly status: string;
}

/** A row of /api/swap/v3/market/contracts. */
export interface SwapContract {
  readonly symbol: string;
  readonly underlying_index: string;
  readonly quote_currency: string;
  readonly coin: string;
  readonly contract_val: string;
  readonly size_increment: string;
  readonly tick_size: string;
  readonly priceEndStep: string;
  readonly minLeverage: string;
  readonly maxLeverage: string;
  readonly forwardContractFlag: boolean;
}

/** A row of /api/spot/v1/market/tickers; `symbol` is without the suffix. */
export interface SpotTicker {
  readonly symbol: string;
  readonly close: string;
  readonly change: string;
  readonly high24h: string;
  readonly low24h: string;
  readonly baseVol: string;
  readonly quoteVol: string;
  readonly buyOne: string;
  readonly sellOne: string;
}

/** A row of /api/swap/v3/market/tickers; volume_24h counts contracts. */
export interface SwapTicker {
  readonly symbol: string;
  readonly last: string;
  readonly best_ask: string;
  readonly best_bid: string;
  readonly high_24h: string;
  readonly low_24h: string;
  readonly volume_24h: string;
  readonly base_volume: string;
  readonly priceChangePercent: string;
}
