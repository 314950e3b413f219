/** Corner cases that random sequences led to, each retold as a short story. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ContractSpec,
  type Event,
  LIMITS,
  lots,
  readTagged,
  ticks,
  writeTagged,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone, rejectOf } from '../support/floor.ts';

test('looking at an account that never traded leaves no trace in its settings', () => {
  const venue = Floor.ofContract({ ...LINEAR, leverageMax: 10 });
  const { instrumentId } = venue.contract;
  const accountId = venue.open('alice', '100');
  assert.equal(
    venue.position('alice', 'long').leverage,
    10,
    'the default, as far as it is allowed',
  );
  venue.run({ kind: 'update_contract', instrumentId, changes: { leverageMax: 100 } });
  assert.equal(venue.position('alice', 'long').leverage, 20);
  const replayed = Engine.empty();
  for (const { command, timeMs } of venue.commands) replayed.apply(command, timeMs);
  assert.equal(replayed.marginAccount(accountId, instrumentId)?.long.leverage, 20);
});

test('leverage that nobody chose is one that the terms allow', () => {
  const [first] = LINEAR.tiers;
  const rising = { ...present(first, 'tier'), leverageMax: 8 };
  for (const [terms, leverage] of [
    [{ leverageMin: 30 }, 30],
    [{ leverageMax: 15 }, 15],
    [{ leverageMax: 8, tiers: [rising] }, 8],
  ] as const) {
    const venue = Floor.ofContract({ ...LINEAR, ...terms });
    venue.open('alice', '100');
    assert.equal(venue.position('alice', 'short').leverage, leverage);
    refuseNone(venue.order('alice', 'open_long', '30000', 1));
  }
});

test('an order that rests while the fees are raised pays no more than it has set aside', () => {
  const venue = Floor.ofContract();
  const { instrumentId } = venue.contract;
  // 100 contracts at 30,000 cost 150 of margin at 20 times and 1.8 at 0.06 %.
  venue.open('maker', '303.6', { leverage: 20 });
  venue.open('taker', '1000', { leverage: 20 });
  refuseNone(venue.order('maker', 'open_long', '30000', 100));
  refuseNone(venue.order('maker', 'open_short', '30000.5', 99));
  const changes = { takerFeePpm: 4_900, makerFeePpm: 4_000 };
  refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes }));
  refuseNone(venue.order('taker', 'open_short', '30000', 100));
  assert.equal(venue.text(venue.position('maker', 'long').margin), '150');
  assert.equal(venue.balance('maker'), '301.8');
  assert.equal(venue.position('maker', 'long').lots, lots(100));
});

test('fill or kill counts on nobody for more than the fills before it leave', () => {
  const venue = Floor.ofContract();
  // Each order alone is within 100 times the money; both together are not.
  venue.open('maker', '70', { mode: 'cross', leverage: 100 });
  venue.open('other', '1000');
  venue.open('taker', '1000');
  refuseNone(venue.order('maker', 'open_long', '30000', 100));
  refuseNone(venue.order('maker', 'open_long', '29999.5', 100));
  refuseNone(venue.order('other', 'open_long', '29999', 100));
  // The price falls: what rests would now open with a loss of 24 each.
  venue.index('29760');
  const killed = venue.order('taker', 'open_short', '29999', 201, { force: 'fok' });
  assert.deepEqual(
    killed.flatMap((event) => (event.kind === 'contract_order_closed' ? event.reason : [])),
    ['fok_not_fillable'],
  );
  assert.equal(venue.account('maker').openOrdersCount, 2, 'nothing else happened');
  const filled = venue.order('taker', 'open_short', '29999', 200, { force: 'fok' });
  refuseNone(filled);
  assert.equal(venue.position('taker', 'short').lots, lots(200), 'who cannot carry is left out');
  assert.equal(venue.account('maker').openOrdersCount, 0);
});

test('whoever opened in the course of the liquidations is deleveraged like everybody else', () => {
  const venue = Floor.ofContract();
  const { instrumentId } = venue.contract;
  for (const name of ['ann', 'ben', 'dan']) venue.open(name, '100', { leverage: 100 });
  for (const name of ['sue', 'tom', 'mia']) venue.open(name, '1000', { leverage: 1 });
  venue.trade('ann', 'sue', '30036', 5);
  venue.trade('dan', 'tom', '30025', 5);
  // Tom leaves with a profit, and ben is short instead of him.
  refuseNone(venue.order('ben', 'open_short', '29970', 5));
  refuseNone(venue.order('tom', 'close_short', '29970', 5));
  refuseNone(venue.order('mia', 'open_short', '29990', 5));
  venue.wait(61_000);
  venue.index('30000');
  assert.equal(venue.position('mia', 'short').lots, 0);
  // Ann, ben and dan, in this order, are below the new threshold at the same price as before.
  const tiers = LINEAR.tiers.map((tier, at) =>
    at === 0 ? { ...tier, maintenanceRatePpm: 9_000 } : tier,
  );
  refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: { tiers } }));
  const events = venue.index('30000');
  const liquidated = events.flatMap((event) => (event.kind === 'liquidated' ? event : []));
  assert.deepEqual(
    liquidated.map(({ accountId, sizeLots, deleveragedLots }) => [
      accountId,
      sizeLots,
      deleveragedLots,
    ]),
    [
      [venue.id('ann'), 5, 5],
      [venue.id('ben'), 5, 0],
      [venue.id('dan'), 5, 5],
    ],
  );
  assert.equal(venue.position('dan', 'long').lots, 0);
  assert.equal(venue.position('mia', 'short').lots, 0);
});

test('a hedge whose profit is locked in is closed within itself before it is deleveraged', () => {
  const venue = Floor.ofContract();
  venue.open('hal', '1000', { mode: 'cross', leverage: 20 });
  venue.open('ann', '100', { leverage: 50 });
  venue.open('tom', '5000', { mode: 'cross', leverage: 2 });
  venue.index('10000');
  venue.trade('hal', 'tom', '10000', 10);
  venue.index('20000');
  venue.trade('tom', 'hal', '20000', 20);
  venue.index('40000');
  // Tom takes his profit: ten lots from ann, who is long now, and ten against himself.
  refuseNone(venue.order('ann', 'open_long', '40000', 10));
  refuseNone(venue.order('tom', 'close_long', '40000', 10));
  venue.run({
    kind: 'update_account',
    accountId: venue.id('tom'),
    changes: { selfTradePrevention: 'none' },
  });
  refuseNone(venue.order('tom', 'close_short', '40000', 10));
  refuseNone(venue.order('tom', 'close_long', '40000', 10));
  // Hal: 10 long at 10,000, 20 short at 20,000. His loss at 40,000 is 100, his balance 125.
  venue.withdraw('hal', venue.text(venue.account('hal').available));
  assert.equal(venue.balance('hal'), '125.012', 'the mark price is 40,001.2');
  // Ann is bankrupt near 39,200, where ten of hal's shorts alone would lose him 192.
  venue.index('39000');
  assert.deepEqual(
    [venue.position('ann', 'long').lots, venue.position('hal', 'short').lots],
    [0, 0],
  );
  assert.equal(venue.position('hal', 'long').lots, 0);
});

test('a pair at a price that the contract cannot count in is no source', () => {
  const spec = {
    ...LINEAR,
    symbol: 'FINE-PERP',
    contractValue: '1',
    priceScale: 8,
    referencePriceTicks: ticks(3_000_000_000_000),
    indexSources: [{ kind: 'spot', symbol: 'BTC-USDT', weight: 1 }],
  } as const;
  const venue = Floor.listed();
  const { engine } = venue;
  refuseNone(venue.run({ kind: 'list_contract', spec }));
  const { instrumentId } = present(engine.listings.contract(spec.symbol), spec.symbol);
  const accountId = venue.open('alice', { USDT: '1000000', BTC: '10' });
  for (const price of [31_000, 100_000_000]) {
    refuseNone(venue.limit(accountId, 'buy', `${price}`, '0.001'));
    refuseNone(venue.limit(accountId, 'sell', `${price + 1}`, '0.001'));
    venue.wait(61_000);
    venue.run({ kind: 'tick' });
    assert.equal(engine.contractPrices(instrumentId)?.indexTicks, 3_100_050_000_000);
    venue.run({ kind: 'cancel_all_spot_orders', accountId });
    // With nothing fresh to doubt it, the next price that comes along is believed.
    venue.wait(61_000);
    venue.run({ kind: 'tick' });
  }
});

/** Ann is short from 30,000, ten times, and has gained 1,000; her account may trade with itself. */
function gained(): Floor {
  const venue = Floor.ofContract();
  venue.open('ann', '1000', { leverage: 10, selfTradePrevention: 'none' });
  venue.open('tom', '10000', { leverage: 1 });
  venue.trade('tom', 'ann', '30000', 100);
  venue.wait(61_000);
  venue.index('20000');
  return venue;
}

