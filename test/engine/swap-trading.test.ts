/** Contract orders at work, as tables: how they fill, what stops them, what margin and fees do. */
import { describe, test } from 'node:test';
import type { SelfTradePrevention } from '#domain';
import { playOn, QUIET_INVERSE, QUIET_LINEAR, scenario } from './swap-table.ts';

const TRADERS = `
  ann joins 10x with 100
  tom joins cross with 10000
`;

describe('margin and fees', () => {
  scenario('an order freezes V/L and the taker fee, a fill turns its part into margin')`
    ${TRADERS}
    ann open_long 10 @ 30000          # 300 x 0.1006
    ann has balance 100, frozen 30.18, free 69.82, long none
    tom open_short 4 @ 30000          # as a maker she pays 120 x 0.0004
    ann has balance 99.952, frozen 18.108, long 4 @ 30000, long.margin 12, free 69.844
    tom open_short 6 @ 30000
    ann has balance 99.88, frozen 0, long 10 @ 30000, long.margin 30, free 69.88
    tick
    venue has interest 10, fees 0.3   # 0.12 and 0.18
  `;

  scenario('a better price freezes nothing more than the margin of the fill')`
    ${TRADERS}
    tom asks 10 @ 29000
    ann open_long 10 @ 30000          # 290: fee 0.174, margin 29
      -> 10 @ 29000 with tom
    ann has balance 99.826, frozen 0, long.margin 29, free 70.826
  `;

  scenario('adding averages the entry, reducing keeps it and sets free its part of the margin')`
    ${TRADERS}
    ann and tom trade 6 @ 30000       # fee 0.108
    ann and tom trade 4 @ 31000       # fee 0.0744
    ann has balance 99.8176, long 10 @ 30400, long.margin 30.4
    tom bids 5 @ 32000
    ann close_long 5 @ 32000          # 5 x 1600/1000 = 8, fee 0.096
      -> 5 @ 32000 with tom
    ann has balance 107.7216, long 5 @ 30400, long.margin 15.2, long.realized 8
  `;

  scenario('an inverse entry is the harmonic mean, its profit is in the coin', QUIET_INVERSE)`
    ann joins 10x with 1
    tom joins cross with 10
    ann and tom trade 3000 @ 30000    # V 0.1, fee 0.00006
    index 40000
    ann and tom trade 2000 @ 40000    # V 0.05, fee 0.00003
    # 5000 / 0.15; margin 0.015
    ann has balance 0.99991, long 5000 @ 33333.333333333, long.margin 0.015
    tom bids 5000 @ 40000
    ann close_long 5000 @ 40000       # 0.15 - 5000/40000 = 0.025; fee 0.000075
    ann has balance 1.024835, long none
  `;

  scenario('both sides may be held at once, each with its own entry and margin')`
    ${TRADERS}
    ann and tom trade 10 @ 30000      # fee 0.18
    tom bids 6 @ 31000
    ann open_short 6 @ 31000          # V 186, fee 0.1116
    ann has long 10 @ 30000, short 6 @ 31000, long.margin 30, short.margin 18.6
    ann has balance 99.7084, free 51.1084
    tom asks 6 @ 30500
    ann close_short 6 @ 30500         # 6 x 500/1000 = 3, fee 0.1098
      -> 6 @ 30500 with tom
    ann has long 10 @ 30000, short none, balance 102.5986, free 72.5986
  `;

  scenario('a cross account can use neither unrealised loss nor unrealised profit')`
    ann joins cross 10x with 100
    tom joins cross with 10000
    ann and tom trade 10 @ 30000
    ann has balance 99.82, used 30, free 69.82, equity 99.82
    index 31000
    ann has pnl 10, equity 109.82, free 69.82
    index 29000
    ann has pnl -10, equity 89.82, free 59.82
    ann withdraws 59.82000001
      -> refused balance_insufficient
    ann withdraws 59.82
    ann has balance 40, equity 30, free 0
  `;
});

