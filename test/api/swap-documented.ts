/**
 * The contract endpoints as the documentation of the interface lists them, one row each: method,
 * path, calls per window, parameters, answer. It is written down by hand, apart from the tables
 * that the product is built from, so that the two can be compared.
 */
import type { Shape } from './shape.ts';
import { list } from './shape.ts';
import * as answer from './swap-records.ts';

/** How a documented parameter may be treated. */
export type Parameter =
  /** The documentation requires it and so does the venue. */
  | 'needed'
  /** The documentation leaves it to the caller. */
  | 'optional'
  /** The documentation requires it, and the venue does without it, for this reason. */
  | { readonly doneWithout: string };

export interface Documented {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public' | 'signed';
  readonly rate: { readonly limit: number; readonly seconds: number };
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** Beyond the documentation: other names under which clients send a parameter. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly answer: Shape;
}

type Parameters = Documented['parameters'];

const SYMBOL: Parameters = { symbol: 'needed' };
const ORDER: Parameters = { symbol: 'needed', orderId: 'needed' };

function doneWithout(reason: string): Parameter {
  return { doneWithout: reason };
}

const FIRST_PAGE = doneWithout('empty means the first page');
const PAGE_SIZE = doneWithout('clients forget it or send it empty');
const LIMIT = doneWithout('clients take a default for granted');
const CLIENT_OID = doneWithout('the system assigns one if it is left empty');

function market(path: string, parameters: Parameters, shape: Shape): Documented {
  return {
    method: 'GET',
    path: `/api/swap/v3/market/${path}`,
    access: 'public',
    rate: { limit: 20, seconds: 2 },
    parameters,
    answer: shape,
  };
}

function trading(
  method: 'GET' | 'POST',
  path: string,
  parameters: Parameters,
  shape: Shape,
): Documented {
  return {
    method,
    path: `/api/swap/v3/order/${path}`,
    access: 'signed',
    rate: { limit: 10, seconds: 1 },
    parameters,
    answer: shape,
  };
}

function account(
  method: 'GET' | 'POST',
  path: string,
  rate: Documented['rate'],
  parameters: Parameters,
  shape: Shape,
): Documented {
  return {
    method,
    path: `/api/swap/v3/${path}`,
    access: 'signed',
    rate,
    parameters,
    answer: shape,
  };
}

const MARKET = {
  time: market('time', {}, answer.SERVER_TIME),
  contracts: market('contracts', {}, list(answer.CONTRACT_INFORMATION)),
  depth: market('depth', { ...SYMBOL, limit: LIMIT }, answer.ORDER_BOOK),
  tickers: market('tickers', {}, list(answer.TICKER)),
  ticker: market('ticker', SYMBOL, answer.TICKER),
  trades: market('trades', { ...SYMBOL, limit: LIMIT }, list(answer.PUBLIC_TRADE)),
  candles: market(
    'candles',
    {
      ...SYMBOL,
      startTime: doneWithout('clients send start, or ask for the last candles'),
      endTime: doneWithout('clients send end, or ask for the last candles'),
      granularity: doneWithout('its default is 60'),
      start: 'optional',
      end: 'optional',
    },
    list(answer.CANDLE),
  ),
  index: market('index', SYMBOL, answer.INDEX),
  open_interest: market('open_interest', SYMBOL, answer.OPEN_INTEREST),
  price_limit: market('price_limit', SYMBOL, answer.PRICE_LIMIT),
  funding_time: market('funding_time', SYMBOL, answer.NEXT_SETTLEMENT),
  historyFundRate: market(
    'historyFundRate',
    { ...SYMBOL, pageIndex: FIRST_PAGE, pageSize: PAGE_SIZE },
    list(answer.FUNDING_RATE),
  ),
  mark_price: market('mark_price', SYMBOL, answer.MARK_PRICE),
  open_count: market(
    'open_count',
    { ...SYMBOL, amount: 'needed', openPrice: 'needed', leverage: 'optional' },
    answer.OPENABLE_COUNT,
  ),
};

const PLAN_FILTER: Parameters = {
  ...SYMBOL,
  side: doneWithout('deprecated, and every direction is meant'),
  delegateType: doneWithout('every direction is meant'),
  pageIndex: FIRST_PAGE,
  pageSize: PAGE_SIZE,
  startTime: 'optional',
  endTime: 'optional',
};

/** What the contract has no word for. */
const PRESET_TYPES = {
  presetTakeProfitTriggerType: 'an extension: the price that it looks at',
  presetStopLossTriggerType: 'an extension: the price that it looks at',
};