function assertUnmoved(venue: Floor, events: readonly Event[]): void {
  assert.ok(!events.some(({ kind }) => kind === 'contract_trade'));
  assert.equal(venue.position('ann', 'short').lots, lots(100));
  assert.equal(venue.account('ann').realizedPnl, 0n);
}

test('nobody takes a gain out with himself and opens anew with less behind it than is lost', () => {
  const venue = gained();
  refuseNone(venue.order('ann', 'close_short', '17000', 100));
  // The old short could carry a new one, but it would be gone: 170 of margin against a loss of 300.
  assertUnmoved(venue, venue.order('ann', 'open_short', '17000', 100));
});

test('the same with the opening order in the book', () => {
  const venue = gained();
  refuseNone(venue.order('ann', 'open_short', '20000', 100));
  venue.index('23000');
  assertUnmoved(venue, venue.order('ann', 'close_short', '20000', 100));
  assert.equal(venue.account('ann').marginFrozen, 0n, 'the opening order has left the book');
});

test('closing and opening with oneself is fine as long as the new position can be carried', () => {
  const venue = gained();
  refuseNone(venue.order('ann', 'close_short', '19000', 100));
  refuseNone(venue.order('ann', 'open_short', '19000', 100));
  assert.equal(venue.text(venue.account('ann').equity), '1996.84', 'fees of 3.1, mark 20,000.6');
  assert.equal(venue.text(venue.position('ann', 'short').margin), '190');
});

