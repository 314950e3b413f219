/**
 * One margin wallet for all linear contracts of a coin: what it is worth, what opens, and who is
 * liquidated in which order. 10 contracts of BTC are 0.01 BTC, one of ETH is 1 ETH; all at 20x.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Event, OPERATOR_SOURCE, ticks } from '#domain';
import { Engine } from '#engine';
import { BTC, CoinDesk, ETH } from '../support/coin-desk.ts';
import { amountOf } from '../support/floor.ts';

function refusalOf([first]: readonly Event[]): string {
  return first?.kind === 'refused' ? first.reject : 'carried out';
}

/** The contracts that were taken over, in their order. */
function takenOver(events: readonly Event[]): readonly number[] {
  return events.flatMap((event) => (event.kind === 'liquidated' ? [event.instrumentId] : []));
}

describe('the money of a coin', () => {
  test('the worked numbers: open 0.01 BTC at 30000, sell it at 30100', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '100000'), desk.open('tom', '100000')];
    desk.order(tom, 'btc', 'open_short', 10, 30_000);
    desk.order(ann, 'btc', 'open_long', 10);
    assert.deepEqual(desk.funds(ann), {
      balance: '99999.82',
      used: '15',
      frozen: '0',
      available: '99984.82',
      unrealizedPnl: '0',
    });
    desk.order(tom, 'btc', 'close_short', 10, 30_100);
    desk.order(ann, 'btc', 'close_long', 10);
    assert.equal(desk.funds(ann).balance, '100000.6394');
  });

  test('an account begins crossed at 20x in linear contracts, isolated in inverse ones', () => {
    const desk = new CoinDesk();
    const ann = desk.open('ann', '100');
    for (const name of ['btc', 'eth'] as const) {
      const { marginMode, long, wallet } = desk.view(ann, name);
      assert.deepEqual([marginMode, long.leverage, wallet], ['cross', 20, 'margin']);
    }
    const { marginMode, wallet, balance } = desk.view(ann, 'usd');
    assert.deepEqual([marginMode, wallet, balance], ['isolated', 'BTCUSD-PERP', 0n]);
  });

  test('a loss anywhere counts, a profit does not, and all contracts show the same money', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '10000'), desk.open('tom', '100000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, tom, 'eth', 10, 2_000);
    // Fees of 18 and 12 (ann took both), margin of 1500 and 1000.
    assert.equal(desk.funds(ann).balance, '9970');
    assert.equal(desk.funds(ann).available, '7470');
    desk.index('btc', 30_500);
    assert.equal(desk.funds(ann).unrealizedPnl, '500');
    assert.equal(desk.funds(ann).available, '7470');
    desk.index('eth', 1_940);
    // 500 - 600.
    assert.equal(desk.funds(ann).available, '7370');
    const [btc, eth] = [desk.view(ann, 'btc'), desk.view(ann, 'eth')];
    assert.deepEqual(
      [btc.equity, btc.available, btc.balance],
      [eth.equity, eth.available, eth.balance],
    );
    assert.deepEqual([btc.margin, eth.margin], [amountOf('1500'), amountOf('1000')]);
    assert.deepEqual([btc.unrealizedPnl, eth.unrealizedPnl], [amountOf('500'), amountOf('-600')]);
  });

  test('an isolated side sets its margin aside, and nothing crossed can lose it', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '2000'), desk.open('tom', '100000')];
    desk.isolated(ann, 'eth');
    desk.trade(ann, tom, 'eth', 10, 2_000);
    desk.trade(ann, tom, 'btc', 500, 30_000);
    // 2000 - 12 - 9 of fees, 1000 aside.
    const { long } = desk.view(ann, 'eth');
    assert.equal(long.margin, amountOf('1000'));
    const events = desk.index('btc', 28_000);
    assert.deepEqual(takenOver(events), [desk.contract('btc').instrumentId]);
    assert.equal(desk.funds(ann).balance, '1000');
    assert.equal(desk.view(ann, 'eth').long.lots, 10);
  });

  test('an inverse contract keeps a wallet of its own', () => {
    const desk = new CoinDesk();
    const ann = desk.open('ann', '1000');
    const { margin, symbol } = desk.contract('usd');
    const { assetId } = margin;
    const amount = amountOf('2');
    desk.run({ kind: 'deposit', accountId: ann, wallet: symbol, assetId, amount });
    assert.equal(desk.view(ann, 'usd').balance, amount);
    assert.equal(desk.funds(ann).balance, '1000');
    const margined = {
      kind: 'deposit',
      accountId: ann,
      wallet: 'margin',
      assetId,
      amount,
    } as const;
    assert.equal(refusalOf(desk.run(margined)), 'transfer_route_invalid');
  });

  test('money for any contract of the coin comes into the one wallet', () => {
    const desk = new CoinDesk();
    const ann = desk.open('ann', '1000');
    const [first, second] = desk.deposit(ann, ETH.symbol, '5');
    assert.ok(first?.kind === 'balance_changed' && second === undefined);
    assert.equal(first.wallet, 'margin');
    assert.equal(desk.view(ann, 'btc').balance, amountOf('1005'));
    const { assetId } = desk.contract('btc').margin;
    const move = { kind: 'transfer', accountId: ann, assetId, clientOid: '' } as const;
    const [from, to] = [ETH.symbol, BTC.symbol];
    assert.equal(refusalOf(desk.run({ ...move, from, to, amount: 1n })), 'transfer_route_invalid');
    desk.run({ ...move, from, to: 'spot', amount: amountOf('5') });
    assert.equal(desk.funds(ann).balance, '1000');
    const out = desk.run({ ...move, from, to: 'spot', amount: amountOf('1001') });
    assert.equal(refusalOf(out), 'balance_insufficient');
  });

  test('the wallets of an account are chosen once', () => {
    const desk = new CoinDesk();
    const tom = desk.open('tom', '10', 'contract');
    assert.equal(refusalOf(desk.deposit(tom, 'margin', '1')), 'transfer_route_invalid');
    assert.deepEqual(desk.funds(tom).balance, '20');
    const changes = { wallets: 'coin' } as object;
    const changed = desk.run({ kind: 'update_account', accountId: tom, changes });
    assert.equal(refusalOf(changed), 'settings_invalid');
    assert.equal(desk.venue.engine.account(tom)?.wallets, 'contract');
  });
});

