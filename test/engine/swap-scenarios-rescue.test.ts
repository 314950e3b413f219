/**
 * Around a liquidation, as tables: margin that is added by itself before it, a cross hedge netted
 * in it, and who is deleveraged by it in which order.
 */
import { describe, test } from 'node:test';
import { lots } from '#domain';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('automatic replenishment', () => {
  scenario('brings the ratio back to 1/leverage until the money is gone')`
    ann joins 10x with 100
    tom joins with 1000
    ann and tom trade 10 @ 30000
    ann automatic long on
    ann has free 69.82, long.liquidation 27152.1
    index 27100                       # V/10 = 27.1, margin + pnl = 30 - 29
      -> ann long margin +26.1 by itself
    ann has long.margin 56.1, long.ratio 0.1, long.liquidation 24527.4, free 43.72
    index 24500                       # 24.5 - (56.1 - 55)
      -> ann long margin +23.4 by itself
    ann has long.margin 79.5, long.liquidation 22174.2, free 20.32
    index 22100                       # 22.1 - (79.5 - 79) = 21.6, there are 20.32
      -> ann long margin +20.32 by itself
    ann has long.margin 99.82, long.liquidation 20130.8, free 0, long.automatic on
    # nothing left: P_b = (300 - 99.82) / (0.010 x 0.9994) = 20030.02; 99.82 - 99.695
    index 20050
      -> ann/7 10 @ 20030.5 with tom/8 off the book
      -> ann long liquidated: 10 at 20030.5, 10 deleveraged, fund +0.125
    ann has balance 0, long none, long.automatic off
    tom has balance 1099.575, short none
  `;

  scenario('that does not suffice is lost with the rest')`
    ann joins 10x with 35.18
    tom joins with 1000
    ann and tom trade 10 @ 30000
    ann automatic long on
    # 30 + 5 - 35 = 0 is not enough; P_b = (300 - 35) / (0.010 x 0.9994) = 26515.91
    index 26500
      -> ann long margin +5 by itself
      -> ann/7 10 @ 26516 with tom/8 off the book
      -> ann long liquidated: 10 at 26516, 10 deleveraged, fund +0.16
    ann has balance 0
    tom has balance 1034.72
  `;

  scenario('also uses what cancelled orders of the side had frozen')`
    ann joins 10x with 43.258
    tom joins with 1000
    ann and tom trade 10 @ 30000
    ann automatic long on
    ann open_long 5 @ 26000           # 130/10 + 130 x 0.0006 = 13.078: all there is
    ann has free 0, frozen 13.078
    index 27100                       # 26.1 are missing, 13.078 help: 14.078 / 271 = 5.2 %
      -> ann liquidation 0/5
      -> ann long margin +13.078 by itself
    ann has long 10 @ 30000, long.margin 43.078, frozen 0, orders 0
  `;

  scenario('from what is available leaves the orders alone')`
    ann joins 10x with 100
    tom joins with 1000
    ann and tom trade 10 @ 30000
    ann automatic long on
    ann open_long 1 @ 26000
    ann plans close_long 10 @ market when 25000
    index 27100
      -> ann long margin +26.1 by itself
    ann has orders 1, plans 1
  `;

  scenario('is of no use to the other side')`
    ann joins 10x with 100
    tom joins with 1000
    sam joins cross with 1000
    ann and tom trade 10 @ 30000
    sam bids 5 @ 30000
    ann open_short 5 @ 30000
    ann automatic short on
    ann has balance 99.73             # 100 - 0.18 - 0.09
    sam bids 10 @ 27016.5
    index 27100
      -> ann/9 10 @ 27016.5 with sam
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund +0.002901
    ann has balance 69.73, short 5 @ 30000, short.margin 15
  `;
});

scenario('an isolated side that is liquidated takes no order of the other side with it')`
  ann joins 10x with 100
  tom joins with 1000
  ann and tom trade 10 @ 30000
  ann open_long 1 @ 26000
  ann open_short 1 @ 33000
  ann plans open_short 1 @ market when 33000
  ann plans close_long 10 @ market when 25000
  index 27100
    -> ann liquidation 0/1
    -> ann plan#9 cancelled: liquidation
    -> ann/7 10 @ 27016.5 with tom/8 off the book
    -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
  ann has orders 1, plans 1
  venue has bids none, asks 1 @ 33000
`;