const TRADING = {
  placeOrder: {
    ...trading(
      'POST',
      'placeOrder',
      {
        ...SYMBOL,
        client_oid: CLIENT_OID,
        size: 'needed',
        type: 'needed',
        order_type: doneWithout('unfilled means normal'),
        match_price: doneWithout('unfilled means a limit price'),
        price: 'needed',
        presetTakeProfitPrice: 'optional',
        presetStopLossPrice: 'optional',
      },
      answer.PLACED,
    ),
    aliases: PRESET_TYPES,
  },
  batchOrders: {
    ...trading('POST', 'batchOrders', { ...SYMBOL, orderDataList: 'needed' }, answer.BATCH_PLACED),
    aliases: { order_data: 'half of the clients send the list as JSON text under this name' },
  },
  cancel_order: trading('POST', 'cancel_order', ORDER, answer.CANCELLED),
  cancel_batch_orders: trading(
    'POST',
    'cancel_batch_orders',
    { ...SYMBOL, ids: 'needed' },
    answer.BATCH_CANCELLED,
  ),
  detail: trading('GET', 'detail', ORDER, answer.ORDER_DETAIL),
  history: trading(
    'GET',
    'history',
    { ...SYMBOL, pageIndex: FIRST_PAGE, pageSize: PAGE_SIZE, createDate: 'needed' },
    list(answer.ORDER),
  ),
  current: trading('GET', 'current', SYMBOL, list(answer.ORDER)),
  fills: {
    ...trading('GET', 'fills', ORDER, list(answer.FILL)),
    aliases: { before: 'an extension: what lies beyond the largest answer' },
  },
  plan_order: {
    ...trading(
      'POST',
      'plan_order',
      {
        ...SYMBOL,
        client_oid: CLIENT_OID,
        size: 'needed',
        type: 'needed',
        side: doneWithout('deprecated, holdSide says it'),
        holdSide: doneWithout('older clients send side alone'),
        match_type: doneWithout('it is a limit order then'),
        execute_price: 'needed',
        trigger_price: 'needed',
      },
      answer.PLACED,
    ),
    aliases: {
      ...PRESET_TYPES,
      trigger_type: 'an extension: the mark price or the index instead of the last price',
      presetTakeProfitPrice: 'an extension: presets of what it opens',
      presetStopLossPrice: 'an extension: presets of what it opens',
    },
  },
  cancel_plan: trading('POST', 'cancel_plan', ORDER, answer.PLAN_CANCELLED),
  currentPlan: trading('GET', 'currentPlan', PLAN_FILTER, list(answer.PLAN)),
  historyPlan: trading('GET', 'historyPlan', PLAN_FILTER, list(answer.PLAN)),
};

const FIVE_A_SECOND = { limit: 5, seconds: 1 };

const ACCOUNT = {
  accounts: account('GET', 'account/accounts', { limit: 1, seconds: 1 }, {}, list(answer.ACCOUNT)),
  account: account('GET', 'account/account', FIVE_A_SECOND, SYMBOL, answer.ACCOUNT),
  settings: account('GET', 'account/settings', FIVE_A_SECOND, SYMBOL, answer.SETTINGS),
  leverage: account(
    'POST',
    'account/leverage',
    FIVE_A_SECOND,
    {
      ...SYMBOL,
      leverage: 'needed',
      side: doneWithout('deprecated, holdSide says it'),
      holdSide: doneWithout('not passed in crossed mode; clients send side alone, or neither'),
    },
    answer.SETTINGS,
  ),
  adjustMargin: account(
    'POST',
    'account/adjustMargin',
    { limit: 20, seconds: 2 },
    { ...SYMBOL, amount: 'needed', positionType: 'needed', type: 'needed' },
    answer.MARGIN_ADJUSTED,
  ),
  modifyAutoAppendMargin: {
    ...account(
      'POST',
      'account/modifyAutoAppendMargin',
      FIVE_A_SECOND,
      { ...SYMBOL, holdSide: 'needed', append_type: 'needed' },
      answer.AUTO_MARGIN,
    ),
    aliases: { side: 'older clients send it in place of holdSide' },
  },
  allPosition: account('GET', 'position/allPosition', FIVE_A_SECOND, {}, list(answer.POSITION)),
  singlePosition: account(
    'GET',
    'position/singlePosition',
    { limit: 10, seconds: 1 },
    SYMBOL,
    answer.POSITION,
  ),
  changeHoldModel: account(
    'POST',
    'position/changeHoldModel',
    { limit: 20, seconds: 1 },
    { ...SYMBOL, holdModel: 'needed' },
    answer.HOLD_MODEL,
  ),
};

export const DOCUMENTED = { ...MARKET, ...TRADING, ...ACCOUNT } as const satisfies Readonly<
  Record<string, Documented>
>;

export type DocumentedName = keyof typeof DOCUMENTED;

/** Every row, by the last part of its path. */
export const ROWS = Object.entries(DOCUMENTED) as readonly [DocumentedName, Documented][];
