/** Which events become which notice. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderCause, OrderStatus } from '#domain';
import { present } from '#kernel';
import type { FillLine } from '../../ui/src/model/fills.ts';
import { nettedFills } from '../../ui/src/model/netted.ts';
import {
  orderNotice,
  planNotice,
  type RiskLevel,
  refusalNotice,
  riskLevel,
  riskNotice,
  riskOf,
  withNetting,
  withoutOutdone,
} from '../../ui/src/model/notices.ts';
import type { OrderLine } from '../../ui/src/model/orders.ts';
import type { PlanLine } from '../../ui/src/model/plans.ts';
import type { ContractAccountRow, HoldingRow } from '../../ui/src/model/positions.ts';

function order(filled: string, status: OrderStatus, cause: OrderCause = 'owner'): OrderLine {
  return {
    ...{ id: '1000000000000001', clientId: '', market: 'swap', symbol: 'cmt_btcusdt' },
    ...{ action: 'close_long', cause, type: 'limit', force: 'gtc', price: '30000.0', size: '10' },
    ...{ filled, average: '30000.0', status, fee: '0', profit: '0', createdMs: 0 },
    cancelReason: status === 'cancelled' ? 'remainder_not_filled' : '',
  };
}

test('fills and ends of orders', () => {
  const open = order('0', 'new');
  const part = order('4', 'partial_fill');
  const rows: readonly [OrderLine | undefined, OrderLine, string | undefined][] = [
    [undefined, open, undefined],
    [open, part, 'filled: partial_fill'],
    [part, order('10', 'full_fill'), 'filled: full_fill'],
    [undefined, order('10', 'full_fill'), 'filled: full_fill'],
    // A market buy that names what it spends: its last fill leaves change that buys nothing more.
    [part, order('4', 'full_fill'), 'filled: full_fill'],
    [open, order('4', 'cancelled'), 'filled: cancelled'],
    [part, order('4', 'cancelled'), 'cancelled'],
    [undefined, order('0', 'new', 'liquidation'), undefined],
    [undefined, order('9', 'partial_fill', 'liquidation'), undefined],
    [
      order('9', 'partial_fill', 'liquidation'),
      order('9', 'cancelled', 'liquidation'),
      'liquidation',
    ],
    [undefined, order('0', 'cancelled', 'reduction'), undefined],
    [undefined, order('5', 'full_fill', 'deleveraging'), 'deleveraging'],
  ];
  for (const [before, after, expected] of rows) {
    const notice = orderNotice({ before, after });
    const words =
      notice?.kind === 'filled'
        ? `filled: ${notice.order.status}`
        : notice?.kind === 'forced'
          ? notice.cause
          : notice?.kind;
    assert.equal(words, expected, `${before?.status} to ${after.status}`);
  }
});

test('several notices of one order in one message are one', () => {
  const part = { kind: 'filled', order: order('4', 'partial_fill') } as const;
  const whole = { kind: 'filled', order: order('10', 'full_fill') } as const;
  const end = { kind: 'cancelled', order: order('4', 'cancelled') } as const;
  const other = { kind: 'cancelled', order: { ...end.order, id: '7' } } as const;
  assert.deepEqual(withoutOutdone([part, other, whole]), [other, whole]);
  assert.deepEqual(withoutOutdone([part, end, other]), [{ ...end, kind: 'filled' }, other]);
  assert.deepEqual(withoutOutdone([end, other]), [end, other]);
});

test('a netting of own sides is not called deleveraging', () => {
  const closed = (id: string, change: Partial<OrderLine>): OrderLine => ({
    ...order('10', 'full_fill', 'deleveraging'),
    ...{ id, ...change },
  });
  const causes = (...orders: readonly OrderLine[]) => {
    const changes = orders.map((after) =>
      present(orderNotice({ before: undefined, after }), 'notice'),
    );
    return withNetting(changes).map((notice) => notice.kind === 'forced' && notice.cause);
  };
  const long = closed('1', { action: 'close_long' });
  const short = closed('2', { action: 'close_short' });
  assert.deepEqual(causes(long, short), ['netting', 'netting']);
  assert.deepEqual(causes({ ...long, cause: 'liquidation' }, short), ['liquidation', 'netting']);
  // Closed against others: one side, another contract, another moment.
  assert.deepEqual(causes(short), ['deleveraging']);
  const others = [long, { ...long, id: '3' }, { ...short, symbol: 'cmt_ethusdt' }];
  assert.deepEqual(causes(...others, { ...short, createdMs: 1 }), Array(4).fill('deleveraging'));
});

test('both fills of one trade that are forced and own are a netting', () => {
  const fill = (id: string, tradeId: string, change: Partial<FillLine> = {}): FillLine => ({
    ...{ id, tradeId, orderId: id, market: 'swap', symbol: 'cmt_btcusdt', action: 'close_long' },
    ...{ cause: 'deleveraging', price: '30000.0', size: '1', fee: '0', feeCoin: undefined },
    ...{ role: 'taker', timeMs: 0, ...change },
  });
  const fills = [
    fill('a', '1'),
    fill('b', '1', { action: 'close_short', role: 'maker' }),
    fill('c', '2', { cause: 'liquidation' }),
    fill('d', '2', { action: 'close_short' }),
    fill('e', '3'),
    fill('f', '4', { cause: 'owner' }),
    fill('g', '4', { cause: 'owner' }),
  ];
  assert.deepEqual([...nettedFills(fills)], ['a', 'b', 'd']);
});

test('plan orders tell how they ended', () => {
  const plan = (status: PlanLine['status']): PlanLine => ({
    ...{ id: '7', clientId: '', symbol: 'cmt_btcusdt', action: 'close_long' },
    ...{ purpose: 'stop_loss', trigger: '29000.0', source: 'last', price: undefined },
    ...{ size: '1', executed: '0' },
    ...{ status, statusText: '', placedOrderId: undefined, createdMs: 0, updatedMs: 0 },
  });
  const kinds = (['waiting', 'triggered', 'failed', 'cancelled'] as const).map(
    (status) => planNotice({ before: undefined, after: plan(status) })?.kind,
  );
  assert.deepEqual(kinds, [undefined, 'plan_triggered', 'plan_failed', 'plan_cancelled']);
});

test('a refusal keeps the code and the text', () => {
  const refused = { kind: 'refused', code: '40754', message: 'balance not enough' };
  assert.deepEqual(refusalNotice('40754', 'balance not enough'), refused);
});

test('danger up to 1.25 times the ratio that liquidates, watch up to twice', () => {
  // Maintenance 0.5 % and a taker fee of 0.06 %: liquidated at 0.0056.
  const rows = [
    ['0.1', 'calm'],
    ['0.01120001', 'calm'],
    ['0.0112', 'watch'],
    ['0.00700001', 'watch'],
    ['0.007', 'danger'],
    ['0.0056', 'danger'],
    ['-0.01', 'danger'],
  ] as const;
  for (const [ratio, level] of rows) assert.equal(riskLevel(ratio, '0.005', 600), level, ratio);
});

const ACCOUNT: ContractAccountRow = {
  ...{ symbol: 'cmt_btcusdt', equity: '1', total_avail_balance: '1', margin: '1' },
  ...{ realized_pnl: '0', unrealized_pnl: '0', margin_frozen: '0', margin_mode: 'fixed' },
  ...{ longMarginRatio: '0.006', shortMarginRatio: '0', marginRatio: null },
};
const LONG: HoldingRow = {
  ...{ symbol: 'cmt_btcusdt', liquidation_price: '1', position: '5', avail_position: '5' },
  ...{ avg_cost: '1', leverage: '10', realized_pnl: '0', keepMarginRate: '0.005', side: 'long' },
  ...{ timestamp: '0', margin: '1', unrealized_pnl: '0', append_type: '0' },
};

test('the risk of a side is that of its own margin, or of the whole account', () => {
  assert.equal(riskOf(ACCOUNT, LONG, 600), 'danger');
  assert.equal(riskOf(ACCOUNT, { ...LONG, side: 'short', position: '0' }, 600), 'calm');
  const ratios = { longMarginRatio: null, shortMarginRatio: null, marginRatio: '0.01' };
  assert.equal(riskOf({ ...ACCOUNT, ...ratios }, LONG, 600), 'watch');
});

test('a warning comes when the risk has become worse, once', () => {
  const levels: readonly RiskLevel[] = ['calm', 'watch', 'danger'];
  const told = levels.flatMap((before) =>
    levels
      .filter((now) => riskNotice(ACCOUNT, LONG, before, now) !== undefined)
      .map((now) => [before, now]),
  );
  assert.deepEqual(told, [
    ['calm', 'watch'],
    ['calm', 'danger'],
    ['watch', 'danger'],
  ]);
});
