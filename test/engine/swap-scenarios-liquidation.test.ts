/**
 * Liquidation as tables: who loses what, who takes the other side, what the insurance fund gets.
 * Every expected figure follows from the formulas named in the remarks, rounded to 8 decimals.
 */
import { describe, test } from 'node:test';
import { lots } from '#domain';
import { playOn, QUIET_INVERSE, QUIET_LINEAR, scenario } from './swap-table.ts';

describe('a cascade of three accounts down to deleveraging, with an empty fund', () => {
  scenario('linear')`
    ann joins 10x with 100
    bob joins 20x with 100
    cat joins 20x with 200
    ann and cat trade 10 @ 30000     # V 300: fees ann 0.18, cat 0.12; margin 300/10
    bob and cat trade 20 @ 30000     # V 600: fees bob 0.36, cat 0.24; margin 600/20
    cat close_short 5 @ 28600        # the only bid there is
      -> rests 5 @ 28600
    # ann: P_b = (300 - 30) / (0.010 x 0.9994) = 27016.21; bob: 570 / (0.020 x 0.9994) = 28517.11
    ann has balance 99.82, long 10 @ 30000, long.margin 30, long.liquidation 27152.1
    bob has balance 99.64, long 20 @ 30000, long.margin 30, long.liquidation 28660.5
    cat has balance 199.64, short 30 @ 30000, short.margin 45, short.free 25
    # bob's ratio is the worse one: (30 - 62) / 538 against (30 - 31) / 269.
    # In the book: 5 lose 7, fee 0.0858, of his margin 7.5; 0.4142 is left for the fund.
    # Off the book: 15 lose 22.2375 of 22.5, no fee; 0.2625 is left. ann: 10 lose 29.835 of 30.
    index 26900
      -> bob/9 5 @ 28600 with cat
      -> bob/7 15 @ 28517.5 with cat/8 off the book
      -> bob long liquidated: 20 at 28517.5, 15 deleveraged, fund +0.6767
      -> ann/7 10 @ 27016.5 with cat/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    ann has balance 69.82, long none, orders 0
    bob has balance 69.64, long none, orders 0
    # 199.64 + 7 - 0.0572 (maker fee of 143) + 22.2375 + 29.835
    cat has balance 258.6553, short none, free 258.6553
    # 69.82 + 69.64 + 258.6553 + 0.8417 + 1.043 = 400
    venue has fund 0.8417, fees 1.043, interest 0, bids none
  `;

  scenario('inverse', QUIET_INVERSE)`
    ann joins 10x with 0.1
    bob joins 20x with 0.1
    cat joins 20x with 0.2
    ann and cat trade 3000 @ 30000   # V 0.1: fees ann 0.00006, cat 0.00004; margin 0.1/10
    bob and cat trade 6000 @ 30000   # V 0.2: fees bob 0.00012, cat 0.00008; margin 0.2/20
    cat close_short 1500 @ 28700
      -> rests 1500 @ 28700
    # ann: P_b = 3000 x 1.0006 / (0.1 + 0.01) = 27289.09; bob: 6000 x 1.0006 / 0.21 = 28588.57
    ann has balance 0.09994, long 3000 @ 30000, long.margin 0.01, long.liquidation 27425.5
    bob has balance 0.09988, long 6000 @ 30000, long.margin 0.01, long.liquidation 28731.5
    # In the book: 1500 lose 0.00226481, fee 0.00003136, of 0.0025; 0.00020383 is left.
    # Off the book: 4500 lose 4500/28589 - 0.15 = 0.0074032 of 0.0075; 0.0000968 is left.
    # ann: 3000/27289.5 - 0.1 = 0.0099324 of 0.01. What rounding cuts off both sides of a
    # match makes one more unit of the fund each time.
    index 27000
      -> bob/9 1500 @ 28700 with cat
      -> bob/7 4500 @ 28589 with cat/8 off the book
      -> bob long liquidated: 6000 at 28589, 4500 deleveraged, fund +0.00030065
      -> ann/7 3000 @ 27289.5 with cat/8 off the book
      -> ann long liquidated: 3000 at 27289.5, 3000 deleveraged, fund +0.00006761
    ann has balance 0.08994, long none
    bob has balance 0.08988, long none
    # 0.19988 + 0.0022648 - 0.00002091 + 0.00740319 + 0.00993239
    cat has balance 0.21945947, short none
    venue has fund 0.00036826, fees 0.00035227, interest 0
  `;
});

