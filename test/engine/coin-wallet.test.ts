/**
 * One margin wallet for all linear contracts of a coin: what it is worth, what opens, and who is
 * liquidated in which order. 10 contracts of BTC are 0.01 BTC, one of ETH is 1 ETH; all at 20x.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Event, OPERATOR_SOURCE, ticks } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { BTC, COIN, COINS, coinFloor, ETH } from '../support/coin-floor.ts';
import { amountOf, Floor } from '../support/floor.ts';

function refusalOf([first]: readonly Event[]): string {
  return first?.kind === 'refused' ? first.reject : 'carried out';
}

/** The contracts that were taken over, in their order. */
function takenOver(events: readonly Event[]): readonly number[] {
  return events.flatMap((event) => (event.kind === 'liquidated' ? [event.instrumentId] : []));
}

describe('the money of a coin', () => {
  test('the worked numbers: open 0.01 BTC at 30000, sell it at 30100', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '100000', COIN), floor.open('tom', '100000', COIN)];
    floor.order(tom, 'open_short', '30000', 10);
    floor.order(ann, 'open_long', 'market', 10);
    assert.deepEqual(floor.funds(ann), {
      balance: '99999.82',
      used: '15',
      frozen: '0',
      available: '99984.82',
      unrealizedPnl: '0',
    });
    floor.order(tom, 'close_short', '30100', 10);
    floor.order(ann, 'close_long', 'market', 10);
    assert.equal(floor.funds(ann).balance, '100000.6394');
  });

  test('an account begins crossed at 20x in linear contracts, isolated in inverse ones', () => {
    const floor = coinFloor();
    const ann = floor.open('ann', '100', COIN);
    for (const { symbol } of [BTC, ETH]) {
      const { marginMode, long, wallet } = floor.account(ann, symbol);
      assert.deepEqual([marginMode, long.leverage, wallet], ['cross', 20, 'margin']);
    }
    const { marginMode, wallet, balance } = floor.account(ann, COINS.symbol);
    assert.deepEqual([marginMode, wallet, balance], ['isolated', 'BTC-USD-PERP', 0n]);
  });

  test('a loss anywhere counts, a profit does not, and all contracts show the same money', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '10000', COIN), floor.open('tom', '100000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, tom, '2000', 10, ETH.symbol);
    // Fees of 18 and 12 (ann took both), margin of 1500 and 1000.
    assert.equal(floor.funds(ann).balance, '9970');
    assert.equal(floor.funds(ann).available, '7470');
    floor.index('30500');
    assert.equal(floor.funds(ann).unrealizedPnl, '500');
    assert.equal(floor.funds(ann).available, '7470');
    floor.index('1940', ETH.symbol);
    // 500 - 600.
    assert.equal(floor.funds(ann).available, '7370');
    const [btc, eth] = [floor.account(ann), floor.account(ann, ETH.symbol)];
    assert.deepEqual(
      [btc.equity, btc.available, btc.balance],
      [eth.equity, eth.available, eth.balance],
    );
    assert.deepEqual([btc.margin, eth.margin], [amountOf('1500'), amountOf('1000')]);
    assert.deepEqual([btc.unrealizedPnl, eth.unrealizedPnl], [amountOf('500'), amountOf('-600')]);
  });

  test('an isolated side sets its margin aside, and nothing crossed can lose it', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '2000', COIN), floor.open('tom', '100000', COIN)];
    floor.setMode(ann, 'isolated', ETH.symbol);
    floor.trade(ann, tom, '2000', 10, ETH.symbol);
    floor.trade(ann, tom, '30000', 500);
    // 2000 - 12 - 9 of fees, 1000 aside.
    const { long } = floor.account(ann, ETH.symbol);
    assert.equal(long.margin, amountOf('1000'));
    const events = floor.index('28000');
    assert.deepEqual(takenOver(events), [floor.contract.instrumentId]);
    assert.equal(floor.funds(ann).balance, '1000');
    assert.equal(floor.account(ann, ETH.symbol).long.lots, 10);
  });

  test('an inverse contract keeps a wallet of its own', () => {
    const floor = coinFloor();
    const ann = floor.open('ann', '1000', COIN);
    const { margin, symbol } = floor.contractOf(COINS.symbol);
    const { assetId } = margin;
    const amount = amountOf('2');
    floor.run({ kind: 'deposit', accountId: ann, wallet: symbol, assetId, amount });
    assert.equal(floor.account(ann, COINS.symbol).balance, amount);
    assert.equal(floor.funds(ann).balance, '1000');
    const margined = {
      kind: 'deposit',
      accountId: ann,
      wallet: 'margin',
      assetId,
      amount,
    } as const;
    assert.equal(refusalOf(floor.run(margined)), 'transfer_route_invalid');
  });

  test('money for any contract of the coin comes into the one wallet', () => {
    const floor = coinFloor();
    const ann = floor.open('ann', '1000', COIN);
    const [first, second] = floor.deposit(ann, 'USDT', '5', floor.contractOf(ETH.symbol).symbol);
    assert.ok(first?.kind === 'balance_changed' && second === undefined);
    assert.equal(first.wallet, 'margin');
    assert.equal(floor.account(ann).balance, amountOf('1005'));
    const { assetId } = floor.contract.margin;
    const move = { kind: 'transfer', accountId: ann, assetId } as const;
    const [from, to] = [ETH.symbol, BTC.symbol];
    assert.equal(refusalOf(floor.run({ ...move, from, to, amount: 1n })), 'transfer_route_invalid');
    floor.run({ ...move, from, to: 'spot', amount: amountOf('5') });
    assert.equal(floor.funds(ann).balance, '1000');
    const out = floor.run({ ...move, from, to: 'spot', amount: amountOf('1001') });
    assert.equal(refusalOf(out), 'balance_insufficient');
  });

  test('the wallets of an account are chosen once', () => {
    const floor = coinFloor();
    const tom = floor.open('tom', '10', { wallets: 'contract' });
    floor.fund(tom, '10', ETH.symbol);
    const refused = floor.deposit(tom, 'USDT', '1', 'margin');
    assert.equal(refusalOf(refused), 'transfer_route_invalid');
    assert.deepEqual(floor.funds(tom).balance, '20');
    const changes = { wallets: 'coin' } as object;
    const changed = floor.run({ kind: 'update_account', accountId: tom, changes });
    assert.equal(refusalOf(changed), 'settings_invalid');
    assert.equal(floor.engine.account(tom)?.wallets, 'contract');
  });
});