describe('time in force', () => {
  const BOOK = `
    ${TRADERS}
    tom asks 4 @ 30000
    tom asks 4 @ 30100
  `;
  const CASES = [
    {
      order: 'open_long 10 @ 30050',
      told: '4 @ 30000 with tom; rests 6 @ 30050',
      asks: '4 @ 30100',
    },
    {
      order: 'open_long 10 @ 30050 ioc',
      told: '4 @ 30000 with tom; remainder_not_filled 4/10',
      asks: '4 @ 30100',
    },
    {
      order: 'open_long 10 @ 29999 ioc',
      told: 'remainder_not_filled 0/10',
      asks: '4 @ 30000 + 4 @ 30100',
    },
    {
      order: 'open_long 8 @ 30100 fok',
      told: '4 @ 30000 with tom; 4 @ 30100 with tom',
      asks: 'none',
    },
    {
      order: 'open_long 9 @ 30100 fok',
      told: 'fok_not_fillable 0/9',
      asks: '4 @ 30000 + 4 @ 30100',
    },
    {
      order: 'open_long 5 @ 30050 fok',
      told: 'fok_not_fillable 0/5',
      asks: '4 @ 30000 + 4 @ 30100',
    },
    {
      order: 'open_long 5 @ 30000 post_only',
      told: 'post_only_would_take 0/5',
      asks: '4 @ 30000 + 4 @ 30100',
    },
    {
      order: 'open_long 5 @ 29999.5 post_only',
      told: 'rests 5 @ 29999.5',
      asks: '4 @ 30000 + 4 @ 30100',
    },
    {
      order: 'open_long 8 @ market',
      told: '4 @ 30000 with tom; 4 @ 30100 with tom',
      asks: 'none',
    },
    {
      order: 'open_long 9 @ market',
      told: '4 @ 30000 with tom; 4 @ 30100 with tom; remainder_not_filled 8/9',
      asks: 'none',
    },
  ];
  for (const { order, told, asks } of CASES) {
    test(order, () => {
      playOn(QUIET_LINEAR)`
        ${BOOK}
        ann ${order}
          -> ${told}
        venue has asks ${asks}
      `;
    });
  }

  scenario('a fill-or-kill order that its owner cannot carry to the end is killed')`
    ann joins 100x with 100
    tom joins cross with 10000
    tom asks 10 @ 30100
    tom asks 10 @ 30300
    # 10 at 30100 are 0.67 % above nothing, 20 at 30200 only 0.34 %, where 0.56 % is the least
    ann open_long 20 @ 30300 fok
      -> fok_not_fillable 0/20
    ann open_long 20 @ 30300
      -> 10 @ 30100 with tom
      -> margin_insufficient 10/20
    ann has long 10 @ 30100
  `;
});

describe('a fill-or-kill order at the market is killed when it cannot be paid for', () => {
  scenario('because an own order at a better price is not met')`
    ann joins 10x with 62.25
    tom joins cross with 10000
    ann and tom trade 10 @ 30000      # 32.07 are left: 10 at 30000 need 30.18, at 33000 33.198
    ann close_long 10 @ 30000
    tom asks 10 @ 33000
    ann open_long 10 @ market fok
      -> fok_not_fillable 0/10
    ann has long 10 @ 30000, orders 1
    ann open_long 9 @ market fok
      -> self_trade 0/10
      -> 9 @ 33000 with tom
  `;

  scenario('because whoever offers a better price cannot carry it')`
    ann joins 10x with 31
    mia joins 100x with 100
    tom joins cross with 10000
    mia asks 10 @ 30000
    tom asks 10 @ 33000
    index 30200
    ann open_long 10 @ market fok
      -> fok_not_fillable 0/10
    mia has orders 1
  `;
});

