/** Spot trading as a trader would check it: who does what, what is told, who owns what after. */

import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { detailText } from '#dialects';
import {
  type AccountId,
  accountId,
  type Event,
  lots,
  type SelfTradePrevention,
  type SpotSpec,
  assetId as toAssetId,
} from '#domain';
import { formatDecimal, present } from '#kernel';
import { acceptedId, amountOf, BTCUSDT, ETHUSDT, type Floor } from '../support/floor.ts';
import { book, purse, told, twoTraders } from './spot-words.ts';

describe('limit orders', () => {
  test('a buy that meets nothing rests and holds price times size', () => {
    const { venue, alice } = twoTraders();
    assert.deepEqual(told(venue.limit(alice, 'buy', '30000', '0.5')), [
      'accepted',
      'rests 0.5 @ 30000',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '85000+15000');
    assert.deepEqual(book(venue), { asks: [], bids: ['0.5 @ 30000'] });
    venue.engine.check();
  });

  test('a crossing buy trades at the resting price and pays the fee in the coin it gets', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(bob, 'sell', '29000', '0.3');
    const events = venue.limit(alice, 'buy', '30000', '0.5');
    assert.deepEqual(told(events), [
      'accepted',
      'trade 0.3 @ 29000',
      'closed filled 0.3',
      'rests 0.2 @ 30000',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '85300+6000');
    assert.equal(purse(venue, alice, 'BTC'), '0.2997+0');
    assert.equal(purse(venue, bob, 'USDT'), '8691.3+0');
    assert.equal(purse(venue, bob, 'BTC'), '9.7+0');
    venue.engine.check();
  });

  test('price comes before time, time within a price', () => {
    const { venue, alice, bob } = twoTraders();
    const first = acceptedId(venue.limit(bob, 'sell', '30000', '1'));
    const second = acceptedId(venue.limit(bob, 'sell', '30000', '1'));
    const better = acceptedId(venue.limit(bob, 'sell', '29999', '1'));
    const events = venue.limit(alice, 'buy', '30000', '2.5');
    const makers = events.flatMap((event) => (event.kind === 'trade' ? [event.makerOrderId] : []));
    assert.deepEqual(makers, [better, first, second]);
    assert.deepEqual(book(venue).asks, ['0.5 @ 30000']);
  });

  test('a fee that is no whole unit is rounded up', () => {
    const { venue, alice, bob } = twoTraders({ takerFeePpm: 333, makerFeePpm: 1 });
    venue.limit(bob, 'sell', '100.01', '0.0001');
    venue.limit(alice, 'buy', '100.01', '0.0001');
    // 0.0001 BTC * 333 ppm = 3.33 units, so 4; 0.010001 USDT * 1 ppm = 1.0001 units, so 2.
    assert.equal(purse(venue, alice, 'BTC'), '0.00009996+0');
    assert.equal(purse(venue, bob, 'USDT'), '0.01000098+0');
    venue.engine.check();
  });

  test('an account may have fee rates of its own', () => {
    const { venue, alice, bob } = twoTraders();
    venue.run({ kind: 'update_account', accountId: bob, changes: { makerFeePpm: 0 } });
    venue.limit(bob, 'sell', '30000', '1');
    venue.limit(alice, 'buy', '30000', '1');
    assert.equal(purse(venue, bob, 'USDT'), '30000+0');
  });
});

describe('time in force', () => {
  const cases = [
    [
      'ioc takes what is there',
      'ioc',
      '1.5',
      ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'closed remainder_not_filled 1'],
    ],
    [
      'ioc that is filled',
      'ioc',
      '1',
      ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'closed filled 1'],
    ],
    [
      'fok that fits',
      'fok',
      '1',
      ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'closed filled 1'],
    ],
    ['fok that does not', 'fok', '1.5', ['accepted', 'closed fok_not_fillable 0']],
    ['post-only that would take', 'post_only', '1', ['accepted', 'closed post_only_would_take 0']],
  ] as const;
  for (const [name, force, quantity, expected] of cases) {
    test(name, () => {
      const { venue, alice, bob } = twoTraders();
      venue.limit(bob, 'sell', '30000', '1');
      assert.deepEqual(told(venue.limit(alice, 'buy', '30000', quantity, { force })), expected);
      assert.equal(present(venue.engine.account(alice), 'alice').openOrdersCount, 0);
      venue.engine.check();
    });
  }

  test('post-only that takes nothing rests', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(bob, 'sell', '30000', '1');
    const events = venue.limit(alice, 'buy', '29999.99', '1', { force: 'post_only' });
    assert.deepEqual(told(events), ['accepted', 'rests 1 @ 29999.99']);
  });
});