test('an index price is refused before mark and band could leave the whole numbers', () => {
  const most = LIMITS.indexTicksMax;
  const venue = Floor.ofContract({ ...LINEAR, priceBandPpm: 999_999, markClampPpm: 999_999 });
  const { instrumentId } = venue.contract;
  const report = (priceTicks: number) =>
    venue.run({
      kind: 'report_index',
      instrumentId,
      source: 'operator',
      priceTicks: ticks(priceTicks),
    });
  for (const beyond of [most + 1, Number.MAX_SAFE_INTEGER]) {
    assert.equal(rejectOf(report(beyond)), 'price_invalid');
  }
  refuseNone(report(most));
  refuseNone(venue.tick(61_000));
  assert.equal(venue.engine.contractPrices(instrumentId)?.indexTicks, most);
  const spec = {
    ...LINEAR,
    symbol: 'ETH-USDT-PERP',
    referencePriceTicks: ticks(most + 1),
  } as const;
  assert.equal(rejectOf(venue.run({ kind: 'list_contract', spec })), 'listing_invalid');
});

test('a position ends where its bankruptcy price is rounded beyond what others have', () => {
  // Steps of 100 at prices of some hundreds round the bankruptcy price up by a third.
  const venue = Floor.ofContract({
    ...LINEAR,
    priceStepTicks: ticks(1_000),
    referencePriceTicks: ticks(3_000),
    fundingInterestPpm: 0,
    markClampPpm: 1,
  });
  venue.open('ann', '10', { leverage: 2 });
  venue.open('sam', '10', { leverage: 1 });
  venue.open('tom', '0.65', { mode: 'cross', leverage: 10 });
  venue.open('mia', '10', { mode: 'cross', leverage: 10 });
  venue.trade('ann', 'sam', '300', 10);
  venue.index('160');
  refuseNone(venue.order('tom', 'open_short', '100', 10));
  refuseNone(venue.order('sam', 'close_short', '100', 10));
  // At 150 nothing is left of ann, and at 200, the next step, tom would owe 0.35: it comes out of
  // the 0.5 that the step leaves her.
  const [liquidated] = venue.index('150').filter(({ kind }) => kind === 'liquidated');
  assert.ok(liquidated?.kind === 'liquidated');
  assert.deepEqual([liquidated.sizeLots, liquidated.deleveragedLots], [10, 10]);
  assert.equal(liquidated.bankruptcyTicks, venue.ticks('200'));
  assert.equal(venue.position('ann', 'long').lots, 0);
  assert.equal(venue.position('tom', 'short').lots, 0);
  // 0.65 less the fee of 0.0004: all that tom has against a loss of 1.
  assert.equal(venue.balance('tom'), '0');
  assert.equal(venue.text(liquidated.fundDelta), '0.1496');
});