describe('opening on a wallet that several contracts stand on', () => {
  test('margin in use by one contract is not there for another', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '1600'), desk.open('tom', '100000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    // 1600 - 18 - 1500 = 82 are left: one ETH needs 100 and the fee.
    assert.equal(refusalOf(desk.order(ann, 'eth', 'open_long', 1, 2_000)), 'margin_insufficient');
    desk.deposit(ann, 'margin', '20');
    assert.equal(refusalOf(desk.order(ann, 'eth', 'open_long', 1, 2_000)), 'carried out');
    assert.equal(desk.funds(ann).frozen, '101.2');
    // What one contract's order has frozen is no other's either.
    assert.equal(refusalOf(desk.order(ann, 'btc', 'open_long', 1, 30_000)), 'margin_insufficient');
  });

  test('a resting order that its owner cannot carry any more leaves the book', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '2700'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.order(ann, 'eth', 'open_long', 10, 2_000);
    desk.index('btc', 27_550);
    const events = desk.order(tom, 'eth', 'open_short', 10, 2_000);
    const dropped = events.find(({ kind }) => kind === 'contract_order_closed');
    assert.equal(
      dropped?.kind === 'contract_order_closed' && dropped.reason,
      'margin_insufficient',
    );
    assert.equal(desk.view(ann, 'eth').long.lots, 0);
  });

  test('margin of an isolated side comes out of what crossed contracts leave', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '2700'), desk.open('tom', '100000')];
    desk.isolated(ann, 'eth');
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.index('btc', 29_000);
    // 2700 - 18 - 1500 - 1000 = 182.
    assert.equal(desk.funds(ann).available, '182');
    assert.equal(refusalOf(desk.order(ann, 'eth', 'open_long', 2, 2_000)), 'margin_insufficient');
    assert.equal(refusalOf(desk.order(ann, 'eth', 'open_long', 1, 2_000)), 'carried out');
  });
});