describe('market orders', () => {
  test('a buy spends its budget down to the last whole lot and keeps the change', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(bob, 'sell', '30000', '1');
    venue.limit(bob, 'sell', '31000', '1');
    const events = venue.market(alice, 'buy', '45000');
    assert.deepEqual(told(events), [
      'accepted',
      'trade 1 @ 30000',
      'closed filled 1',
      'trade 0.4838 @ 31000',
      'closed filled 1.4838',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '55002.2+0');
    venue.engine.check();
  });

  test('a buy that empties the book is cancelled for the rest', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(bob, 'sell', '30000', '1');
    assert.equal(told(venue.market(alice, 'buy', '45000')).at(-1), 'closed remainder_not_filled 1');
    assert.equal(purse(venue, alice, 'USDT'), '70000+0');
  });

  test('a buy whose budget the book matches to the unit is filled', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(bob, 'sell', '30000', '1');
    assert.equal(told(venue.market(alice, 'buy', '30000')).at(-1), 'closed filled 1');
  });

  test('a buy takes no more lots than an order can count, whatever it may spend', () => {
    const { venue, alice, bob } = twoTraders({ maxLots: lots(Number.MAX_SAFE_INTEGER) });
    venue.deposit(alice, 'USDT', '100000000000');
    venue.deposit(bob, 'BTC', '2000000000000');
    venue.limit(bob, 'sell', '0.01', '0.0005');
    venue.limit(bob, 'sell', '0.02', '900719925474.0991');
    // At the best price it would be a lot more than there are numbers for.
    assert.deepEqual(told(venue.market(alice, 'buy', '9007199254.740992')), [
      'refused quantity_above_maximum',
    ]);
    assert.deepEqual(book(venue).asks, ['0.0005 @ 0.01', '900719925474.0991 @ 0.02']);
    venue.engine.check();
  });

  const BOUNDED = { minLots: lots(100), maxLots: lots(20_000) };
  const BUDGETS = [
    { budget: '299.99999999', told: 'notional_below_minimum: at least 300 USDT at this price' },
    { budget: '300', told: 'accepted' },
    { budget: '60002.99999999', told: 'accepted' },
    { budget: '60003', told: 'quantity_above_maximum: at most 2 BTC' },
  ];
  for (const row of BUDGETS) {
    test(`a buy for ${row.budget} where 0.01 to 2 BTC can be bought at 30000: ${row.told}`, () => {
      const { venue, alice, bob } = twoTraders(BOUNDED);
      venue.deposit(alice, 'USDT', '1000');
      venue.limit(bob, 'sell', '30000', '2');
      const [first] = venue.market(alice, 'buy', row.budget);
      const detail =
        first?.kind === 'refused' ? `${first.reject}: ${detailText(first.detail)}` : 'accepted';
      assert.equal(detail, row.told);
      venue.engine.check();
    });
  }

  test('a sell names base and takes every bid it needs', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(alice, 'buy', '30000', '1');
    venue.limit(alice, 'buy', '20000', '1');
    assert.deepEqual(told(venue.market(bob, 'sell', '1.5')), [
      'accepted',
      'trade 1 @ 30000',
      'closed filled 1',
      'trade 0.5 @ 20000',
      'closed filled 1.5',
    ]);
    venue.engine.check();
  });

  test('on an empty book it is cancelled with nothing filled', () => {
    const { venue, alice } = twoTraders();
    assert.deepEqual(told(venue.market(alice, 'buy', '10')), [
      'accepted',
      'closed remainder_not_filled 0',
    ]);
  });
});

