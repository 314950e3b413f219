/** Expectations about what a trader has: balances, positions, orders and trigger orders. */
import Type from 'typebox';
import { type Subject, subject, type Values } from '../action.ts';
import { coin, contract, expected, name, side, strict, symbol, wallet } from '../fields.ts';
import { rowsAt, rowWith, textAt } from '../reading.ts';
import { isContract, type SavedOrder, type Stage } from '../stage.ts';

const SWAP = '/api/swap/v3';
const TRIGGER_ROWS_MAX = 100;
const figure = Type.Optional(expected);

const SPOT_STATUSES: Readonly<Record<string, string>> = {
  new: 'open',
  partial_fill: 'part_filled',
  full_fill: 'filled',
  cancelled: 'cancelled',
};
const CONTRACT_STATUSES: Readonly<Record<string, string>> = {
  '0': 'open',
  '1': 'part_filled',
  '2': 'filled',
  '-1': 'cancelled',
};
const TRIGGER_STATUSES: Readonly<Record<string, string>> = {
  '1': 'waiting',
  '2': 'fired',
  '3': 'failed',
  '4': 'cancelled',
};

async function balanceValues(stage: Stage, as: string, place: string, code: string) {
  const { account } = stage.trader(as);
  const data = await stage.venue.operate('GET', `/admin/v1/accounts/${account}`);
  const row = rowOfWallet(data, place, code);
  const figureOf = (field: string) => (row === undefined ? '0' : textAt(row, field));
  const held = { balance: figureOf('balance'), frozen: figureOf('frozen') };
  if (!isContract(place)) return { ...held, available: figureOf('available') };
  const path = `${SWAP}/account/account?symbol=${stage.nameOf(place)}`;
  const margin = await stage.look(as, path);
  return {
    ...held,
    available: textAt(margin, 'total_avail_balance'),
    equity: textAt(margin, 'equity'),
  };
}

/** What a contract stands on may be the wallet of its coin. */
function rowOfWallet(data: unknown, place: string, code: string): unknown {
  const balances = rowsAt(data, 'balances');
  const own = rowWith(balances, { wallet: place, coin: code });
  if (own !== undefined || !isContract(place)) return own;
  return rowWith(balances, { wallet: 'margin', coin: code });
}

async function positionValues(stage: Stage, as: string, market: string, held: string) {
  const data = await stage.look(
    as,
    `${SWAP}/position/singlePosition?symbol=${stage.nameOf(market)}`,
  );
  const row = rowWith(rowsAt(data, 'holding'), { side: held });
  return {
    size: textAt(row, 'position'),
    free: textAt(row, 'avail_position'),
    entry: textAt(row, 'avg_cost'),
    margin: textAt(row, 'margin'),
    liquidation: textAt(row, 'liquidation_price'),
    leverage: textAt(row, 'leverage'),
    realised: textAt(row, 'realized_pnl'),
    unrealised: textAt(row, 'unrealized_pnl'),
  };
}

/** An order that never came to be reads as that. */
const NEVER: Values = { status: 'never placed' };

async function orderValues(stage: Stage, named: string): Promise<Values> {
  const saved = stage.order(named);
  if (saved === undefined) return NEVER;
  if (saved.kind === 'spot') return spotOrderValues(stage, saved);
  return saved.kind === 'trigger' ? triggerValues(stage, saved) : contractOrderValues(stage, saved);
}

async function spotOrderValues(stage: Stage, { by, market, orderId }: SavedOrder): Promise<Values> {
  const body = { symbol: stage.nameOf(market), orderId };
  const [row] = rowsAt(await stage.look(by, '/api/spot/v1/trade/orderInfo', body));
  return {
    status: SPOT_STATUSES[textAt(row, 'status')] ?? 'unknown',
    size: textAt(row, 'quantity'),
    price: textAt(row, 'price'),
    filled: textAt(row, 'fillQuantity'),
    average: textAt(row, 'fillPrice'),
  };
}

async function contractOrderValues(
  stage: Stage,
  { by, market, orderId }: SavedOrder,
): Promise<Values> {
  const path = `${SWAP}/order/detail?symbol=${stage.nameOf(market)}&orderId=${orderId}`;
  const row = await stage.look(by, path);
  return {
    status: CONTRACT_STATUSES[textAt(row, 'status')] ?? 'unknown',
    size: textAt(row, 'size'),
    price: textAt(row, 'price'),
    filled: textAt(row, 'filled_qty'),
    average: textAt(row, 'price_avg'),
    fee: textAt(row, 'fee'),
  };
}