test('a hedge that only the fund can close is in the log of liquidations, without a price', () => {
  const venue = Floor.ofContract();
  venue.open('ann', '31', { mode: 'cross', leverage: 100 });
  venue.open('tom', '1000');
  venue.trade('ann', 'tom', '30000', 4);
  venue.index('26000');
  venue.trade('tom', 'ann', '26000', 4);
  venue.fundInsurance('10');
  // Rounding is all that leads here, by a unit: twenty coins less than she has show it better.
  const less = 20n * 10n ** 8n;
  const rows = [...venue.engine.dump()].map((row) => {
    const fields = readTagged<(string | number | bigint)[]>(row);
    const isHers = fields[0] === 'balance' && fields[1] === venue.id('ann');
    if (isHers) fields[4] = (fields[4] as bigint) - less;
    const isCoin = fields[0] === 'asset' && row.includes('"USDT"');
    if (isCoin) fields[2] = (fields[2] as bigint) - less;
    return writeTagged(fields);
  });
  const engine = Engine.restore(rows);
  engine.check();
  const missing =
    16n * 10n ** 8n -
    present(engine.marginAccount(venue.id('ann'), venue.contract.instrumentId), 'ann').balance;
  assert.ok(missing > 0n);
  const { events } = engine.apply({ kind: 'tick' }, engine.timeMs + 1);
  engine.check();
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'liquidated'),
    [
      {
        kind: 'liquidated',
        // The long of trade 5.
        positionId: 10,
        accountId: venue.id('ann'),
        instrumentId: venue.contract.instrumentId,
        mode: 'cross',
        side: 'long',
        markTicks: engine.contractPrices(venue.contract.instrumentId)?.markTicks,
        bankruptcyTicks: 0,
        sizeLots: 4,
        deleveragedLots: 0,
        fundDelta: -missing,
        paidTo: [],
      },
    ],
  );
});

test('a feed that comes back has to report again', () => {
  const fed = (name: string): ContractSpec['indexSources'] => [{ kind: 'feed', name, weight: 1 }];
  const venue = Floor.ofContract({ ...LINEAR, indexSources: fed('a'), indexStaleMs: 0 });
  const { instrumentId } = venue.contract;
  const list = (indexSources: ContractSpec['indexSources']) =>
    refuseNone(venue.run({ kind: 'update_contract', instrumentId, changes: { indexSources } }));
  const report = { kind: 'report_index', instrumentId, source: 'a' } as const;
  refuseNone(venue.run({ ...report, priceTicks: ticks(310_000) }));
  const indexTicks = () => venue.engine.contractPrices(instrumentId)?.indexTicks;
  assert.equal(indexTicks(), 310_000);
  list(fed('b'));
  refuseNone(venue.run({ ...report, source: 'b', priceTicks: ticks(312_000) }));
  list(fed('a'));
  venue.tick(1_000);
  assert.equal(indexTicks(), 312_000, 'held until the feed has something to say');
});

