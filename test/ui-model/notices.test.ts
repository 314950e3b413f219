/** Which events become which notice. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderCause, OrderStatus } from '#domain';
import {
  orderNotice,
  planNotice,
  type RiskLevel,
  refusalNotice,
  riskNotice,
  riskOf,
  withoutOutdone,
} from '../../ui/src/model/notices.ts';
import type { OrderLine } from '../../ui/src/model/orders.ts';
import type { PlanLine } from '../../ui/src/model/plans.ts';
import type { Position } from '../../ui/src/model/positions.ts';

function order(filled: string, status: OrderStatus, cause: OrderCause = 'owner'): OrderLine {
  return {
    ...{ id: '1000000000000001', clientId: '', spends: false, symbol: 'cmt_btcusdt' },
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

test('plan orders tell how they ended', () => {
  const plan = (status: PlanLine['status']): PlanLine => ({
    ...{ id: '7', clientId: '', symbol: 'cmt_btcusdt', action: 'close_long' },
    ...{ purpose: 'stop_loss', trigger: '29000.0', source: 'last', price: undefined },
    ...{ size: '1', executed: '0' },
    ...{ status, reason: '', placedOrderId: undefined, createdMs: 0 },
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

const LONG: Position = {
  ...{ symbol: 'BTC-USDT-PERP', side: 'long', size: '5', closable: '5', entry: '1', mark: '1' },
  ...{ entryValue: '1', value: '1', marginMode: 'isolated', leverage: 10, margin: '1' },
  ...{ autoMargin: false, unrealizedPnl: '0', realizedPnl: '0', fees: '0', funding: '0' },
  ...{ liquidation: '1', marginRatio: '0.006', maintenanceRate: '0.005', time: 0, changedTime: 0 },
  liquidationRatio: '0.0056',
};

test('danger up to 1.25 times the ratio that liquidates, watch up to twice', () => {
  const rows = [
    ['0.1', 'calm'],
    ['0.01120001', 'calm'],
    ['0.0112', 'watch'],
    ['0.00700001', 'watch'],
    ['0.007', 'danger'],
    ['0.0056', 'danger'],
    ['-0.01', 'danger'],
  ] as const;
  for (const [marginRatio, level] of rows) {
    assert.equal(riskOf({ ...LONG, marginRatio }), level, marginRatio);
  }
});

test('a warning comes when the risk has become worse, once', () => {
  const levels: readonly RiskLevel[] = ['calm', 'watch', 'danger'];
  const told = levels.flatMap((before) =>
    levels.filter((now) => riskNotice(LONG, before, now) !== undefined).map((now) => [before, now]),
  );
  assert.deepEqual(told, [
    ['calm', 'watch'],
    ['calm', 'danger'],
    ['watch', 'danger'],
  ]);
});