describe('opening on a wallet that several contracts stand on', () => {
  test('margin in use by one contract is not there for another', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '1600', COIN), floor.open('tom', '100000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    // 1600 - 18 - 1500 = 82 are left: one ETH needs 100 and the fee.
    assert.equal(
      refusalOf(floor.order(ann, 'open_long', '2000', 1, { on: ETH.symbol })),
      'margin_insufficient',
    );
    floor.fund(ann, '20');
    assert.equal(
      refusalOf(floor.order(ann, 'open_long', '2000', 1, { on: ETH.symbol })),
      'carried out',
    );
    assert.equal(floor.funds(ann).frozen, '101.2');
    // What one contract's order has frozen is no other's either.
    assert.equal(refusalOf(floor.order(ann, 'open_long', '30000', 1)), 'margin_insufficient');
  });

  test('a resting order that its owner cannot carry any more leaves the book', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '2700', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.order(ann, 'open_long', '2000', 10, { on: ETH.symbol });
    floor.index('27550');
    const events = floor.order(tom, 'open_short', '2000', 10, { on: ETH.symbol });
    const dropped = events.find(({ kind }) => kind === 'contract_order_closed');
    assert.equal(
      dropped?.kind === 'contract_order_closed' && dropped.reason,
      'margin_insufficient',
    );
    assert.equal(floor.account(ann, ETH.symbol).long.lots, 0);
  });

  test('margin of an isolated side comes out of what crossed contracts leave', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '2700', COIN), floor.open('tom', '100000', COIN)];
    floor.setMode(ann, 'isolated', ETH.symbol);
    floor.trade(ann, tom, '30000', 1_000);
    floor.index('29000');
    // 2700 - 18 - 1500 - 1000 = 182.
    assert.equal(floor.funds(ann).available, '182');
    assert.equal(
      refusalOf(floor.order(ann, 'open_long', '2000', 2, { on: ETH.symbol })),
      'margin_insufficient',
    );
    assert.equal(
      refusalOf(floor.order(ann, 'open_long', '2000', 1, { on: ETH.symbol })),
      'carried out',
    );
  });
});