describe('a cross hedge in trouble', () => {
  scenario('is held to the rate of the tier that both sides have together')`
    ann joins cross 50x with 7000
    tom joins cross with 1000000
    ann and tom trade 6000 @ 30000    # fee 108
    tom bids 5000 @ 30000
    ann open_short 5000 @ 30000       # fee 90
    ann has balance 6802, long.keeps 1%
    # (6802 - 5220) / 148680 = 1.064 %, and 1.06 % is the threshold of 11000 contracts
    index 24780
    ann has long 6000 @ 30000
    index 24770                       # (6802 - 5230) / 148620 = 1.058 %
      -> ann/8 5000 @ 24770 with ann/7 off the book
    ann has long 1000 @ 30000, long.keeps 0.5%
  `;

  scenario('is netted at the mark price, which may be all it needs')`
    ann joins cross 100x with 27.4472
    tom joins cross with 1000
    ann and tom trade 10 @ 30000      # fee 0.18
    index 28000
    tom bids 4 @ 28000
    ann open_short 4 @ 28000          # fee 0.0672
    ann close_short 2 @ 26000
    ann has balance 27.2, equity 7.2, orders 1
    # 27.2 - 30 + 4 = 1.2: 0.44 % of 270, but 0.74 % of the 162 that are left. -12 + 4 booked.
    index 27000
      -> ann liquidation 0/2
      -> ann/8 4 @ 27000 with ann/7 off the book
    ann has balance 19.2, long 6 @ 30000, short none, equity 1.2, orders 0
    # 0.9 / 161.7 = 0.5566 %; P_b = (180 - 19.2) / (0.006 x 0.9994) = 26816.09; 19.2 - 19.101
    index 26950
      -> ann/7 6 @ 26816.5 with tom/8 off the book
      -> ann long liquidated: 6 at 26816.5, 6 deleveraged, fund +0.099
    ann has balance 0, long none
    # 1000 - 0.12 - 0.0448 + 19.101
    tom has balance 1018.9362, long 4 @ 28000, short 4 @ 30000
    venue has fund 0.099
  `;

  /** The hedge of 4 has 16 locked in and stands on 10: only the gain of 6 shorts paid for it. */
  const LOCKED = `
    ann joins cross 100x with 30.228
    tom joins cross with 1000
    ann and tom trade 4 @ 30000         # fee 0.072
    index 26000
    tom bids 10 @ 26000
    ann open_short 10 @ 26000           # fee 0.156
    index 20000
    ann withdraws 20
    ann has balance 10, equity 30
  `;

  scenario('that cannot be netted is taken over first')`
    ${LOCKED}
    # 10 - 16 + 0 = -6. P_b of the 6: (156 + 10 - 16) / (0.006 x 1.0006) = 24985.01
    index 26000
      -> ann/8 6 @ 24985 with tom/7 off the book
      -> ann/8 4 @ 26000 with ann/7 off the book
      -> ann short liquidated: 6 at 24985, 6 deleveraged, fund +0.09
    ann has balance 0, long none, short none   # 10 + 6.09 - 16 = 0.09
    # 1000 - 0.048 - 0.104 - 6.09
    tom has balance 993.758, long 4 @ 26000, short 4 @ 30000
  `;

  scenario('that cannot be netted costs the fund what is missing')`
    ${LOCKED}
    mia joins with 100
    kim joins with 100
    mia asks 6 @ 26000
    kim asks 6 @ 26000
    fund 10
    # 6 at 26000: pnl 0, fee 0.0936; the hedge: -16. 10 - 0.0936 - 16 = -6.0936
    index 26000
      -> ann/10 6 @ 26000 with mia
      -> ann/8 4 @ 26000 with ann/7 off the book
      -> ann short liquidated: 6 at 24985, 0 deleveraged, fund -6.0936
    ann has balance 0, long none, short none
    venue has fund 3.9064
  `;

  scenario('is only filled where the fund can pay the fee as well')`
    ${LOCKED}
    mia joins with 100
    kim joins with 100
    mia asks 6 @ 26000
    kim asks 6 @ 26000
    fund 6.09                         # the price alone: 6 x (26000 - 24985)/1000 = 6.09
    index 26000
      -> ann/8 6 @ 24985 with tom/7 off the book
      -> ann/8 4 @ 26000 with ann/7 off the book
      -> ann short liquidated: 6 at 24985, 6 deleveraged, fund +0.09
    ann has balance 0, long none, short none
  `;
});

