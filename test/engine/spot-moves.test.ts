/** Moved spot orders and market buys of a size: who does what, who owns what after. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lots } from '#domain';
import { acceptedId, Floor } from '../support/floor.ts';
import { book, purse, told, twoTraders } from './spot-words.ts';

describe('an order that is moved', () => {
  /** Alice bids 0.5 at 30000 before carol does; bob has coins to sell. */
  function bidders() {
    const { venue, alice, bob } = twoTraders();
    const carol = venue.open('carol', { USDT: '100000' });
    const id = acceptedId(venue.limit(alice, 'buy', '30000', '0.5'));
    venue.limit(carol, 'buy', '30000', '0.5');
    return { venue, alice, bob, id };
  }

  test('keeps its place when only its size falls, and holds less', () => {
    const { venue, alice, bob, id } = bidders();
    assert.deepEqual(told(venue.move(alice, id, '30000', '0.2')), ['moved, keeps its place']);
    assert.equal(purse(venue, alice, 'USDT'), '94000+6000');
    assert.deepEqual(book(venue).bids, ['0.7 @ 30000']);
    assert.deepEqual(told(venue.limit(bob, 'sell', '30000', '0.2')), [
      'accepted',
      'trade 0.2 @ 30000',
      'closed filled 0.2',
      'closed filled 0.2',
    ]);
    assert.equal(purse(venue, alice, 'BTC'), '0.1998+0');
    venue.engine.check();
  });

  test('goes behind the others when its size grows or its price changes', () => {
    for (const [price, size, left] of [
      ['30000', '0.6', '82000+18000'],
      ['30001', '0.5', '84999.5+15000.5'],
    ] as const) {
      const { venue, alice, bob, id } = bidders();
      venue.limit(alice, 'buy', '30001', '0.0001');
      venue.limit(bob, 'sell', '30001', '0.0001');
      assert.deepEqual(told(venue.move(alice, id, price, size)).slice(0, 1), ['moved']);
      const before = purse(venue, alice, 'USDT').split('+')[1];
      assert.equal(before, left.split('+')[1]);
      if (price === '30000') {
        venue.limit(bob, 'sell', '30000', '0.5');
        assert.equal(venue.engine.openOrder(id)?.filledLots, 0);
      }
      venue.engine.check();
    }
  });

  test('takes what its new price crosses, at the price that rests', () => {
    const { venue, alice, bob, id } = bidders();
    venue.limit(bob, 'sell', '31000', '0.3');
    assert.deepEqual(told(venue.move(alice, id, '31500', '0.5')), [
      'moved',
      'trade 0.3 @ 31000',
      'closed filled 0.3',
      'rests 0.2 @ 31500',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '84400+6300');
    venue.engine.check();
  });

  test('pays with what it held itself where nothing else is free', () => {
    const { venue, bob } = bidders();
    const dora = venue.open('dora', { USDT: '15000' });
    const bid = acceptedId(venue.limit(dora, 'buy', '29000', '0.5'));
    venue.move(dora, bid, '30000', '0.5');
    venue.limit(bob, 'sell', '40000', '0.3');
    assert.deepEqual(told(venue.move(dora, bid, '40000', '0.375')), [
      'moved',
      'trade 0.3 @ 40000',
      'closed filled 0.3',
      'rests 0.075 @ 40000',
    ]);
    assert.equal(purse(venue, dora, 'USDT'), '0+3000');
    const erin = venue.open('erin', { BTC: '0.5' });
    const ask = acceptedId(venue.limit(erin, 'sell', '41000', '0.5'));
    assert.deepEqual(told(venue.move(erin, ask, '40000', '0.5')).slice(0, 2), [
      'moved',
      'trade 0.075 @ 40000',
    ]);
    assert.equal(purse(venue, erin, 'BTC'), '0+0.425');
    venue.engine.check();
  });

  const REFUSED = [
    ['0', '0.5', 'price_invalid'],
    ['30000', '0', 'quantity_invalid'],
    ['200000', '0.6', 'balance_insufficient'],
  ] as const;
  for (const [price, size, reject] of REFUSED) {
    test(`stays as it is when ${size} @ ${price} is refused with ${reject}`, () => {
      const { venue, alice, id } = bidders();
      const before = venue.stateHash();
      assert.deepEqual(told(venue.move(alice, id, price, size)), [`refused ${reject}`]);
      assert.equal(venue.stateHash(), before);
    });
  }

  test('is its owner’s alone, and not moved once it is over', () => {
    const { venue, alice, bob, id } = bidders();
    assert.deepEqual(told(venue.move(bob, id, '30000', '0.2')), ['refused order_unknown']);
    venue.cancel(alice, id);
    assert.deepEqual(told(venue.move(alice, id, '30000', '0.2')), ['refused order_unknown']);
  });

  test('that is post-only ends when it would take', () => {
    const { venue, alice, bob } = bidders();
    venue.limit(bob, 'sell', '31000', '0.3');
    const post = { force: 'post_only' } as const;
    const id = acceptedId(venue.limit(alice, 'buy', '29000', '0.5', post));
    assert.deepEqual(told(venue.move(alice, id, '31000', '0.5')), [
      'moved',
      'closed post_only_would_take 0',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '85000+15000');
    venue.engine.check();
  });
});

