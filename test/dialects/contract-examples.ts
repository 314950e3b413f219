/**
 * Answers of a real venue to calls about contracts, and whether ours have the same fields and kinds
 * of values. Numbers that a document shows quoted are numbers on the wire.
 */
import { strict as assert } from 'node:assert/strict';

const CANDLE = [1764505740000, '1', '1', '1', '1', '1', 1764505800000, '1', 125, '1', '1'];

const POSITION = {
  id: 74942275907485,
  asset: 'USDT',
  symbol: 'ETHUSDT',
  side: 'LONG',
  marginType: 'CROSSED',
  separatedMode: 'COMBINED',
  separatedOpenOrderId: 0,
  leverage: '20.00',
  size: '0.036',
  openValue: '82.06416',
  openFee: '0.06565132',
  fundingFee: '0',
  marginSize: '4.107',
  isolatedMargin: '0',
  isAutoAppendIsolatedMargin: false,
  cumOpenSize: '0.036',
  cumOpenValue: '82.06416',
  cumOpenFee: '0.06565132',
  cumCloseSize: '0',
  cumCloseValue: '0',
  cumCloseFee: '0',
  cumFundingFee: '0',
  cumLiquidateFee: '0',
  createdMatchSequenceId: 14770315288,
  updatedMatchSequenceId: 14770315288,
  createdTime: 1778676309365,
  updatedTime: 1778676309365,
  unrealizePnl: '0.06012',
  liquidatePrice: '2019.83',
};

const ORDER = {
  avgPrice: '0.00000',
  clientOrderId: '41b45025-6f69-40d1-a9d1-908d92ac35e9',
  cumQuote: '0',
  executedQty: '0',
  orderId: 73719185598421,
  origQty: '100',
  price: '0.00000',
  reduceOnly: true,
  side: 'SELL',
  positionSide: 'LONG',
  status: 'UNTRIGGERED',
  stopPrice: '0.20000',
  symbol: 'DOGEUSDT',
  time: 1775760234829,
  timeInForce: 'IOC',
  type: 'TAKE_PROFIT_MARKET',
  updateTime: 1775760234829,
  workingType: 'CONTRACT_PRICE',
};

const ALGO_ORDER = {
  algoId: 73707438974854,
  clientAlgoId: 'd574f517-cea5-433e-b029-415590d3bb80',
  algoType: 'CONDITIONAL',
  orderType: 'STOP_MARKET',
  symbol: 'DOGEUSDT',
  side: 'SELL',
  positionSide: 'LONG',
  timeInForce: 'IOC',
  quantity: '100',
  algoStatus: 'UNTRIGGERED',
  actualOrderId: null,
  actualPrice: '0.00000',
  triggerPrice: '0.02000',
  price: '0.00000',
  tpTriggerPrice: null,
  tpPrice: null,
  slTriggerPrice: null,
  slPrice: null,
  tpOrderType: null,
  workingType: 'CONTRACT_PRICE',
  closePosition: false,
  reduceOnly: true,
  createTime: 1775732228695,
  updateTime: 1775732228695,
  triggerTime: 0,
};

const PLACED = {
  orderId: '70',
  clientOrderId: 'a',
  success: true,
  errorCode: '',
  errorMessage: '',
};
const CANCELLED = {
  orderId: '1000000000000028',
  origClientOrderId: '',
  success: true,
  errorCode: '',
  errorMessage: '',
};
const CANCELLED_OF_ALL = {
  orderId: 73719191419276,
  success: true,
  errorCode: '',
  errorMessage: '',
};
/** Without the text that clients take for an error. */
const DONE = { code: '200', requestTime: 1764505776347 };