async function triggerRows(stage: Stage, as: string, market: string): Promise<readonly unknown[]> {
  const query = `?symbol=${stage.nameOf(market)}&pageSize=${TRIGGER_ROWS_MAX}`;
  const waiting = await stage.look(as, `${SWAP}/order/currentPlan${query}`);
  const past = await stage.look(as, `${SWAP}/order/historyPlan${query}`);
  return [...rowsAt(waiting), ...rowsAt(past)];
}

async function triggerValues(stage: Stage, { by, market, orderId }: SavedOrder): Promise<Values> {
  const row = rowWith(await triggerRows(stage, by, market), { order_id: orderId });
  return {
    status: TRIGGER_STATUSES[textAt(row, 'status')] ?? 'unknown',
    size: textAt(row, 'delegate_count'),
    price: textAt(row, 'trigger_price'),
    filled: textAt(row, 'execute_count'),
  };
}

async function ordersValues(stage: Stage, as: string, market: string): Promise<Values> {
  if (!isContract(market)) {
    const body = { symbol: stage.nameOf(market) };
    const open = rowsAt(await stage.look(as, '/api/spot/v1/trade/open-orders', body));
    return { open: String(open.length) };
  }
  const open = rowsAt(await stage.look(as, `${SWAP}/order/current?symbol=${stage.nameOf(market)}`));
  const triggers = await triggerRows(stage, as, market);
  const counts = Object.entries(TRIGGER_STATUSES).map(([number, word]) => [
    word,
    String(triggers.filter((row) => textAt(row, 'status') === number).length),
  ]);
  return { open: String(open.length), ...Object.fromEntries(counts) };
}

export const HOLDING_SUBJECTS: readonly Subject[] = [
  subject('balance', ['as', 'coin', 'wallet'], {
    summary: 'money of a trader in one wallet; equity is there for contracts',
    example: 'balance: { as: alice, coin: USDT, wallet: BTC-USDT-PERP, balance: 99.82 }',
    schema: Type.Object(
      {
        as: name,
        coin,
        wallet: Type.Optional(wallet),
        balance: figure,
        available: figure,
        frozen: figure,
        equity: figure,
      },
      strict,
    ),
    read: ({ as, wallet: place = 'spot', coin: code }, stage) =>
      balanceValues(stage, as, place, code),
  }),
  subject('position', ['as', 'market', 'side'], {
    summary: 'a position and what it would be liquidated at',
    example: 'position: { as: alice, market: BTC-USDT-PERP, side: long, size: 10, entry: 30000 }',
    schema: Type.Object(
      {
        as: name,
        market: contract,
        side,
        size: figure,
        free: figure,
        entry: figure,
        margin: figure,
        liquidation: figure,
        leverage: figure,
        realised: figure,
        unrealised: figure,
      },
      strict,
    ),
    read: ({ as, market, side: held }, stage) => positionValues(stage, as, market, held),
  }),
  subject('order', ['is'], {
    summary:
      'a saved order (open, part_filled, filled, cancelled, unknown) or trigger order (waiting, ' +
      'fired, failed, cancelled, unknown)',
    example: 'order: { is: first, status: part_filled, filled: 40, average: 27100 }',
    schema: Type.Object(
      {
        is: name,
        status: figure,
        size: figure,
        price: figure,
        filled: figure,
        average: figure,
        fee: figure,
      },
      strict,
    ),
    read: ({ is }, stage) => orderValues(stage, is),
  }),
  subject('orders', ['as', 'market'], {
    summary:
      'how many orders are open; of a contract also trigger orders, take-profits and stop-losses',
    example: 'orders: { as: alice, market: BTC-USDT-PERP, open: 0, waiting: 2, fired: 1 }',
    schema: Type.Object(
      {
        as: name,
        market: symbol,
        open: figure,
        waiting: figure,
        fired: figure,
        failed: figure,
        cancelled: figure,
      },
      strict,
    ),
    read: ({ as, market }, stage) => ordersValues(stage, as, market),
  }),
];
