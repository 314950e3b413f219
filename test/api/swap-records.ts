/**
 * What contract answers are made of, field by field as the documentation of the interface names
 * them. Where it leaves the type or the format of a field open, what real clients can read decides.
 * Fields beyond the documentation are given apart, each with its reason.
 */
import { FLAG, list, number, orNull, record, row, type Shape, text, word } from './shape.ts';

/** Plain decimals of both contracts of the test: prices have one decimal place, sizes none. */
const PRICE = number(/^[0-9]+\.[0-9]$/);
const COUNT = number(/^(0|[1-9][0-9]*)$/);
const WHOLE_TEXT = text(/^(0|[1-9][0-9]*)$/);
/** Without trailing zeros, never below zero. */
const PLAIN = number(/^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
/** The same with a sign, but no minus before a zero. */
const SIGNED = number(/^(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
/** Zero, or below it: a fee that was charged. */
const CHARGED = number(/^(0|-(0|[1-9][0-9]*)(\.[0-9]*[1-9])?)$/);
const AVERAGE = number(/^[0-9]+\.[0-9]{2,}$/);
const MILLISECONDS = text(/^1[0-9]{12}$/);
const ID = text(/^[0-9]{16}$/);
/** Made up by the venue when the client sent none. */
const CLIENT_ID = text(/^[!-~]{1,40}$/);
const COIN = text(/^[A-Z]{3,4}$/);
const CONTRACT = word('cmt_btcusdt', 'cmt_btcusd');
const MARGIN_MODE = word('crossed', 'fixed');
const CODE = text(/^[0-9]{5}$/);
const WORDS = text(/^[ -~]{5,}$/);

export const SERVER_TIME = record('server time', {
  epoch: text(/^1[0-9]{9}\.[0-9]{1,3}$/),
  iso: text(/^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{3})?Z$/),
  timestamp: { is: 'whole' },
});

export const CONTRACT_INFORMATION = record(
  'contract',
  {
    symbol: CONTRACT,
    coin: COIN,
    contract_val: PLAIN,
    delivery: list(text(/^[0-2][0-9]:[0-5][0-9]:00$/)),
    forwardContractFlag: FLAG,
    priceEndStep: COUNT,
    quote_currency: COIN,
    size_increment: WHOLE_TEXT,
    tick_size: COUNT,
    underlying_index: COIN,
    minLeverage: COUNT,
    maxLeverage: COUNT,
  },
  // Answers of the exchange that clients were written for have it, always null.
  { listing: word(null) },
);

/** The third column once counted orders; clients expect that a number is there. */
const LEVEL = row(PRICE, COUNT, word(1));

export const ORDER_BOOK = record('order book', {
  asks: list(LEVEL),
  bids: list(LEVEL),
  timestamp: MILLISECONDS,
});

export const TICKER = record('ticker', {
  symbol: CONTRACT,
  best_ask: PRICE,
  best_bid: PRICE,
  high_24h: PRICE,
  last: PRICE,
  low_24h: PRICE,
  timestamp: MILLISECONDS,
  volume_24h: COUNT,
  priceChangePercent: SIGNED,
  base_volume: PLAIN,
});

export const PUBLIC_TRADE = record('public trade', {
  symbol: CONTRACT,
  price: PRICE,
  side: word('sell', 'buy'),
  size: COUNT,
  timestamp: MILLISECONDS,
  trade_id: ID,
});

/** timestamp, open, high, low, close, volume, currency_volume: clients index a list. */
export const CANDLE = row(MILLISECONDS, PRICE, PRICE, PRICE, PRICE, COUNT, PLAIN);

export const INDEX = record('index', { symbol: CONTRACT, index: PRICE, timestamp: MILLISECONDS });

export const OPEN_INTEREST = record('open interest', {
  symbol: CONTRACT,
  amount: COUNT,
  forwardContractFlag: FLAG,
  timestamp: MILLISECONDS,
  base_volume: PLAIN,
  target_volume: PLAIN,
});

export const PRICE_LIMIT = record('price limit', {
  symbol: CONTRACT,
  forwardContractFlag: FLAG,
  highest: PRICE,
  lowest: PRICE,
  timestamp: MILLISECONDS,
});

export const NEXT_SETTLEMENT = record('next settlement', {
  symbol: CONTRACT,
  forwardContractFlag: FLAG,
  funding_time: MILLISECONDS,
});

export const FUNDING_RATE = record('funding rate', {
  symbol: CONTRACT,
  funding_rate: SIGNED,
  funding_time: MILLISECONDS,
});

export const MARK_PRICE = record('mark price', {
  symbol: CONTRACT,
  mark_price: PRICE,
  timestamp: MILLISECONDS,
});

export const OPENABLE_COUNT = record('openable count', { openCount: COUNT });

const ORDER_FIELDS = {
  symbol: CONTRACT,
  size: COUNT,
  client_oid: CLIENT_ID,
  createTime: MILLISECONDS,
  filled_qty: COUNT,
  fee: CHARGED,
  order_id: ID,
  // A market order has none.
  price: orNull(PRICE),
  price_avg: number(/^(0|[0-9]+\.[0-9]{2,})$/),
  status: word('-1', '0', '1', '2'),
  type: word('1', '2', '3', '4', '5', '6', '7', '8', '9', '10'),
  order_type: word('0', '1', '2', '3'),
  totalProfits: SIGNED,
};

/** Why the venue cancelled an order is asked for by every owner. */
const CANCEL_REASON = { cancel_reason: text(/^[a-z_]*$/) };

export const ORDER = record('order', ORDER_FIELDS, CANCEL_REASON);

/** The documentation has the system time in the detail of one order only. */
export const ORDER_DETAIL = record(
  'order',
  { ...ORDER_FIELDS, timestamp: MILLISECONDS },
  CANCEL_REASON,
);

const DELEGATE = word('1', '2', '3', '4', '5', '6', '11', '12', '13', '14');

export const FILL = record('fill', {
  symbol: CONTRACT,
  trade_id: ID,
  order_id: ID,
  price: PRICE,
  order_qty: COUNT,
  fee: number(/^(-[0-9]+\.[0-9]{8,}|0\.0{8,})$/),
  timestamp: MILLISECONDS,
  exec_type: word('T', 'M'),
  side: DELEGATE,
  delegateType: DELEGATE,
});

export const PLAN = record(
  'plan order',
  {
    symbol: CONTRACT,
    nextPage: FLAG,
    execute_count: COUNT,
    delegate_count: COUNT,
    create_time: MILLISECONDS,
    update_time: MILLISECONDS,
    direction: word('1', '2', '3', '4'),
    direction_desc: WORDS,
    trigger_price: PRICE,
    execute_price: number(/^(0|[0-9]+\.[0-9])$/),
    order_id: ID,
    order_type: word('0', '1'),
    status: word('1', '2', '3', '4'),
    status_desc: WORDS,
    create_trade_price: PRICE,
  },
  // Otherwise a client could not tell which of its plans this is, nor find the order it became.
  {
    client_oid: CLIENT_ID,
    execute_order_id: text(/^([0-9]{16})?$/),
    trigger_type: text(/^(last|mark|index)$/),
  },
);

export const ACCOUNT = record('account', {
  symbol: CONTRACT,
  equity: PLAIN,
  fixed_balance: word('0'),
  total_avail_balance: PLAIN,
  margin: PLAIN,
  realized_pnl: SIGNED,
  unrealized_pnl: SIGNED,
  // Each mode has its own ratios, the others are null.
  longMarginRatio: orNull(PLAIN),
  shortMarginRatio: orNull(PLAIN),
  marginRatio: orNull(PLAIN),
  margin_frozen: PLAIN,
  timestamp: MILLISECONDS,
  margin_mode: MARGIN_MODE,
  forwardContractFlag: FLAG,
});

export const SETTINGS = record('settings', {
  symbol: CONTRACT,
  long_leverage: COUNT,
  short_leverage: COUNT,
  margin_mode: MARGIN_MODE,
  forwardContractFlag: FLAG,
});

const HOLDING_PNL = number(/^(?!-0\.0*$)-?[0-9]+\.[0-9]{8,}$/);

function holding(side: 'long' | 'short'): Shape {
  const documented = {
    symbol: CONTRACT,
    liquidation_price: PRICE,
    position: COUNT,
    avail_position: COUNT,
    avg_cost: AVERAGE,
    leverage: COUNT,
    realized_pnl: HOLDING_PNL,
    keepMarginRate: PLAIN,
    side: word(side),
    holdSide: word(side === 'long' ? '1' : '2'),
    timestamp: MILLISECONDS,
    margin: number(/^[0-9]+\.[0-9]{12,}$/),
    unrealized_pnl: HOLDING_PNL,
  };
  // The documentation has the setting and no way to read it.
  return record('holding', documented, { append_type: text(/^[01]$/) });
}

/** Clients count on two rows, held or not, the long one first. */
export const POSITION = record('position', {
  margin_mode: MARGIN_MODE,
  holding: row(holding('long'), holding('short')),
});

export const PLACED = record('placed', { client_oid: CLIENT_ID, order_id: ID });

export const BATCH_PLACED = record('batch', {
  result: word(true),
  order_info: list(
    record(
      'batch item',
      {
        result: FLAG,
        // A refused item repeats what the client sent, perhaps nothing, and has no order.
        client_oid: text(/^[ -~]{0,60}$/),
        order_id: text(/^([0-9]{16})?$/),
      },
      // Clients read there why an item was refused.
      { error_code: orNull(CODE), error_message: orNull(WORDS) },
    ),
  ),
});

/** Clients read err_msg when result is false; on success both are null. */
const WHY_NOT = { err_code: orNull(CODE), err_msg: orNull(WORDS) };

export const CANCELLED = record(
  'cancelled',
  { symbol: CONTRACT, order_id: ID, client_oid: orNull(CLIENT_ID), result: FLAG },
  WHY_NOT,
);

export const BATCH_CANCELLED = record('batch cancelled', {
  symbol: CONTRACT,
  result: word(true),
  order_ids: list(ID),
  fail_infos: list(
    record('cancel failure', { order_id: text(/^[ -~]+$/), err_code: CODE, err_msg: WORDS }),
  ),
});

export const PLAN_CANCELLED = record('plan cancelled', {
  order_id: ID,
  client_oid: orNull(CLIENT_ID),
  result: FLAG,
  ...WHY_NOT,
});

export const MARGIN_ADJUSTED = record('margin adjusted', { result: word(true), orderNo: ID });

export const AUTO_MARGIN = record('auto margin', { result: word(true), append_type: word(0, 1) });

export const HOLD_MODEL = record('hold model', {
  symbol: CONTRACT,
  resultHoldMode: word(1, 2),
  switchSuccess: word(true),
});