describe('cancel', () => {
  test('gives back what was held', () => {
    const { venue, alice } = twoTraders();
    const id = acceptedId(venue.limit(alice, 'buy', '30000', '1'));
    assert.deepEqual(told(venue.cancel(alice, id)), ['closed cancelled_by_owner 0']);
    assert.equal(purse(venue, alice, 'USDT'), '100000+0');
    assert.deepEqual(told(venue.cancel(alice, id)), ['refused order_unknown']);
  });

  test("another account's order, or the right order in the wrong pair, is unknown", () => {
    const { venue, alice, bob } = twoTraders();
    const id = acceptedId(venue.limit(alice, 'buy', '30000', '1'));
    assert.deepEqual(told(venue.cancel(bob, id)), ['refused order_unknown']);
    assert.deepEqual(told(venue.cancel(alice, id, ETHUSDT)), ['refused order_unknown']);
    assert.deepEqual(book(venue).bids, ['1 @ 30000']);
  });

  test('the operator clears an account in one step', () => {
    const { venue, alice } = twoTraders();
    for (const price of ['1', '2', '3']) venue.limit(alice, 'buy', price, '1');
    const events = venue.run({ kind: 'cancel_all_spot_orders', accountId: alice });
    assert.equal(events.length, 4);
    assert.equal(purse(venue, alice, 'USDT'), '100000+0');
    assert.deepEqual(book(venue).bids, []);
  });
});

describe('self-trade prevention', () => {
  const cases: [SelfTradePrevention, string[]][] = [
    ['cancel_maker', ['accepted', 'closed self_trade 0', 'rests 1 @ 30000']],
    ['cancel_taker', ['accepted', 'closed self_trade 0']],
    ['cancel_both', ['accepted', 'closed self_trade 0', 'closed self_trade 0']],
    ['none', ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'closed filled 1']],
  ];
  for (const [selfTradePrevention, expected] of cases) {
    test(selfTradePrevention, () => {
      const { venue, alice } = twoTraders();
      venue.deposit(alice, 'BTC', '5');
      venue.run({ kind: 'update_account', accountId: alice, changes: { selfTradePrevention } });
      venue.limit(alice, 'sell', '30000', '1');
      assert.deepEqual(told(venue.limit(alice, 'buy', '30000', '1')), expected);
      venue.engine.check();
    });
  }
});