describe('the insurance fund', () => {
  // ann's long: P_b = (300 - 30) / (0.010 x 0.9994) = 27016.21, up to a step: 27016.5.
  const LONG_FILLS = [
    { price: '27500', fund: '4.835', why: '30 - 25 - 0.165' },
    { price: '27017', fund: '0.007898', why: '30 - 29.83 - 0.162102' },
    { price: '27016.5', fund: '0.002901', why: '30 - 29.835 - 0.162099' },
  ];
  for (const { price, fund, why } of LONG_FILLS) {
    scenario(`gets what a fill at ${price} leaves of a long's margin: ${why}`)`
      ann joins 10x with 100
      tom joins with 1000
      mia joins with 1000
      ann and tom trade 10 @ 30000
      mia bids 10 @ ${price}
      index 27100
        -> ann/9 10 @ ${price} with mia
        -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund +${fund}
      ann has balance 69.82, long none
      venue has fund ${fund}
    `;
  }

  // ann's short: P_b = (300 + 30) / (0.010 x 1.0006) = 32980.21, down to a step: 32980.
  const SHORT_FILLS = [
    { price: '32500', fund: '4.805', why: '30 - 25 - 0.195' },
    { price: '32979.5', fund: '0.007123', why: '30 - 29.795 - 0.197877' },
    { price: '32980', fund: '0.00212', why: '30 - 29.8 - 0.19788' },
  ];
  for (const { price, fund, why } of SHORT_FILLS) {
    scenario(`gets what a fill at ${price} leaves of a short's margin: ${why}`)`
      ann joins 10x with 100
      tom joins with 1000
      mia joins with 1000
      tom bids 10 @ 30000
      ann open_short 10 @ 30000
      ann has short.liquidation 32816.2     # (300 + 30) / (0.010 x 1.0056) = 32816.23
      mia asks 10 @ ${price}
      index 32900
        -> ann/10 10 @ ${price} with mia
        -> ann short liquidated: 10 at 32980, 0 deleveraged, fund +${fund}
      ann has balance 69.82, short none
      venue has fund ${fund}
    `;
  }

  scenario('pays for a fill beyond the bankruptcy price')`
    ann joins 10x with 100
    tom joins with 1000
    mia joins with 1000
    kim joins with 1000
    fund 1
    ann and tom trade 10 @ 30000
    mia bids 10 @ 27000               # the fund reaches 27016.5 - 1 / 0.010 = 26916.5
    kim bids 10 @ 27000
    index 27100                       # 30 - 30 - 0.162
      -> ann/9 10 @ 27000 with mia
      -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -0.162
    ann has balance 69.82, long none
    tom has balance 999.88, short 10 @ 30000
    venue has fund 0.838
  `;

  scenario('pays nothing where it cannot pay for all that is left')`
    ann joins 10x with 100
    tom joins with 1000
    mia joins with 1000
    kim joins with 1000
    fund 0.1
    ann and tom trade 10 @ 30000
    mia bids 4 @ 27010                # the fund reaches 27016.5 - 0.1 / 0.010 = 27006.5
    kim bids 4 @ 27010
    mia bids 6 @ 27006
    kim bids 6 @ 27006
    index 27100
      -> ann/7 10 @ 27016.5 with tom/8 off the book
      -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165
    ann has balance 69.82, long none
    venue has fund 0.265, bids 8 @ 27010 + 12 @ 27006
  `;

  test('never pays for a fill further than 2 % from the mark price', () => {
    const table = (bid: string, result: string) => `
      ann joins 10x with 100
      tom joins with 1000
      mia joins with 1000
      kim joins with 1000
      fund 10
      ann and tom trade 10 @ 30000
      mia bids 10 @ ${bid}
      kim bids 10 @ ${bid}
      index 27100                       # 27100 - 542 = 26558
      ${result}
    `;
    // 30 - 34.42 - 0.159348
    playOn(QUIET_LINEAR)`${table(
      '26558',
      `-> ann/9 10 @ 26558 with mia
         -> ann long liquidated: 10 at 27016.5, 0 deleveraged, fund -4.579348`,
    )}`;
    playOn(QUIET_LINEAR)`${table(
      '26557.5',
      `-> ann/7 10 @ 27016.5 with tom/8 off the book
         -> ann long liquidated: 10 at 27016.5, 10 deleveraged, fund +0.165`,
    )}`;
  });

  scenario('pays in the base coin for an inverse short', QUIET_INVERSE)`
    ann joins 10x with 0.1
    tom joins with 1
    mia joins with 1
    kim joins with 1
    fund 0.001
    tom bids 3000 @ 30000
    ann open_short 3000 @ 30000       # V 0.1, margin 0.01
    # at risk from 3000 x 0.9944 / (0.1 - 0.01), bankrupt at 3000 x 0.9994 / 0.09 = 33313.33
    ann has short.liquidation 33146.6
    mia asks 3000 @ 33400
    kim asks 3000 @ 33400
    # 0.1 - 3000/33400 = 0.010179641 lost of 0.01, fee 0.0000539
    index 33200
      -> ann/10 3000 @ 33400 with mia
      -> ann short liquidated: 3000 at 33313, 0 deleveraged, fund -0.00023355
    ann has balance 0.08994, short none
    venue has fund 0.00076645
  `;
});

