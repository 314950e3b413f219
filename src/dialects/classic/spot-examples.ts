/** One example of everything the spot endpoints answer with, for the documentation and tests. */

import { ORDER_ID, TIME_MS } from './spot-terms.ts';

const TIME_TEXT = String(TIME_MS);

export const COIN = {
  coinId: '2',
  coinName: 'USDT',
  transfer: 'true',
  chains: [
    {
      chain: 'ERC20',
      needTag: 'false',
      withdrawAble: 'true',
      rechargeAble: 'true',
      withdrawable: 'true',
      rechargeable: 'true',
      withdrawFee: '1',
      depositConfirm: '12',
      withdrawConfirm: '64',
      minDepositAmount: '1',
      minWithdrawAmount: '5',
      browserUrl: 'https://explorer.example/tx/',
    },
  ],
};

export const PRODUCT = {
  symbol: 'BTCUSDT_SPBL',
  symbolName: 'BTCUSDT',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  minTradeAmount: '0.0001',
  maxTradeAmount: '10000',
  minTradeUSDT: '5',
  takerFeeRate: '0.001',
  makerFeeRate: '0.001',
  buyLimitPriceRatio: '0.1',
  sellLimitPriceRatio: '0.1',
  priceScale: '2',
  quantityScale: '4',
  status: 'online',
};

export const TICKER = {
  symbol: 'BTCUSDT',
  high24h: '31000',
  low24h: '29000',
  close: '30000',
  quoteVol: '900.5',
  baseVol: '0.03',
  usdtVol: '900.5',
  ts: TIME_TEXT,
  buyOne: '29990',
  sellOne: '30010',
  bidSz: '0.5',
  askSz: '0.25',
  openUtc0: '29700',
  changeUtc: '0.0101',
  change: '0',
};

export const PUBLIC_TRADE = {
  symbol: 'BTCUSDT_SPBL',
  tradeId: '700000000000000031',
  side: 'buy',
  fillPrice: '30010',
  fillQuantity: '0.0005',
  fillTime: TIME_TEXT,
};

export const CANDLE = {
  ts: '1795235640000',
  open: '30000',
  high: '30010',
  low: '29990',
  close: '30010',
  baseVol: '0.0005',
  quoteVol: '15.005',
  usdtVol: '15.005',
};

export const DEPTH = {
  asks: [['30010', '0.25']],
  bids: [['29990', '0.5']],
  timestamp: TIME_TEXT,
};

export const NEW_ORDER = {
  side: 'buy',
  orderType: 'limit',
  force: 'normal',
  price: '29400',
  quantity: '0.0005',
  clientOrderId: 'grid#7',
};

export const ORDER_IDS = { orderId: ORDER_ID, clientOrderId: 'grid#7' };

export const ORDER = {
  accountId: '1',
  symbol: 'BTCUSDT_SPBL',
  orderId: ORDER_ID,
  clientOrderId: 'grid#7',
  price: '29400.00',
  quantity: '0.0005',
  orderType: 'limit',
  side: 'buy',
  status: 'new',
  fillPrice: '0',
  fillQuantity: '0',
  fillTotalAmount: '0',
  cTime: TIME_TEXT,
  cancelReason: '',
};

export const CLOSED_ORDER = {
  ...ORDER,
  price: '30010.00',
  status: 'full_fill',
  fillPrice: '30010',
  fillQuantity: '0.0005',
  fillTotalAmount: '15.005',
};

export const FILL = {
  accountId: '1',
  symbol: 'BTCUSDT_SPBL',
  orderId: ORDER_ID,
  fillId: '700000000000000031',
  orderType: 'limit',
  side: 'buy',
  fillPrice: '30010.00',
  fillQuantity: '0.0005',
  fillTotalAmount: '15.005',
  cTime: TIME_TEXT,
  feeCcy: 'BTC',
  fees: '0.0000005',
};
