/** One example of everything the public contract endpoints answer with. */

const TIME_TEXT = '1795235652453';

export const SYMBOL = 'cmt_btcusdt';

export const SERVER_TIME = {
  epoch: '1795235652.453',
  iso: '2026-11-21T04:34:12.453Z',
  timestamp: 1_795_235_652_453,
};

export const CONTRACT = {
  symbol: SYMBOL,
  underlying_index: 'BTC',
  quote_currency: 'USDT',
  coin: 'USDT',
  contract_val: '0.001',
  listing: null,
  delivery: ['07:00:00', '15:00:00', '23:00:00'],
  size_increment: '0',
  tick_size: '1',
  priceEndStep: '5',
  minLeverage: '1',
  maxLeverage: '100',
  forwardContractFlag: true,
};

export const TICKER = {
  symbol: SYMBOL,
  last: '30000.0',
  best_ask: '30010.0',
  best_bid: '29990.0',
  high_24h: '31000.0',
  low_24h: '29000.0',
  volume_24h: '120',
  base_volume: '0.12',
  priceChangePercent: '0.49',
  timestamp: TIME_TEXT,
};

export const TRADE = {
  symbol: SYMBOL,
  trade_id: '700000000000000131',
  side: 'buy',
  price: '30010.0',
  size: '12',
  timestamp: TIME_TEXT,
};

export const CANDLE = ['1795235640000', '30000.0', '30010.0', '29990.0', '30010.0', '12', '0.012'];

export const DEPTH = {
  asks: [['30010.0', '250', 1]],
  bids: [['29990.0', '500', 1]],
  timestamp: TIME_TEXT,
};

export const INDEX = { symbol: SYMBOL, index: '30001.5', timestamp: TIME_TEXT };

export const MARK_PRICE = { symbol: SYMBOL, mark_price: '30002.0', timestamp: TIME_TEXT };

export const OPEN_INTEREST = {
  symbol: SYMBOL,
  amount: '2500',
  base_volume: '2.5',
  target_volume: '75005',
  forwardContractFlag: true,
  timestamp: TIME_TEXT,
};

export const PRICE_LIMIT = {
  symbol: SYMBOL,
  highest: '45003.0',
  lowest: '15001.0',
  forwardContractFlag: true,
  timestamp: TIME_TEXT,
};

export const FUNDING_TIME = {
  symbol: SYMBOL,
  funding_time: '1795244400000',
  forwardContractFlag: true,
};

export const FUNDING_RATE = {
  symbol: SYMBOL,
  funding_rate: '0.0001',
  funding_time: '1795215600000',
};

export const OPEN_COUNT = { openCount: '658' };
