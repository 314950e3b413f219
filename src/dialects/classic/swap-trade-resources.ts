/** Schemas of what the contract endpoints for orders and plan orders answer with. */

import Type, { type TSchema } from 'typebox';
import { CONTRACT_CANCEL_REASONS } from '#domain';
import { decimal, id, oneOf, text, timeMs } from '../schema.ts';

const closed = { additionalProperties: false };

const ORDER_TYPE_NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
const DELEGATE_NUMBERS = ['1', '2', '3', '4', '5', '6', '11', '12', '13', '14'];

function orNull(schema: TSchema, description: string): TSchema {
  return Type.Union([schema, Type.Null()], { description });
}

const orderFields = {
  symbol: text('Contract'),
  size: decimal('Quantity in contracts'),
  client_oid: text('Id chosen by the client, or made up by the venue'),
  createTime: timeMs('When the order was placed'),
  filled_qty: decimal('Filled quantity in contracts'),
  fee: decimal('Fees of its fills in the margin coin; below zero when charged'),
  order_id: id('Order id'),
  price: orNull(decimal('Limit price'), 'Limit price; null for a market order'),
  price_avg: decimal(
    'Average price of what has filled, by its value: harmonic when inverse; 0 for nothing',
  ),
  status: oneOf(['-1', '0', '1', '2'], '-1 cancelled, 0 waiting, 1 partly filled, 2 filled'),
  type: oneOf(
    ORDER_TYPE_NUMBERS,
    '1 open long, 2 open short, 3 close long, 4 close short; by the venue: 5 and 6 reduced, ' +
      '7 and 8 deleveraged or netted, 9 and 10 liquidated, each a long and a short',
  ),
  order_type: oneOf(
    ['0', '1', '2', '3'],
    '0 normal, 1 post only, 2 fill or kill, 3 immediate or cancel',
  ),
  totalProfits: decimal('Profit and loss its fills realised, fees not included'),
  cancel_reason: oneOf(['', ...CONTRACT_CANCEL_REASONS], 'Why it was cancelled; empty otherwise'),
};

export const ContractOrderSchema = Type.Object(orderFields, closed);

export const ContractOrderDetailSchema = Type.Object(
  { ...orderFields, timestamp: timeMs('Server time; obsolete') },
  closed,
);

const DELEGATE_MEANING =
  '1 open long, 2 open short, 3 close long, 4 close short; by the venue: 5 and 6 reduced, ' +
  '11 and 12 deleveraged or netted, 13 and 14 liquidated, each a long and a short';

export const ContractFillSchema = Type.Object(
  {
    symbol: text('Contract'),
    trade_id: id('Trade id'),
    order_id: id('Order id'),
    price: decimal('Price'),
    order_qty: decimal('Quantity of this fill in contracts'),
    fee: decimal('Fee in the margin coin; below zero when charged'),
    timestamp: timeMs('When it traded'),
    exec_type: oneOf(['T', 'M'], 'T took, M rested'),
    side: oneOf(DELEGATE_NUMBERS, 'Same as delegateType'),
    delegateType: oneOf(DELEGATE_NUMBERS, DELEGATE_MEANING),
  },
  closed,
);

export const PlacedSchema = Type.Object(
  {
    client_oid: text('Id chosen by the client, or made up by the venue'),
    order_id: id('Order id'),
  },
  closed,
);

export const OrderBatchSchema = Type.Object(
  {
    result: Type.Literal(true, { description: 'The batch was worked through' }),
    order_info: Type.Array(
      Type.Object(
        {
          result: Type.Boolean({ description: 'Whether this order was placed' }),
          client_oid: text('As the client sent it, or made up by the venue'),
          order_id: Type.Union([id('Order id'), Type.Literal('')], {
            description: 'Order id; empty when refused',
          }),
          error_code: orNull(decimal('Code'), 'Code as for a single order; null when placed'),
          error_message: orNull(Type.String(), 'Why it was refused; null when placed'),
        },
        closed,
      ),
      { description: 'One per order, in request order' },
    ),
  },
  closed,
);

const errCode = orNull(decimal('Code'), 'Why it was not cancelled: a code; null when it was');
const errMsg = orNull(Type.String(), 'Why it was not cancelled; null when it was');

const cancelFields = {
  order_id: text('Order id as the client sent it'),
  client_oid: orNull(Type.String(), 'Its id chosen by the client; null when not cancelled'),
  result: Type.Boolean({ description: 'Whether it was cancelled' }),
  err_code: errCode,
  err_msg: errMsg,
};

export const CancelSchema = Type.Object({ symbol: text('Contract'), ...cancelFields }, closed);

export const PlanCancelSchema = Type.Object(cancelFields, closed);

export const CancelBatchSchema = Type.Object(
  {
    symbol: text('Contract'),
    result: Type.Literal(true, { description: 'The batch was worked through' }),
    order_ids: Type.Array(id('A cancelled order')),
    fail_infos: Type.Array(
      Type.Object(
        { order_id: text('Order id as the client sent it'), err_code: errCode, err_msg: errMsg },
        closed,
      ),
      { description: 'The others, and why' },
    ),
  },
  closed,
);

export const PlanSchema = Type.Object(
  {
    symbol: text('Contract'),
    nextPage: Type.Boolean({ description: 'Whether another page comes after this one' }),
    execute_count: decimal('Contracts that the order it placed has filled'),
    delegate_count: decimal('Quantity in contracts'),
    create_time: timeMs('When it was placed'),
    update_time: timeMs('When it last changed'),
    direction: oneOf(
      ['1', '2', '3', '4'],
      '1 open long, 2 open short, 3 close long, 4 close short',
    ),
    direction_desc: text('The direction in words; take-profit and stop-loss are named'),
    trigger_price: decimal('Price that triggers it'),
    execute_price: decimal('Limit price of the order it places; 0 for a market order'),
    order_id: id('Plan order id'),
    execute_order_id: text('Id of the order it placed; empty when it placed none'),
    client_oid: text('Id chosen by the client, or made up by the venue'),
    order_type: oneOf(['0', '1'], '0 limit, 1 market'),
    status: oneOf(['1', '2', '3', '4'], '1 not executed, 2 entrusted, 3 failed, 4 cancelled'),
    status_desc: text('The status in words, with the reason'),
    create_trade_price: decimal('Last traded price when it was placed'),
  },
  closed,
);
