/** Expectations about what a trader has: balances, positions, orders and trigger orders. */
import Type from 'typebox';
import { type Subject, subject, type Values } from '../action.ts';
import { coin, contract, expected, name, side, strict, symbol, wallet } from '../fields.ts';
import { isContract, type SavedOrder, type Stage } from '../stage.ts';

const TRIGGER_ROWS_MAX = 100;
const figure = Type.Optional(expected);

async function balanceValues(stage: Stage, as: string, place: string, code: string) {
  const { account } = stage.trader(as);
  const { balances } = await stage.venue.admin.account({ account });
  const rowOf = (one: string) => balances.find((row) => row.wallet === one && row.coin === code);
  // What a contract stands on may be the wallet of its coin.
  const row = rowOf(place) ?? (isContract(place) ? rowOf('margin') : undefined);
  const { balance = '0', frozen = '0', available = '0' } = row ?? {};
  if (!isContract(place)) return { balance, frozen, available };
  const [margin] = (await stage.look(as, (native) => native.margin({ symbol: place }))) ?? [];
  return { balance, frozen, available: margin?.available ?? '', equity: margin?.equity ?? '' };
}

/** A side that is not held. */
const FLAT: Values = {
  size: '0',
  free: '0',
  entry: '0',
  margin: '0',
  liquidation: '0',
  realised: '0',
  unrealised: '0',
};

async function positionValues(
  stage: Stage,
  as: string,
  market: string,
  held: string,
): Promise<Values> {
  const rows = await stage.look(as, (native) => native.positions());
  const row = rows?.find((one) => one.symbol === market && one.side === held);
  if (row === undefined) return rows === undefined ? {} : FLAT;
  return {
    size: row.size,
    free: row.closable,
    entry: row.entry,
    margin: row.margin,
    liquidation: row.liquidation,
    leverage: String(row.leverage),
    realised: row.realizedPnl,
    unrealised: row.unrealizedPnl,
  };
}

/** An order that never came to be reads as that, one that is gone as unknown. */
const NEVER: Values = { status: 'never placed' };
const UNKNOWN: Values = { status: 'unknown' };

async function orderValues(stage: Stage, named: string): Promise<Values> {
  const saved = stage.order(named);
  if (saved === undefined) return NEVER;
  return saved.kind === 'order' ? placedValues(stage, saved) : triggerValues(stage, saved);
}

async function placedValues(stage: Stage, { by, id }: SavedOrder): Promise<Values> {
  const row = await stage.look(by, (native) => native.order({ id }));
  if (row === undefined) return UNKNOWN;
  const { status, size, price, filled, average, fee } = row;
  return { status, size: size ?? '', price: price ?? '', filled, average, fee: fee ?? '' };
}

async function triggerValues(stage: Stage, { by, id }: SavedOrder): Promise<Values> {
  const row = await stage.look(by, (native) => native.trigger({ id }));
  if (row === undefined) return UNKNOWN;
  const { status, size, trigger, filled } = row;
  return { status, size: size ?? '', price: trigger, filled };
}

async function ordersValues(stage: Stage, as: string, market: string): Promise<Values> {
  const asked = { symbol: market };
  const open = (await stage.look(as, (native) => native.openOrders(asked))) ?? [];
  const opened = { open: String(open.length) };
  if (!isContract(market)) return opened;
  const waiting = (await stage.look(as, (native) => native.waitingTriggers(asked))) ?? [];
  const past = await stage.look(as, (native) =>
    native.closedTriggers({ ...asked, limit: TRIGGER_ROWS_MAX }),
  );
  const countOf = (status: string) =>
    String(past?.rows.filter((row) => row.status === status).length ?? 0);
  return {
    ...opened,
    waiting: String(waiting.length),
    triggered: countOf('triggered'),
    failed: countOf('failed'),
    cancelled: countOf('cancelled'),
  };
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
      'a saved order (new, partial_fill, full_fill, cancelled, unknown) or trigger order ' +
      '(waiting, triggered, failed, cancelled, unknown)',
    example: 'order: { is: first, status: partial_fill, filled: 40, average: 27100 }',
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
    example: 'orders: { as: alice, market: BTC-USDT-PERP, open: 0, waiting: 2, triggered: 1 }',
    schema: Type.Object(
      {
        as: name,
        market: symbol,
        open: figure,
        waiting: figure,
        triggered: figure,
        failed: figure,
        cancelled: figure,
      },
      strict,
    ),
    read: ({ as, market }, stage) => ordersValues(stage, as, market),
  }),
];