export const EXAMPLES = {
  contractTime: { serverTime: 1790134010126 },
  contractApiTradingSymbols: ['ETHUSDT'],
  contractExchangeInfo: {
    assets: [{ asset: 'USDT', marginAvailable: true }],
    rateLimits: [
      { rateLimitType: 'REQUEST_WEIGHT', interval: 'SECOND', intervalNum: 10, limit: 500 },
    ],
    symbols: [
      {
        symbol: 'BTCUSDT',
        displaySymbol: 'BTCUSDT',
        contractType: 'PERPETUAL',
        underlyingType: 'COIN',
        baseAsset: 'BTC',
        quoteAsset: 'USDT',
        marginAsset: 'USDT',
        pricePrecision: 1,
        quantityPrecision: 6,
        baseAssetPrecision: 3,
        quotePrecision: 8,
        tickSize: '0.1',
        stepSize: '0.001',
        contractVal: 1e-6,
        delivery: ['00:00:00', '06:00:00', '12:00:00', '18:00:00'],
        forwardContractFlag: true,
        minLeverage: 1,
        maxLeverage: 408,
        buyLimitPriceRatio: 0.016,
        sellLimitPriceRatio: 0.015,
        makerFeeRate: 0,
        takerFeeRate: 0.001,
        minOrderSize: 0.0001,
        maxOrderSize: 10000,
        maxPositionSize: 20000000,
        marketOpenLimitSize: 12000,
      },
    ],
  },
  contractDepth: {
    asks: [['2096.77', '45.592']],
    bids: [['2096.76', '49.162']],
    lastUpdateId: 14138610208,
  },
  contractTicker24h: [
    {
      symbol: 'ETHUSDT',
      priceChange: '-75.49',
      priceChangePercent: '-0.034992',
      lastPrice: '2081.80',
      openPrice: '2157.29',
      highPrice: '2167.51',
      lowPrice: '2059.17',
      volume: '623160.426',
      quoteVolume: '1310647345.19346',
      openTime: 1775493000000,
      closeTime: 1775579400000,
      markPrice: '2081.8',
      indexPrice: '2082.75',
    },
  ],
  contractBookTicker: [
    {
      symbol: 'ETHUSDT',
      bidPrice: '1921.65',
      bidQty: '47.064',
      askPrice: '1921.66',
      askQty: '47.309',
      time: 1786304650042,
    },
  ],
  contractTrades: [
    {
      id: '1234567890',
      time: 1764506000456,
      price: '69350.8',
      qty: '0.005',
      quoteQty: '346.754',
      isBestMatch: true,
      isBuyerMaker: false,
    },
  ],
  contractKlines: [CANDLE],
  contractHistoryKlines: [CANDLE],
  markPriceKlines: [CANDLE],
  indexPriceKlines: [CANDLE],
  symbolPrice: { symbol: 'BTCUSDT', price: '69348.5', time: 1764505776890 },
  premiumIndex: [
    {
      symbol: 'BTCUSDT',
      markPrice: '69348.6',
      indexPrice: '69347.9',
      lastFundingRate: '0.00025',
      forecastFundingRate: '0.00025',
      interestRate: '0.0001',
      nextFundingTime: 1764510000000,
      time: 1764505777345,
      collectCycle: 480,
    },
  ],
  fundingRate: [
    {
      symbol: 'BTCUSDT',
      fundingRate: '0.00025',
      fundingTime: 1764506000456,
      markPrice: '69250.0',
    },
  ],
  openInterest: { symbol: 'BTCUSDT', openInterest: '128345.67', time: 1764505777345 },
  contractBalance: [
    {
      asset: 'USDT',
      balance: '5696.49288823',
      availableBalance: '5413.06877369',
      frozen: '81.28240000',
      unrealizePnl: '-34.55300000',
    },
  ],
  commissionRate: {
    symbol: 'BTCUSDT',
    makerCommissionRate: '0.0002',
    takerCommissionRate: '0.0004',
  },
  accountConfig: {
    canTrade: true,
    canDeposit: true,
    canWithdraw: true,
    dualSidePosition: true,
    updateTime: 1713339011237,
  },
  symbolConfig: [
    {
      symbol: 'DOGEUSDT',
      marginType: 'CROSSED',
      separatedType: 'COMBINED',
      crossLeverage: '20.00',
      isolatedLongLeverage: '20.00',
      isolatedShortLeverage: '20.00',
    },
  ],
  allPosition: [POSITION],
  singlePosition: [POSITION],
  income: {
    hasNextPage: true,
    nextKey: { nextKeyId: 1, nextKeyTime: 1 },
    items: [
      {
        billId: 68696001938351,
        asset: 'USDT',
        symbol: 'BTCUSDT',
        income: '0.08266646',
        incomeType: 'position_funding',
        balance: '4738.70667369',
        fillFee: '0',
        time: 1763784031721,
        transferReason: 'UNKNOWN_TRANSFER_REASON',
      },
    ],
  },
  marginType: DONE,
  contractLeverage: {
    symbol: 'DOGEUSDT',
    marginType: 'CROSSED',
    crossLeverage: '11',
    isolatedLongLeverage: '0',
    isolatedShortLeverage: '0',
  },
  positionMargin: DONE,
  autoAppendMargin: DONE,
  placeContractOrder: PLACED,
  cancelContractOrder: CANCELLED,
  cancelContractBatch: { orderList: [CANCELLED] },
  cancelAllContracts: [CANCELLED_OF_ALL],
  contractOrder: ORDER,
  contractOpenOrders: [ORDER],
  contractOrderHistory: [ORDER],
  userTrades: [
    {
      id: 73707438973177,
      orderId: 73707404332000,
      symbol: 'DOGEUSDT',
      buyer: true,
      commission: '0.00183500',
      commissionAsset: 'USDT',
      maker: true,
      price: '0.09175',
      qty: '100',
      quoteQty: '9.17500',
      realizedPnl: '0',
      side: 'BUY',
      positionSide: 'LONG',
      time: 1775732228692,
    },
  ],
  closePositions: [
    {
      positionId: 73719185596743,
      successOrderId: 73721534043337,
      errorMessage: '',
      success: true,
    },
  ],
  placeAlgoOrder: PLACED,
  cancelAlgoOrder: CANCELLED,
  cancelAllAlgoOrders: [CANCELLED_OF_ALL],
  openAlgoOrders: [ALGO_ORDER],
  allAlgoOrders: { orders: [ALGO_ORDER], hasMore: false },
  placeTpSlOrder: [{ success: true, orderId: 81234567890123, errorCode: '', errorMessage: '' }],
  modifyTpSlOrder: { success: true },
  placeContractBatch: { orderList: [PLACED] },
  /** An extension. */
  modifyAlgoOrder: { success: true },
  /** An extension: as the order itself. */
  moveContractOrder: PLACED,
} as const;