test('whoever closes both sides with himself pays both fees out of one balance', () => {
  const venue = Floor.ofContract({ ...LINEAR, fundingInterestPpm: 0, markClampPpm: 1 });
  venue.open('ann', '100', { mode: 'cross', leverage: 100, selfTradePrevention: 'none' });
  for (const name of ['tom', 'sam']) venue.open(name, '1000', { leverage: 1 });
  venue.trade('ann', 'tom', '30000', 10);
  venue.trade('tom', 'ann', '30000', 10);
  venue.withdraw('ann', venue.text(venue.account('ann').available));
  refuseNone(venue.order('ann', 'close_short', '29994', 5));
  // Of the 6 that are left she loses 5.775 and a fee of 0.093465.
  refuseNone(venue.order('sam', 'open_short', '31155', 5));
  refuseNone(venue.order('ann', 'close_short', '31155', 5));
  assert.equal(venue.balance('ann'), '0.131535');
  // Each side alone leaves something: 0.03 more or less, fees of 0.09 and 0.06. Both leave nothing.
  const events = venue.order('ann', 'close_long', 'market', 5);
  assert.ok(!events.some(({ kind }) => kind === 'contract_trade'));
  assert.equal(venue.balance('ann'), '0.131535');
});

describe('what all accounts hold of a contract can be counted', () => {
  const most = LIMITS.contractLotsMax;
  const tier = { maintenanceRatePpm: 5_000, leverageMax: 100 };
  const sizes = (orderLots: number, tierLots: number) => ({
    maxLots: lots(orderLots),
    tiers: [{ ...tier, contractsMax: lots(tierLots) }],
  });

  test('the most that every account may hold, and as much again in a match, is one number', () => {
    assert.ok(LIMITS.accountsMax * most + most <= Number.MAX_SAFE_INTEGER);
    const floor = Floor.ofContract({ ...LINEAR, ...sizes(most, most) });
    for (const name of ['ann', 'tom', 'sue']) floor.open(name, '1000000000000');
    floor.trade('ann', 'tom', '30000', most);
    // One opens what the other closes: all of it changes hands.
    refuseNone(floor.order('sue', 'open_long', '30000', most));
    refuseNone(floor.order('ann', 'close_long', '30000', most));
    assert.equal(rejectOf(floor.order('sue', 'open_long', '30000', 1)), 'openable_exceeded');
    floor.engine.check();
    const { instrumentId } = floor.contract;
    assert.equal(floor.engine.contractPrices(instrumentId)?.openInterestLots, most);
    assert.deepEqual(
      floor.engine.audit().lines.map(({ imbalance }) => imbalance),
      [0n, 0n, 0n],
    );
  });

  for (const [what, field, terms] of [
    ['an order', 'order_quantity', sizes(most + 1, most)],
    ['a tier', 'tier_quantity', sizes(most, most + 1)],
    ['a tier of all there is', 'tier_quantity', sizes(1, Number.MAX_SAFE_INTEGER)],
  ] as const) {
    test(`a larger size of ${what} is refused when it is listed, and when terms change`, () => {
      const spec = { ...LINEAR, ...terms, quantityScale: 1, contractValue: '0.01' };
      const listed = new Floor().listCoins().run({ kind: 'list_contract', spec });
      const detail = { is: 'range', field, min: 1, max: most, scale: 1 };
      assert.deepEqual(listed, [{ kind: 'refused', reject: 'listing_invalid', detail }]);
      const floor = Floor.ofContract();
      const { instrumentId } = floor.contract;
      const changed = floor.run({ kind: 'update_contract', instrumentId, changes: terms });
      assert.deepEqual(changed, [
        { kind: 'refused', reject: 'listing_invalid', detail: { ...detail, scale: 0 } },
      ]);
    });
  }
});

test('a rate of its own makes no liquidation dearer than the contract keeps back for it', () => {
  const venue = Floor.ofContract();
  venue.open('ann', '10000', { leverage: 10 });
  venue.open('tom', '10000', { leverage: 1 });
  const accountId = venue.id('ann');
  venue.trade('ann', 'tom', '30000', 100);
  const changes = { takerFeePpm: 100_000 };
  refuseNone(venue.run({ kind: 'update_account', accountId, changes }));
  const [liquidated] = venue.index('26000').filter(({ kind }) => kind === 'liquidated');
  assert.ok(liquidated?.kind === 'liquidated' && liquidated.deleveragedLots === 100);
  // (30000 - 3000) / (1 - 0.0006); with 10 % to pay it would be 30000, all of it from tom.
  assert.equal(liquidated.bankruptcyTicks, 270_165);
});