describe('liquidation of what stands on one wallet', () => {
  test('is tested after a mark price of any contract, at the price shown', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, tom, '2000', 5, ETH.symbol);
    const { liquidationTicks } = floor.account(ann, ETH.symbol).long;
    // 2976 + 5 (P - 2000) = 30000 x 0.0056 + 5 P x 0.0056.
    assert.equal(liquidationTicks, 14_466);
    assert.deepEqual(takenOver(floor.index('1446.6', ETH.symbol)), []);
    assert.notDeepEqual(takenOver(floor.index('1446.5', ETH.symbol)), []);
  });

  test('a profit in one contract keeps a loss in another alive', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(tom, ann, '2000', 10, ETH.symbol);
    floor.index('1800', ETH.symbol);
    assert.deepEqual(takenOver(floor.index('25600')), []);
    assert.equal(floor.funds(ann).unrealizedPnl, '-2400');
  });

  test('the worst loss goes first, and the rest stays when that is enough', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    const cat = floor.open('cat', '1000000', COIN);
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, tom, '2000', 5, ETH.symbol);
    floor.order(cat, 'open_long', '27250', 1_000);
    const events = floor.index('27200');
    assert.deepEqual(takenOver(events), [floor.contract.instrumentId]);
    assert.equal(floor.account(ann).long.lots, 0);
    assert.equal(floor.account(ann, ETH.symbol).long.lots, 5);
    // 2976 - 2750 - 16.35 of fee.
    assert.equal(floor.funds(ann).balance, '209.65');
  });

  test('a profit is realised before others are left with a loss', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '2200', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(tom, ann, '2000', 6, ETH.symbol);
    floor.index('1800', ETH.symbol);
    // 2177.2 + 1200 - 3230: below the threshold, and 3230 are more than there is.
    const events = floor.index('26770');
    const { btc, eth } = { btc: floor.contract, eth: floor.contractOf(ETH.symbol) };
    assert.deepEqual(takenOver(events), [eth.instrumentId, btc.instrumentId]);
    const won = events.find((event) => event.kind === 'contract_trade');
    assert.ok(won?.kind === 'contract_trade' && won.priceTicks === 18_000);
    assert.equal(floor.funds(ann).balance, '0');
    // Bankrupt at (30000 - 3377.2) / 0.9994 = 26639: tom gains 3361, less 1200 and fees of 19.2.
    assert.equal(floor.funds(tom).balance, '1002141.8');
  });

  test('losses over several contracts are shared by those on their other sides', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    const cat = floor.open('cat', '1000000', COIN);
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, cat, '2000', 10, ETH.symbol);
    floor.index('28200');
    const before = [tom, cat].map((who) => floor.funds(who).balance);
    // 1800 and 6000 are lost, 2970 are there: each side gets its part.
    const events = floor.index('1400', ETH.symbol);
    assert.equal(takenOver(events).length, 2);
    assert.equal(floor.funds(ann).balance, '0');
    const got = [tom, cat].map((who, at) => Number(floor.funds(who).balance) - Number(before[at]));
    assert.ok(Math.abs((got[0] ?? 0) / (got[1] ?? 1) - 1_800 / 6_000) < 0.01, `${got}`);
    assert.ok((got[0] ?? 0) + (got[1] ?? 0) <= 2_970);
  });

  test('a contract that is suspended stays, and counts at the mark price it has', () => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, tom, '2000', 5, ETH.symbol);
    const { instrumentId } = floor.contractOf(ETH.symbol);
    floor.run({
      kind: 'suspend_instrument',
      instrumentId,
      reason: { command: 'tick', failuresCount: 1, message: 'planted' },
    });
    const events = floor.index('27000');
    assert.deepEqual(takenOver(events), [floor.contract.instrumentId]);
    assert.equal(floor.account(ann, ETH.symbol).long.lots, 5);
    const { assetId } = floor.contract.margin;
    const out = { kind: 'transfer', accountId: ann, assetId } as const;
    const moved = floor.run({ ...out, from: 'margin', to: 'spot', amount: 1n });
    assert.equal(refusalOf(moved), 'contract_suspended');
  });
});