export type ExampleName = keyof typeof EXAMPLES;

/** Kinds of values by their paths; the items of a list are one. Null fits every kind. */
function kindsOf(value: unknown, path = '', kinds = new Map<string, string>()) {
  if (Array.isArray(value)) {
    // The items of an empty list may be of any kind.
    kinds.set(path, value.length === 0 ? 'null' : 'list');
    // The rows of candles and levels have columns, which are not alike.
    const isTuple = value.some((item) => typeof item !== 'object');
    for (const [at, item] of value.entries()) {
      kindsOf(item, isTuple ? `${path}[${at}]` : `${path}[]`, kinds);
    }
  } else if (typeof value === 'object' && value !== null) {
    kinds.set(path, 'object');
    for (const [name, part] of Object.entries(value)) kindsOf(part, `${path}.${name}`, kinds);
  } else {
    kinds.set(path, value === null ? 'null' : typeof value);
  }
  return kinds;
}

/** Of a list of words, which is as long as it is; the columns of a candle are always there. */
function isColumn(path: string): boolean {
  return /\[\d+\]$/.test(path) && !/^\[\]\[\d+\]$/.test(path);
}

/** Asserts that an answer has the fields of the example, and each of its kind. */
export function assertShaped(name: ExampleName, answer: unknown): void {
  const expected = kindsOf(EXAMPLES[name]);
  const actual = kindsOf(answer);
  const isWithin = (path: string, of: ReadonlyMap<string, string>) =>
    [...of].some(([known, kind]) => kind === 'null' && path.startsWith(known));
  for (const [path, kind] of actual) {
    // Lists of words are as long as they are.
    const wanted = expected.get(path) ?? expected.get(path.replace(/\[\d+\]$/, '[0]'));
    if (kind === 'null' || wanted === 'null') continue;
    assert.equal(kind, wanted, `${name}${path} of ${JSON.stringify(answer)}`);
  }
  for (const path of expected.keys()) {
    const isThere = actual.has(path) || isWithin(path, actual) || isColumn(path);
    assert.ok(isThere, `${name}${path} is missing in ${JSON.stringify(answer)}`);
  }
}