describe('a market order stops', () => {
  scenario('at the band')`
    ann joins 1x with 1000
    tom joins cross with 10000
    tom asks 5 @ 44000
    tom asks 1 @ 45000
    tom asks 4 @ 45000.5
    ann open_long 10 @ market
      -> 5 @ 44000 with tom
      -> 1 @ 45000 with tom
      -> beyond_price_band 6/10
    venue has asks 4 @ 45000.5
  `;

  scenario('where its owner can pay no more')`
    ann joins 10x with 50
    tom joins cross with 10000
    tom asks 10 @ 30000
    tom asks 10 @ 33000
    ann open_long 17 @ market         # 3.018 a contract at the best price: 16.57
      -> refused margin_insufficient
    # 10 x 3.018; the other 19.82 pay for 5.97 at 3.3198
    ann open_long 16 @ market
      -> 10 @ 30000 with tom
      -> 5 @ 33000 with tom
      -> margin_insufficient 15/16
    ann has long 15 @ 31000, long.margin 46.5
  `;

  scenario('at the bankruptcy price when it closes')`
    ${TRADERS}
    ann and tom trade 10 @ 30000
    tom bids 4 @ 27500
    tom bids 3 @ 27016.5
    tom bids 3 @ 27016                # a step below what 3 of margin a contract can bear
    ann close_long 10 @ market
      -> 4 @ 27500 with tom
      -> 3 @ 27016.5 with tom
      -> margin_insufficient 7/10
    ann has long 3 @ 30000, long.margin 9
    venue has bids 3 @ 27016
  `;

  scenario('where a cross balance ends when it closes')`
    ann joins cross 20x with 20.18
    tom joins cross with 10000
    ann and tom trade 10 @ 30000      # balance 20
    tom bids 5 @ 27000
    tom bids 5 @ 26000
    # 5 cost 15.081; another 5 would cost 20.078. The mark price is still 30000.
    ann close_long 10 @ market
      -> 5 @ 27000 with tom
      -> margin_insufficient 5/10
    ann has balance 4.919, long 5 @ 30000
  `;
});

describe('an order that trades with its own account', () => {
  const MODES: readonly { mode: SelfTradePrevention; told: string; orders: string }[] = [
    { mode: 'cancel_maker', told: 'self_trade 0/5; 3 @ 30000 with tom', orders: '0' },
    { mode: 'cancel_taker', told: 'self_trade 0/3', orders: '1' },
    { mode: 'cancel_both', told: 'self_trade 0/5; self_trade 0/3', orders: '0' },
    { mode: 'none', told: '3 @ 30000 with ann', orders: '1' },
  ];
  for (const { mode, told, orders } of MODES) {
    scenario(`${mode}: ${told}`)`
      ann joins 10x ${mode} with 100
      tom joins cross with 10000
      ann open_short 5 @ 30000
      tom asks 5 @ 30000
      ann open_long 3 @ 30000
        -> ${told}
      ann has orders ${orders}
    `;
  }

  scenario('may open both sides at once where it is allowed')`
    ann joins 10x none with 100
    ann open_short 5 @ 30000
    ann open_long 5 @ 30000           # 150: 0.06 as the maker and 0.09 as the taker
      -> 5 @ 30000 with ann
    ann has balance 99.85, long 5 @ 30000, short 5 @ 30000, long.margin 15, short.margin 15
    ann close_short 5 @ 31000
    ann close_long 5 @ 31000          # 155: +5 and -5, 0.062 and 0.093
      -> 5 @ 31000 with ann
    ann has balance 99.695, long none, short none
    venue has fees 0.305
  `;
});

describe('a resting order whose owner cannot carry it any more', () => {
  scenario('leaves the book when its turn comes, and matching goes on')`
    ann joins 100x with 100
    tom joins cross with 10000
    mia joins cross with 10000
    ann bids 10 @ 30000
    mia bids 10 @ 29900
    index 29800                       # (300 - 200) / 29800 = 0.34 %
    tom open_short 4 @ 29900
      -> ann margin_insufficient 0/10
      -> 4 @ 29900 with mia
    ann has frozen 0, free 100, orders 0
  `;
});