describe('large positions are reduced by two tiers before they are taken over', () => {
  const BEFORE = `
    ann joins 20x with 100000
    tom joins with 1000000
    mia joins with 1000000
    ann and tom trade 60000 @ 30000     # V 1.8 million, margin 90000, tier 3: 2.5 %
    # (1800000 - 90000) / (60 x 0.9744) = 29248.77
    ann has long 60000 @ 30000, long.keeps 2.5%, long.liquidation 29248.8, balance 98920
  `;

  scenario('an isolated one of tier 3 keeps the 10000 contracts of tier 1')`
    ${BEFORE}
    mia bids 70000 @ 29100
    # (90000 - 48000) / 1752000 = 2.4 %, above the 0.56 % of tier 1
    index 29200
      -> ann/5 50000 @ 29100 with mia
    # pnl -45000, fee 873; margin 90000 x 5/6 comes back: it stays ann's, the fund gets nothing
    ann has balance 53047, long 10000 @ 30000, long.margin 15000, long.keeps 0.5%, free 38047
    venue has fund 0, bids 20000 @ 29100
  `;

  scenario('a partly filled reduction may do, with the rate of the tier that is left')`
    ${BEFORE}
    mia bids 20000 @ 29100
    # 40000 are tier 2: 1.06 % where 2.4 % are there. 98920 - 18000 - 349.2
    index 29200
      -> ann/5 20000 @ 29100 with mia
      -> ann remainder_not_filled 20000/50000
    ann has balance 80570.8, long 40000 @ 30000, long.margin 60000, long.keeps 1%
    venue has fund 0
  `;

  scenario('what is still in trouble after a partly filled reduction is taken over')`
    ${BEFORE}
    mia bids 5000 @ 29100
    # 55000 are tier 3 still. P_b = 1710000 / (60 x 0.9994) = 28517.11: 82500 - 81537.5
    index 29200
      -> ann/5 5000 @ 29100 with mia
      -> ann remainder_not_filled 5000/50000
      -> ann/7 55000 @ 28517.5 with tom/8 off the book
      -> ann long liquidated: 55000 at 28517.5, 55000 deleveraged, fund +962.5
    # 8920 + 7500 - 4500 - 87.3
    ann has balance 11832.7, long none
    tom has balance 1080817.5, short 5000 @ 30000
    venue has fund 962.5
  `;

  scenario('one that not even tier 1 would save is taken over at once')`
    ${BEFORE}
    mia bids 70000 @ 28600
    # (90000 - 84000) / 1716000 = 0.35 %. 90000 - 84000 - 1029.6
    index 28600
      -> ann/9 60000 @ 28600 with mia
      -> ann long liquidated: 60000 at 28517.5, 0 deleveraged, fund +4970.4
    ann has balance 8920, long none
  `;

  scenario('a cross short of tier 4 keeps the 50000 contracts of tier 2')`
    ann joins cross 10x with 910000
    tom joins 10x with 10000000
    mia joins 10x with 10000000
    tom bids 300000 @ 30000
    ann open_short 300000 @ 30000     # V 9 million, fee 5400, tier 4: 5 %
    ann has balance 904600, short.keeps 5%
    mia asks 260000 @ 31550
    # (904600 - 435000) / 9435000 = 4.98 %, at most 5.06 %
    index 31450
      -> ann/6 250000 @ 31550 with mia
    # 904600 - 387500 - 4732.5
    ann has balance 512367.5, short 50000 @ 30000, short.keeps 1%, pnl -72500
    venue has fund 0, asks 10000 @ 31550
  `;

  test('a gap takes more than one reduction', () => {
    const tiers = [
      { contractsMax: lots(100), maintenanceRatePpm: 5_000, leverageMax: 100 },
      { contractsMax: lots(200), maintenanceRatePpm: 10_000, leverageMax: 50 },
      { contractsMax: lots(400), maintenanceRatePpm: 40_000, leverageMax: 20 },
      { contractsMax: lots(800), maintenanceRatePpm: 50_000, leverageMax: 15 },
      { contractsMax: lots(1_600), maintenanceRatePpm: 60_000, leverageMax: 15 },
    ];
    playOn({ ...QUIET_LINEAR, tiers })`
      ann joins 15x with 2100
      tom joins 15x with 10000
      mia joins 15x with 10000
      ann and tom trade 1000 @ 30000    # V 30000, margin 2000, tier 5: 6 %
      mia bids 600 @ 28990
      mia bids 500 @ 28980
      # (2000 - 1000) / 29000 = 3.45 %: below the 4.06 % of tier 3 too, above the 0.56 % of tier 1
      index 29000
        -> ann/5 600 @ 28990 with mia
        -> ann/5 300 @ 28980 with mia
      # 2082 - 606 - 10.4364 - 306 - 5.2164
      ann has balance 1154.3472, long 100 @ 30000, long.margin 200, long.keeps 0.5%
      venue has fund 0, bids 200 @ 28980
    `;
  });
});