describe('a market buy of a size', () => {
  const SIZED = [
    {
      title: 'takes every ask it needs',
      money: '100000',
      size: '1.5',
      told: ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'trade 0.5 @ 31000'],
      end: 'closed filled 1.5',
      left: '54500+0',
    },
    {
      title: 'stops where the money does, at the last whole lot',
      money: '45000',
      size: '1.5',
      told: ['accepted', 'trade 1 @ 30000', 'closed filled 1', 'trade 0.4838 @ 31000'],
      end: 'closed remainder_not_filled 1.4838',
      left: '2.2+0',
    },
    {
      title: 'is cancelled for what the book does not have',
      money: '100000',
      size: '3',
      told: [
        'accepted',
        'trade 1 @ 30000',
        'closed filled 1',
        'trade 1 @ 31000',
        'closed filled 1',
      ],
      end: 'closed remainder_not_filled 2',
      left: '39000+0',
    },
    {
      title: 'is refused when the money buys not even the least order',
      money: '299.99999999',
      size: '1',
      told: [],
      end: 'refused balance_insufficient',
      left: '299.99999999+0',
    },
    {
      title: 'is refused below the least size',
      money: '100000',
      size: '0.0099',
      told: [],
      end: 'refused quantity_below_minimum',
      left: '100000+0',
    },
  ];
  for (const row of SIZED) {
    test(`a buy of a size ${row.title}`, () => {
      const venue = Floor.listed({ minLots: lots(100) });
      const alice = venue.open('alice', { USDT: row.money });
      const bob = venue.open('bob', { BTC: '10' });
      venue.limit(bob, 'sell', '30000', '1');
      venue.limit(bob, 'sell', '31000', '1');
      assert.deepEqual(told(venue.marketBuy(alice, row.size)), [...row.told, row.end]);
      assert.equal(purse(venue, alice, 'USDT'), row.left);
      venue.engine.check();
    });
  }

  test('a buy of a size spends no money that orders hold', () => {
    const { venue, alice, bob } = twoTraders();
    venue.limit(alice, 'buy', '20000', '4');
    venue.limit(bob, 'sell', '30000', '1');
    assert.deepEqual(told(venue.marketBuy(alice, '1')), [
      'accepted',
      'trade 0.6666 @ 30000',
      'closed remainder_not_filled 0.6666',
    ]);
    assert.equal(purse(venue, alice, 'USDT'), '2+80000');
    venue.engine.check();
  });

  test('a buy of a size stops at the price band', () => {
    const { venue, alice, bob } = twoTraders({ priceBandPpm: 100_000 });
    venue.limit(bob, 'sell', '30000', '1');
    venue.limit(bob, 'sell', '40000', '1');
    venue.marketBuy(alice, '0.1');
    assert.deepEqual(told(venue.marketBuy(alice, '1')), [
      'accepted',
      'trade 0.9 @ 30000',
      'closed filled 1',
      'closed beyond_price_band 0.9',
    ]);
    venue.engine.check();
  });
});