test('marks that move together are judged together, whoever looks first', () => {
  const play = (restoreAt: number): string[] => {
    const floor = coinFloor();
    const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
    floor.trade(ann, tom, '30000', 1_000);
    floor.trade(ann, tom, '2000', 10, ETH.symbol);
    let engine = floor.engine;
    const rows: string[] = [];
    const reports = [29_500, 29_000, 28_500, 28_000, 27_500, 27_300].entries();
    for (const [step, price] of reports) {
      if (step === restoreAt) engine = Engine.restore(engine.dump());
      const timeMs = engine.timeMs + 1_000;
      const { instrumentId } = floor.contract;
      const priceTicks = ticks(price * 10);
      const source = OPERATOR_SOURCE;
      engine.apply({ kind: 'report_index', instrumentId, source, priceTicks }, timeMs);
      const { events } = engine.apply({ kind: 'tick' }, timeMs);
      rows.push(JSON.stringify(events, (_, one) => (typeof one === 'bigint' ? `${one}` : one)));
      engine.check();
    }
    return [...rows, ...engine.dump()];
  };
  const played = play(-1);
  for (const at of [0, 2, 4]) assert.deepEqual(play(at), played);
});

test('a tick judges by the marks that it gives all contracts, in the first of them', () => {
  const indexSources = ['test', 'second'].map(
    (name) => ({ kind: 'feed', name, weight: 1 }) as const,
  );
  const floor = new Floor().listCoins();
  for (const spec of [BTC, ETH]) {
    floor.listContract({ ...spec, indexSources, indexStaleMs: 60_000 });
  }
  const [btc, eth] = [floor.contract, floor.contractOf(ETH.symbol)];
  const both = [btc, eth].map(({ instrumentId }) => instrumentId);
  for (const { referencePriceTicks, symbol } of [btc, eth])
    floor.index(referencePriceTicks, symbol);
  const [ann, tom] = [floor.open('ann', '3000', COIN), floor.open('tom', '1000000', COIN)];
  floor.trade(ann, tom, '30000', 1_000);
  floor.trade(ann, tom, '2000', 10, ETH.symbol);
  floor.wait(30_000);
  for (const [at, priceTicks] of [299_990, 15_000].entries()) {
    const instrumentId = present(both[at], 'contract');
    const report = { kind: 'report_index', instrumentId, source: 'second' } as const;
    assert.deepEqual(takenOver(floor.run({ ...report, priceTicks: ticks(priceTicks) })), []);
  }
  // The first source is too old then: 29999 and 1500 instead of 29999.5 and 1750.
  const restored = Engine.restore(floor.engine.dump());
  const events = floor.tick(40_000);
  assert.deepEqual(restored.apply({ kind: 'tick' }, floor.timeMs).events, events);
  assert.deepEqual([floor.markTicks(), floor.markTicks(ETH.symbol)], [299_990, 15_000]);
  assert.notDeepEqual(takenOver(events), []);
  // All that a mark sets off comes before it is told: that of the first contract set it off.
  const order = events.map(({ kind }) => kind);
  assert.ok(order.indexOf('liquidated') < order.indexOf('contract_priced'), order.join(' '));
});
