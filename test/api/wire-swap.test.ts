/** The contract endpoints as a table, and how their numbers are written. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CONTRACT_ACCOUNT, POSITION, SWAP_ENDPOINTS } from '#dialects';
import {
  accountId,
  assetId,
  type Contract,
  type HoldSide,
  instrumentId,
  lots,
  type MarginAccountView,
  NO_TOTALS,
  type PositionView,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';

const PREFIX = '/api/swap/v3/';

/** Method, path and calls per seconds of all endpoints, as the contract of the API has them. */
const TABLE = `
GET market/time 20/2
GET market/contracts 20/2
GET market/depth 20/2
GET market/tickers 20/2
GET market/ticker 20/2
GET market/trades 20/2
GET market/candles 20/2
GET market/index 20/2
GET market/open_interest 20/2
GET market/price_limit 20/2
GET market/funding_time 20/2
GET market/historyFundRate 20/2
GET market/mark_price 20/2
GET market/open_count 20/2
GET market/insurance 20/2
GET market/historyInsurance 20/2
GET market/liquidations 20/2
POST order/placeOrder 10/1
POST order/batchOrders 10/1
POST order/cancel_order 10/1
POST order/cancel_batch_orders 10/1
GET order/detail 10/1
GET order/history 10/1
GET order/current 10/1
GET order/fills 10/1
POST order/moveOrder 10/1
POST order/plan_order 10/1
POST order/cancel_plan 10/1
GET order/currentPlan 10/1
GET order/historyPlan 10/1
POST order/movePlan 10/1
POST position/placePreset 10/1
GET account/accounts 1/1
GET account/account 5/1
GET account/settings 5/1
GET account/income 5/1
GET account/wallets 5/1
POST account/leverage 5/1
POST account/adjustMargin 20/2
POST account/modifyAutoAppendMargin 5/1
GET position/allPosition 5/1
GET position/singlePosition 10/1
POST position/changeHoldModel 20/1
`;

test('every endpoint with its method and rate, and none besides', () => {
  const rows = Object.values(SWAP_ENDPOINTS).map(({ method, path, rate }) => {
    const { limit, windowMs } = present(rate, path);
    return `${method} ${path.slice(PREFIX.length)} ${limit}/${windowMs / 1_000}`;
  });
  assert.deepEqual(rows.toSorted(), TABLE.trim().split('\n').toSorted());
});

test('market data is open, reading takes a key that reads, changing one that trades', () => {
  for (const { method, path, permission, bare } of Object.values(SWAP_ENDPOINTS)) {
    const own = method === 'GET' ? 'read' : 'trade';
    assert.equal(permission, path.startsWith(`${PREFIX}market/`) ? 'none' : own, path);
    assert.equal(bare, true, path);
  }
});

const CONTRACT: Contract = {
  ...LINEAR,
  instrumentId: instrumentId(0),
  margin: {
    assetId: assetId(0),
    coinId: 2,
    code: 'USDT',
    scale: 8,
  },
  valueFactor: 10_000n,
  fineFactor: 1n,
};

/** An account with margin of so many decimals, as it is shown. */
function shown(account: MarginAccountView, scale = CONTRACT.margin.scale) {
  const contract = { ...CONTRACT, margin: { ...CONTRACT.margin, scale } };
  return { contract, account, createdTimeMs: 5 };
}

function sideOf(side: HoldSide, changes: Partial<PositionView> = {}): PositionView {
  return {
    side,
    positionId: 0,
    openedOrderId: undefined,
    lots: lots(0),
    availableLots: lots(0),
    averageEntry: 0n,
    open: 0n,
    leverage: 20,
    autoAppend: false,
    margin: 0n,
    realizedPnl: 0n,
    unrealizedPnl: 0n,
    maintenanceRatePpm: 5_000,
    liquidationTicks: ticks(0),
    marginRatio: 0n,
    totals: NO_TOTALS,
    openedSeq: 0,
    openedTimeMs: 0,
    updatedSeq: 0,
    updatedTimeMs: 0,
    ...changes,
  };
}

function accountWith(long: Partial<PositionView>, changes: Partial<MarginAccountView> = {}) {
  return {
    accountId: accountId(1),
    instrumentId: CONTRACT.instrumentId,
    marginMode: 'isolated',
    isSeparated: false,
    leverages: { cross: 20, isolatedLong: 20, isolatedShort: 20 },
    wallet: CONTRACT.symbol,
    balance: 0n,
    equity: 0n,
    available: 0n,
    margin: 0n,
    marginFrozen: 0n,
    realizedPnl: 0n,
    unrealizedPnl: 0n,
    marginRatio: null,
    long: sideOf('long', long),
    short: sideOf('short'),
    openOrdersCount: 0,
    triggerOrdersCount: 0,
    updatedTimeMs: 0,
    ...changes,
  } as const;
}

const MONEY: readonly [scale: number, units: bigint, margin: string, pnl: string][] = [
  [6, 1_500_000n, '1.500000000000', '-1.50000000'],
  [8, 1n, '0.000000010000', '-0.00000001'],
  [10, 12_345_678_901n, '1.234567890100', '-1.2345678901'],
  [18, 1n, '0.000000000000000001', '-0.000000000000000001'],
  [18, 10n ** 18n, '1.000000000000', '-1.00000000'],
];

for (const [scale, units, margin, pnl] of MONEY) {
  test(`${units} of a coin with ${scale} decimals are a margin of ${margin}`, () => {
    const account = accountWith({ margin: units, unrealizedPnl: -units, realizedPnl: 0n });
    const [long] = JSON.parse(POSITION.write(shown(account, scale))).holding;
    assert.deepEqual(
      [long.margin, long.unrealized_pnl, long.realized_pnl],
      [margin, pnl, '0.00000000'],
    );
  });
}

const AVERAGES: readonly [average: bigint, text: string][] = [
  [0n, '0.00'],
  [30_010_000_000_000n, '30010.00'],
  [30_010_550_000_000n, '30010.55'],
  [30_000_666_666_667n, '30000.666666667'],
  [1n, '0.000000001'],
];

for (const [average, text] of AVERAGES) {
  test(`an average of ${average} is ${text}`, () => {
    const account = accountWith({ averageEntry: average });
    const [long] = JSON.parse(POSITION.write(shown(account))).holding;
    assert.equal(long.avg_cost, text);
  });
}

test('account values and ratios are trimmed, the ratio a mode does not have is null', () => {
  const account = accountWith(
    { marginRatio: 9_970_000n },
    { equity: 99_997_199_400n, unrealizedPnl: -1_000_000n },
  );
  const written = JSON.parse(CONTRACT_ACCOUNT.write(shown(account)));
  assert.partialDeepStrictEqual(written, {
    equity: '999.971994',
    unrealized_pnl: '-0.01',
    total_avail_balance: '0',
    longMarginRatio: '0.0997',
    shortMarginRatio: '0',
    marginRatio: null,
    timestamp: '5',
  });
});

test('a position shows when it last changed, or when the account was created', () => {
  const account = accountWith({ updatedTimeMs: 9 });
  const { holding } = JSON.parse(POSITION.write(shown(account)));
  assert.deepEqual([holding[0].timestamp, holding[1].timestamp], ['9', '5']);
});
