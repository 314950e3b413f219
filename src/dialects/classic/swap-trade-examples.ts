/** One example of everything the contract order endpoints answer with, for documents and tests. */

export const SYMBOL = 'cmt_btcusdt';
export const ORDER_ID = '700000000000000028';

const TIME_TEXT = '1795235652453';

export const NEW_ORDER = {
  client_oid: 'drv#1',
  size: '1',
  type: '1',
  order_type: '0',
  match_price: '0',
  price: '29550',
};

export const PLACED = { client_oid: 'drv#1', order_id: ORDER_ID };

export const PLACED_ITEM = { result: true, ...PLACED, error_code: null, error_message: null };

export const CANCELLED = {
  symbol: SYMBOL,
  order_id: ORDER_ID,
  client_oid: 'drv#1',
  result: true,
  err_code: null,
  err_msg: null,
};

export const CANCEL_BATCH = {
  symbol: SYMBOL,
  result: true,
  order_ids: [ORDER_ID],
  fail_infos: [
    {
      order_id: '700000000000000099',
      err_code: '40109',
      err_msg: 'Order does not exist',
    },
  ],
};

export const ORDER = {
  symbol: SYMBOL,
  size: '1',
  client_oid: 'drv#1',
  createTime: TIME_TEXT,
  filled_qty: '0',
  fee: '0',
  order_id: ORDER_ID,
  price: '29550.0',
  price_avg: '0',
  status: '0',
  type: '1',
  order_type: '0',
  totalProfits: '0',
  cancel_reason: '',
};

export const FILLED_ORDER = {
  ...ORDER,
  filled_qty: '1',
  fee: '-0.01773',
  price_avg: '29550.00',
  status: '2',
};

export const FILL = {
  symbol: SYMBOL,
  trade_id: '700000000000000031',
  order_id: ORDER_ID,
  price: '29550.0',
  order_qty: '1',
  fee: '-0.01773000',
  timestamp: TIME_TEXT,
  exec_type: 'T',
  side: '1',
  delegateType: '1',
};

export const NEW_PLAN = {
  client_oid: 'plan#1',
  size: '1',
  type: '1',
  holdSide: '1',
  match_type: '0',
  execute_price: '36000',
  trigger_price: '36000',
};

export const PLACED_PLAN = { client_oid: 'plan#1', order_id: ORDER_ID };

export const PLAN_CANCELLED = {
  order_id: ORDER_ID,
  client_oid: 'plan#1',
  result: true,
  err_code: null,
  err_msg: null,
};

export const PLAN = {
  symbol: SYMBOL,
  nextPage: false,
  execute_count: '0',
  delegate_count: '1',
  create_time: TIME_TEXT,
  update_time: TIME_TEXT,
  direction: '1',
  direction_desc: 'open long',
  trigger_price: '36000.0',
  execute_price: '36000.0',
  order_id: ORDER_ID,
  execute_order_id: '',
  client_oid: 'plan#1',
  order_type: '0',
  status: '1',
  status_desc: 'not executed',
  create_trade_price: '30000.0',
};

export const PLACED_BY_PLAN = {
  ...PLAN,
  execute_count: '1',
  execute_order_id: '700000000000000035',
  status: '2',
  status_desc: 'entrusted',
};