describe('who is deleveraged', () => {
  scenario('whoever gains most with least behind it, then who opened first, as far as needed')`
    pia joins 20x with 100            # before pat, but pat opens first
    ann joins 10x with 100
    pat joins 20x with 100
    tim joins 10x with 100
    ron joins cross with 1000
    dee joins cross with 1000
    sue joins 50x with 100
    ann and pat trade 2 @ 30000
    ann and pia trade 2 @ 30000
    ann and tim trade 2 @ 30000
    ann and ron trade 4 @ 30000
    index 29000
    dee and sue trade 2 @ 29000
    # Gain over entry value, times value over equity, at 27000:
    #   sue 6.9 % x 54/5.16 = 0.72, pat and pia 10 % x 54/9 = 0.6, tim 10 % x 54/12 = 0.45,
    #   ron 10 % x 108/1011.952 = 0.01. P_b 27016.5: each pair leaves 6 - 5.967 to the fund.
    index 27000
      -> ann/7 2 @ 27016.5 with sue/8 off the book
      -> ann/7 2 @ 27016.5 with pat/8 off the book
      -> ann/7 2 @ 27016.5 with pia/8 off the book
      -> ann/7 2 @ 27016.5 with tim/8 off the book
      -> ann/7 2 @ 27016.5 with ron/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    sue has balance 103.9438, short none
    pat has balance 105.943, short none
    pia has balance 105.943, short none
    tim has balance 105.943, short none
    ron has balance 1005.919, short 2 @ 30000
    venue has fund 0.165, interest 2
  `;

  scenario('nobody by her own short: a fixed hedge is netted first, for what the book left')`
    ann joins 10x with 100
    tom joins cross with 1000
    ann and tom trade 10 @ 30000
    tom bids 5 @ 30000
    ann open_short 5 @ 30000
    index 27100
      -> ann/7 5 @ 27016.5 with ann/8 off the book
      -> ann/7 5 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 5 deleveraged, fund +0.165
    # 99.73 - 30 + 14.9175
    ann has balance 84.6475, long none, short none
    tom has balance 1014.7375, long 5 @ 30000, short 5 @ 30000   # 1000 - 0.12 - 0.06 + 14.9175
    venue has fund 0.165
  `;

  scenario('closes that rest give way, opens stay')`
    ann joins 10x with 100
    tom joins with 1000
    ann and tom trade 10 @ 30000
    tom close_short 3 @ 26000
    tom asks 1 @ 31000
    tom has short.free 7, orders 2
    index 27100
      -> tom liquidation 0/3
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    tom has short none, orders 1
    venue has bids none, asks 1 @ 31000
  `;

  scenario('whose presets go with their position')`
    ann joins 10x with 100
    tom joins with 1000
    ann bids 10 @ 30000
    tom open_short 10 @ 30000 tp=25000 sl=31000
    tom has plans 2
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> tom stop_loss cancelled: position_closed
      -> tom take_profit cancelled: position_closed
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    tom has short none, plans 0
  `;

  scenario('those in trouble themselves come last, however high their score')`
    ann joins 10x with 100
    pat joins 10x with 100
    tom joins cross with 1000
    zed joins cross 100x with 30.752
    ann and pat trade 3 @ 30000
    zed and tom trade 12 @ 30000      # fee 0.216
    tom bids 2 @ 30000
    zed open_short 2 @ 30000          # fee 0.036
    # zed: 30.5 - 36 + 6 = 0.5 of 324, his short scores 10 % x 54/0.5; ann: 9 - 9 = 0 comes first
    # zed's P_b when netted: (300 - 30.5) / (0.010 x 0.9994) = 26966.18; 30.5 - 30.335
    index 27000
      -> ann/7 3 @ 27016.5 with pat/8 off the book
      -> ann long liquidated: 3 at 27016.5, 3 deleveraged, fund +0.0495
      -> zed/8 2 @ 27000 with zed/7 off the book
      -> zed/7 10 @ 26966.5 with tom/8 off the book
      -> zed long liquidated: 10 at 26966.5, 10 deleveraged, fund +0.165
    zed has balance 0, long none, short none
    tom has long 2 @ 30000, short 2 @ 30000
  `;

  test('when everybody is in trouble, the first by ratio and account is closed on the next', () => {
    const venue = playOn(QUIET_LINEAR)`
      ann joins 10x with 100
      tom joins 10x with 100
      ann and tom trade 10 @ 30000
    `;
    const { instrumentId } = venue.contract;
    const tiers = [{ contractsMax: lots(1_000), maintenanceRatePpm: 100_000, leverageMax: 9 }];
    venue.run({ kind: 'update_contract', instrumentId, changes: { tiers, leverageMax: 9 } });
    play(venue)`
      # 30 / 300 = 10 % on both sides, where 10.06 % are asked for now
      tick
        -> ann/7 10 @ 27016.5 with tom/8 off the book
        -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
      ann has balance 69.82, long none
      tom has balance 129.715, short none
    `;
  });
});