describe('liquidation of what stands on one wallet', () => {
  test('is tested after a mark price of any contract, at the price shown', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, tom, 'eth', 5, 2_000);
    const { liquidationTicks } = desk.view(ann, 'eth').long;
    // 2976 + 5 (P - 2000) = 30000 x 0.0056 + 5 P x 0.0056.
    assert.equal(liquidationTicks, 14_466);
    assert.deepEqual(takenOver(desk.index('eth', 1_446.6)), []);
    assert.notDeepEqual(takenOver(desk.index('eth', 1_446.5)), []);
  });

  test('a profit in one contract keeps a loss in another alive', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(tom, ann, 'eth', 10, 2_000);
    desk.index('eth', 1_800);
    assert.deepEqual(takenOver(desk.index('btc', 25_600)), []);
    assert.equal(desk.funds(ann).unrealizedPnl, '-2400');
  });

  test('the worst loss goes first, and the rest stays when that is enough', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    const cat = desk.open('cat', '1000000');
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, tom, 'eth', 5, 2_000);
    desk.order(cat, 'btc', 'open_long', 1_000, 27_250);
    const events = desk.index('btc', 27_200);
    assert.deepEqual(takenOver(events), [desk.contract('btc').instrumentId]);
    assert.equal(desk.view(ann, 'btc').long.lots, 0);
    assert.equal(desk.view(ann, 'eth').long.lots, 5);
    // 2976 - 2750 - 16.35 of fee.
    assert.equal(desk.funds(ann).balance, '209.65');
  });

  test('a profit is realised before others are left with a loss', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '2200'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(tom, ann, 'eth', 6, 2_000);
    desk.index('eth', 1_800);
    // 2177.2 + 1200 - 3230: below the threshold, and 3230 are more than there is.
    const events = desk.index('btc', 26_770);
    const { btc, eth } = { btc: desk.contract('btc'), eth: desk.contract('eth') };
    assert.deepEqual(takenOver(events), [eth.instrumentId, btc.instrumentId]);
    const won = events.find((event) => event.kind === 'contract_trade');
    assert.ok(won?.kind === 'contract_trade' && won.priceTicks === 18_000);
    assert.equal(desk.funds(ann).balance, '0');
    // Bankrupt at (30000 - 3377.2) / 0.9994 = 26639: tom gains 3361, less 1200 and fees of 19.2.
    assert.equal(desk.funds(tom).balance, '1002141.8');
  });

  test('losses over several contracts are shared by those on their other sides', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    const cat = desk.open('cat', '1000000');
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, cat, 'eth', 10, 2_000);
    desk.index('btc', 28_200);
    const before = [tom, cat].map((who) => desk.funds(who).balance);
    // 1800 and 6000 are lost, 2970 are there: each side gets its part.
    const events = desk.index('eth', 1_400);
    assert.equal(takenOver(events).length, 2);
    assert.equal(desk.funds(ann).balance, '0');
    const got = [tom, cat].map((who, at) => Number(desk.funds(who).balance) - Number(before[at]));
    assert.ok(Math.abs((got[0] ?? 0) / (got[1] ?? 1) - 1_800 / 6_000) < 0.01, `${got}`);
    assert.ok((got[0] ?? 0) + (got[1] ?? 0) <= 2_970);
  });

  test('a contract that is suspended stays, and counts at the mark price it has', () => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, tom, 'eth', 5, 2_000);
    const { instrumentId } = desk.contract('eth');
    desk.run({ kind: 'suspend_instrument', instrumentId, reason: 'it failed' });
    const events = desk.index('btc', 27_000);
    assert.deepEqual(takenOver(events), [desk.contract('btc').instrumentId]);
    assert.equal(desk.view(ann, 'eth').long.lots, 5);
    const { assetId } = desk.contract('btc').margin;
    const out = { kind: 'transfer', accountId: ann, assetId, clientOid: '' } as const;
    const moved = desk.run({ ...out, from: 'margin', to: 'spot', amount: 1n });
    assert.equal(refusalOf(moved), 'contract_suspended');
  });
});

test('marks that move together are judged together, whoever looks first', () => {
  const play = (restoreAt: number): string[] => {
    const desk = new CoinDesk();
    const [ann, tom] = [desk.open('ann', '3000'), desk.open('tom', '1000000')];
    desk.trade(ann, tom, 'btc', 1_000, 30_000);
    desk.trade(ann, tom, 'eth', 10, 2_000);
    let engine = desk.venue.engine;
    const rows: string[] = [];
    const reports = [29_500, 29_000, 28_500, 28_000, 27_500, 27_300].entries();
    for (const [step, price] of reports) {
      if (step === restoreAt) engine = Engine.restore(engine.dump());
      const timeMs = engine.timeMs + 1_000;
      const { instrumentId } = desk.contract('btc');
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