describe('refusals change nothing', () => {
  const terms = { minLots: 10, maxLots: 50_000, minNotional: amountOf('5') } as Partial<SpotSpec>;
  type Try = (venue: Floor, alice: AccountId) => readonly Event[];
  const cases: [string, Try][] = [
    ['price_invalid', (venue, alice) => venue.limit(alice, 'buy', '0', '1')],
    ['quantity_invalid', (venue, alice) => venue.limit(alice, 'buy', '1', '0')],
    ['quantity_invalid', (venue, alice) => venue.market(alice, 'buy', '0')],
    ['quantity_below_minimum', (venue, alice) => venue.limit(alice, 'buy', '30000', '0.0009')],
    ['quantity_above_maximum', (venue, alice) => venue.limit(alice, 'buy', '1', '5.0001')],
    ['notional_below_minimum', (venue, alice) => venue.limit(alice, 'buy', '4.99', '1')],
    ['notional_below_minimum', (venue, alice) => venue.market(alice, 'buy', '4.99')],
    [
      'client_order_id_in_use',
      (venue, alice) => venue.limit(alice, 'buy', '9', '1', { clientOrderId: 'a' }),
    ],
    ['balance_insufficient', (venue, alice) => venue.limit(alice, 'buy', '30000', '3.4')],
    ['balance_insufficient', (venue, alice) => venue.limit(alice, 'sell', '30000', '1')],
    ['balance_insufficient', (venue, alice) => venue.market(alice, 'buy', '100000.01')],
    [
      'symbol_unknown',
      (venue, alice) => venue.limit(alice, 'buy', '9', '1', { instrument: 7 as never }),
    ],
    ['account_unknown', (venue) => venue.limit(99 as never, 'buy', '9', '1')],
  ];
  for (const [reject, attempt] of cases) {
    test(reject, () => {
      const { venue, alice } = twoTraders(terms);
      venue.limit(alice, 'buy', '10', '1', { clientOrderId: 'a' });
      const before = venue.stateHash();
      assert.deepEqual(told(attempt(venue, alice)), [`refused ${reject}`]);
      assert.equal(venue.stateHash(), before);
    });
  }

  test('say what was asked for and what it was held against', () => {
    const { venue, alice } = twoTraders(terms);
    const details = [
      venue.limit(alice, 'buy', '30000', '0.0009'),
      venue.limit(alice, 'buy', '1', '5.0001'),
      venue.limit(alice, 'buy', '4.99', '1'),
      venue.limit(alice, 'buy', '30000', '3.4'),
    ].flatMap(([event]) => (event?.kind === 'refused' ? [detailText(event.detail)] : []));
    assert.deepEqual(details, [
      'at least 0.001 BTC',
      'at most 5 BTC',
      'at least 5 USDT',
      'needs 102000 USDT, has 100000',
    ]);
  });

  test('market_halted refuses orders but not cancels', () => {
    const { venue, alice } = twoTraders();
    const id = acceptedId(venue.limit(alice, 'buy', '10', '1'));
    venue.run({ kind: 'update_spot', instrumentId: BTCUSDT, changes: { status: 'halt' } });
    assert.deepEqual(told(venue.limit(alice, 'buy', '10', '1')), ['refused market_halted']);
    assert.deepEqual(told(venue.cancel(alice, id)), ['closed cancelled_by_owner 0']);
  });

  test('account_frozen', () => {
    const { venue, alice } = twoTraders();
    venue.run({ kind: 'update_account', accountId: alice, changes: { frozen: true } });
    assert.deepEqual(told(venue.limit(alice, 'buy', '10', '1')), ['refused account_frozen']);
  });

  test('open_orders_exceeded counts orders that may rest only', () => {
    const { venue, alice } = twoTraders();
    venue.run({ kind: 'update_account', accountId: alice, changes: { openOrdersMax: 1 } });
    venue.limit(alice, 'buy', '10', '1');
    assert.deepEqual(told(venue.limit(alice, 'buy', '10', '1')), ['refused open_orders_exceeded']);
    const ioc = venue.limit(alice, 'buy', '10', '1', { force: 'ioc' });
    assert.deepEqual(told(ioc), ['accepted', 'closed remainder_not_filled 0']);
  });
});

describe('money', () => {
  for (const [wallets, wallet] of [
    ['contract', 'BTC-USDT-PERP'],
    ['coin', 'margin'],
  ] as const) {
    test(`moves between spot and a margin wallet per ${wallets}, of the same coin only`, () => {
      const { venue } = twoTraders();
      const carol = venue.open('carol', { USDT: '100000' }, { wallets });
      const transfer = { kind: 'transfer', accountId: carol } as const;
      const usdt = present(venue.engine.listings.assetByCode('USDT'), 'USDT').assetId;
      const btc = present(venue.engine.listings.assetByCode('BTC'), 'BTC').assetId;
      const out = { ...transfer, from: 'spot', to: 'BTC-USDT-PERP' } as const;
      const moved = venue.run({ ...out, assetId: usdt, amount: amountOf('400') });
      assert.deepEqual(told(moved), ['transferred', 'balance_changed', 'balance_changed']);
      assert.equal(purse(venue, carol, 'USDT'), '99600+0');
      const margin = venue.engine.account(carol)?.balance(wallet, usdt);
      assert.equal(formatDecimal(margin?.balance ?? 0n, 8), '400.00000000');
      const refusals = [
        [{ ...out, assetId: btc, amount: 1n }, 'transfer_route_invalid'],
        [{ ...out, to: 'spot', assetId: usdt, amount: 1n }, 'transfer_route_invalid'],
        [{ ...out, to: 'NOTHING-PERP', assetId: usdt, amount: 1n }, 'contract_unknown'],
        [{ ...out, assetId: usdt, amount: amountOf('99600.00000001') }, 'balance_insufficient'],
        [{ ...out, assetId: usdt, amount: 0n }, 'amount_invalid'],
      ] as const;
      for (const [command, reject] of refusals) {
        assert.deepEqual(told(venue.run(command)), [`refused ${reject}`]);
      }
      venue.engine.check();
    });
  }

  test('moves between accounts, whole, without counting as brought in or taken out', () => {
    const { venue, alice, bob } = twoTraders();
    const { assetId } = present(venue.engine.listings.assetByCode('USDT'), 'USDT');
    const totals = () => {
      const line = present(venue.engine.audit().lines[assetId], 'line of USDT');
      return [line.accounts, line.deposited, line.withdrawn];
    };
    const before = totals();
    venue.limit(alice, 'buy', '10000', '1');
    venue.run({ kind: 'set_lock', accountId: alice, assetId, amount: amountOf('500') });
    venue.run({ kind: 'update_account', accountId: alice, changes: { frozen: true } });
    const give = {
      kind: 'transfer_between_accounts',
      ...{ accountId: alice, toAccountId: bob, assetId, amount: amountOf('89500') },
    } as const;
    const nobody = accountId(99);
    const refusals = [
      [{ ...give, accountId: nobody }, 'account_unknown'],
      [{ ...give, toAccountId: nobody }, 'account_unknown'],
      [{ ...give, assetId: toAssetId(99) }, 'coin_unknown'],
      [{ ...give, toAccountId: alice }, 'transfer_route_invalid'],
      [{ ...give, amount: 0n }, 'amount_invalid'],
      [{ ...give, amount: -1n }, 'amount_invalid'],
      [{ ...give, amount: give.amount + 1n }, 'balance_insufficient'],
    ] as const;
    for (const [command, reject] of refusals) {
      assert.deepEqual(told(venue.run(command)), [`refused ${reject}`]);
    }
    const events = venue.run(give);
    assert.deepEqual(
      events.map((event) => event.kind === 'balance_changed' && [event.reason, event.delta]),
      [
        ['withdraw', -give.amount],
        ['deposit', give.amount],
      ],
    );
    assert.equal(purse(venue, alice, 'USDT'), '0+10000');
    assert.deepEqual(totals(), before);
    venue.engine.check();
  });

  test('held and locked coins cannot be withdrawn', () => {
    const { venue, alice } = twoTraders();
    const { assetId } = present(venue.engine.listings.assetByCode('USDT'), 'USDT');
    venue.limit(alice, 'buy', '10000', '1');
    venue.run({ kind: 'set_lock', accountId: alice, assetId, amount: amountOf('500') });
    const command = { kind: 'withdraw', accountId: alice, wallet: 'spot', assetId } as const;
    const tooMuch = venue.run({ ...command, amount: amountOf('89500.00000001') });
    assert.deepEqual(told(tooMuch), ['refused balance_insufficient']);
    assert.deepEqual(told(venue.run({ ...command, amount: amountOf('89500') })), [
      'balance_changed',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '0+10000');
    venue.engine.check();
  });
});
