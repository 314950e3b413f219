/**
 * Funding as tables: the rate that premium samples lead to, and who pays whom how much. The tables
 * start at 04:34:12 UTC, and a settlement at 04:40 comes 348 seconds later.
 */
import { describe, test } from 'node:test';
import { type ContractSpec, type IndexSource, lots } from '#domain';
import { LINEAR } from '../support/contracts.ts';
import { play, playOn, QUIET_INVERSE, QUIET_LINEAR, scenario } from './swap-table.ts';

const MINUTE_0440 = 280;

/** With an empty book the premium is zero and the rate is the interest part: 0.1 %. */
const RATE_TENTH_PERCENT = {
  fundingInterestPpm: 1_000,
  fundingClampPpm: 1_000,
  fundingMinutes: [MINUTE_0440],
};

/** Shorts pay: an interest part below zero. */
const RATE_BELOW_ZERO = { ...RATE_TENTH_PERCENT, fundingInterestPpm: -1_000 };

describe('a settlement', () => {
  const linear: ContractSpec = { ...QUIET_LINEAR, ...RATE_TENTH_PERCENT };
  const inverse: ContractSpec = { ...QUIET_INVERSE, ...RATE_TENTH_PERCENT };

  scenario('takes V x F out of the longs’ margin into the shorts’ balances', linear)`
    ann joins 10x with 100
    tom joins with 100
    zoe joins with 100
    ann and tom trade 6 @ 30000
    ann and zoe trade 4 @ 30000
    tick 348s                        # 300 x 0.001, shared 180 to 120
      -> funding 0.001 collected 0.3 distributed 0.3 uncollected 0
      -> ann -0.3; tom +0.18; zoe +0.12
    # 99.82 - 0.3; the liquidation price moves: (300 - 29.7) / (0.010 x 0.9944) = 27182.22
    ann has balance 99.52, long.margin 29.7, long.liquidation 27182.3
    tom has balance 100.108, short.margin 9
    zoe has balance 100.072, short.margin 6
    venue has fund 0
    tick 60s
      ->
  `;

  scenario('is paid by the shorts when the rate is below zero', {
    ...QUIET_INVERSE,
    ...RATE_BELOW_ZERO,
  })`
    ann joins 10x with 0.1
    tom joins with 0.1
    ann and tom trade 3000 @ 30000
    index 29500
    tick 348s                        # 3000/29500 x 0.001 = 0.00010169, rounded up
      -> funding -0.001 collected 0.0001017 distributed 0.00010169 uncollected 0
      -> tom -0.0001017; ann +0.00010169
    ann has balance 0.10004169, long.margin 0.01
    tom has balance 0.0998583, short.margin 0.0048983
    venue has fund 0.00000001
  `;

  scenario('rounds payers up and receivers down, the difference goes to the fund', inverse)`
    ann joins 10x with 0.1
    tom joins with 0.1
    zoe joins with 0.1
    ann and tom trade 1600 @ 30000
    ann and zoe trade 1400 @ 30000
    index 31000
    # 3000/31000 x 0.001 = 0.0000967742; 9678 x 16/30 = 5161.6; 9678 x 14/30 = 4516.4
    tick 348s
      -> funding 0.001 collected 0.00009678 distributed 0.00009677 uncollected 0
      -> ann -0.00009678; tom +0.00005161; zoe +0.00004516
    ann has long.margin 0.00990321
    venue has fund 0.00000001
  `;

  scenario('pays nobody what several payers were rounded up by', inverse)`
    ann joins 10x with 0.1
    pat joins 10x with 0.1
    tom joins with 0.1
    ann and tom trade 1000 @ 30000
    pat and tom trade 1000 @ 30000
    index 31000
    # 1000/31000 x 0.001 = 0.0000322581 each; 2000/31000 x 0.001 = 0.0000645161
    tick 348s
      -> funding 0.001 collected 0.00006452 distributed 0.00006451 uncollected 0
      -> ann -0.00003226; pat -0.00003226; tom +0.00006451
    venue has fund 0.00000001
  `;

  scenario('charges and pays both sides of a hedge, out of the balance when cross', linear)`
    ann joins cross with 100
    tom joins cross with 100
    ann and tom trade 5 @ 30000
    tom bids 3 @ 30000
    ann open_short 3 @ 30000
    tick 348s                        # 150 x 0.001 and 90 x 0.001 from each
      -> funding 0.001 collected 0.24 distributed 0.24 uncollected 0
      -> ann -0.15; tom -0.09; ann +0.09; tom +0.15
    ann has balance 99.796            # 100 - 0.09 - 0.054 - 0.06
    tom has balance 99.964            # 100 - 0.06 - 0.036 + 0.06
  `;

  scenario('takes no more than brings the payer down to the threshold', linear)`
    ann joins 20x with 100
    tom joins cross with 100
    tim joins cross with 100
    ted joins cross with 100
    ann and tom trade 3 @ 30000
    ann and tim trade 3 @ 30000
    ann and ted trade 3 @ 30000
    ann adds 0.1 to long
    index 28670
    # V 258.03, due 0.25803. Equity 13.6 - 11.97 = 1.63, threshold 0.56 % = 1.444968: 0.185032.
    # A third of it each, cut at 8 decimals; 0.00000001 stays for the fund. A ratio at the
    # threshold is liquidated: P_b = (270 - 13.414968) / (0.009 x 0.9994) = 28526.56;
    # 13.414968 - 13.257 is the fund's.
    tick 348s
      -> funding 0.001 collected 0.185032 distributed 0.18503199 uncollected 0.072998
      -> ann -0.185032; tom +0.06167733; tim +0.06167733; ted +0.06167733
      -> ann/7 3 @ 28527 with tom/8 off the book
      -> ann/7 3 @ 28527 with tim/8 off the book
      -> ann/7 3 @ 28527 with ted/8 off the book
      -> ann long liquidated: 9 at 28527, 9 deleveraged, fund +0.157968
    ann has balance 86.238, long none
    tom has balance 104.44467733
    venue has fund 0.15796801
  `;

  test('liquidates nobody while the index is stale, and then at the next price', () => {
    const indexSources: IndexSource[] = [{ kind: 'feed', name: 'a', weight: 1 }];
    playOn({ ...linear, indexSources, indexStaleMs: 60_000 })`
      ann joins 20x with 100
      tom joins cross with 100
      ann and tom trade 9 @ 30000
      feed a 28670
      tick 348s                        # V 258.03, equity 13.5 - 11.97, threshold 1.444968
        -> funding 0.001 collected 0.085032 distributed 0.085032 uncollected 0.172998
        -> ann -0.085032; tom +0.085032
      venue has index 28670, stale yes
      ann has long 9 @ 30000, long.margin 13.414968
      tick 60s
        ->
      feed a 28670                      # P_b = (270 - 13.414968) / (0.009 x 0.9994) = 28526.56
        -> ann/7 9 @ 28527 with tom/8 off the book
        -> ann long liquidated: 9 at 28527, 9 deleveraged, fund +0.157968
    `;
  });

  test('takes nothing from a payer who is already below the threshold', () => {
    const venue = playOn(linear)`
      ann joins 20x with 100
      pat joins 2x with 100
      tom joins cross with 1000
      ann and tom trade 10 @ 30000
      pat and tom trade 5 @ 30000
    `;
    const { instrumentId } = venue.contract;
    const tiers = [{ contractsMax: lots(1_000), maintenanceRatePpm: 100_000, leverageMax: 9 }];
    venue.run({ kind: 'update_contract', instrumentId, changes: { tiers, leverageMax: 9 } });
    play(venue)`
      # ann: 15 of 300 is less than 10.06 %. P_b = 285 / (0.010 x 0.9994) = 28517.11: 15 - 14.825
      tick 348s
        -> funding 0.001 collected 0.15 distributed 0.15 uncollected 0.3
        -> pat -0.15; tom +0.15
        -> ann/7 10 @ 28517.5 with tom/8 off the book
        -> ann long liquidated: 10 at 28517.5, 10 deleveraged, fund +0.175
    `;
  });

  scenario('that was missed several times is settled one after the other', {
    ...linear,
    fundingMinutes: [MINUTE_0440, 290, 300, 1_380],
  })`
    ann joins 10x with 100
    tom joins with 100
    ann and tom trade 10 @ 30000
    tick 347s                        # 04:39:59
      ->
    tick 1600s                       # 05:06:39, after 04:40, 04:50 and 05:00
      -> funding 0.001 collected 0.3 distributed 0.3 uncollected 0
      -> ann -0.3; tom +0.3
      -> funding 0.001 collected 0.3 distributed 0.3 uncollected 0
      -> ann -0.3; tom +0.3
      -> funding 0.001 collected 0.3 distributed 0.3 uncollected 0
      -> ann -0.3; tom +0.3
    tick 60s
      ->
    tick 64400s                      # 23:01 or so
      -> funding 0.001 collected 0.3 distributed 0.3 uncollected 0
      -> ann -0.3; tom +0.3
  `;

  scenario('finds nobody when nothing is held', linear)`
    ann joins 10x with 100
    tick 348s
      -> funding 0.001 collected 0 distributed 0 uncollected 0
  `;
});

describe('the rate', () => {
  /** F = P + clamp(0.01 % - P, +-0.05 %), at most 0.375 %; impact size 100 contracts. */
  const spec: ContractSpec = { ...LINEAR, markClampPpm: 1, fundingMinutes: [MINUTE_0440] };

  scenario('follows from one premium sample a minute, each side at its impact price', spec)`
    mia joins with 100000
    index 30000
    mia bids 40 @ 30060 id=a
    mia bids 90 @ 30050 id=b
    mia asks 200 @ 30070 id=c
    # impact bid (40 x 30060 + 60 x 30050) / 100 = 30054: premium 0.18 %, less 0.05 %
    tick 60s
    venue has rate 0.0013
    mia cancels a
    mia cancels b
    mia cancels c
    mia bids 30 @ 29900 id=d
    mia asks 100 @ 29970 id=e
    tick 1s                          # still the same minute
    venue has rate 0.0013
    # impact ask 29970: -0.1 %. Average 0.04 %: 0.04 - 0.03
    tick 60s
    venue has rate 0.0001
    mia cancels e
    mia asks 99 @ 29950               # too thin for the impact size: no premium
    tick 60s                         # average 0.0267 %
    venue has rate 0.0001
  `;

  scenario('below the index is negative', spec)`
    mia joins with 100000
    index 30000
    mia asks 100 @ 29970
    tick 60s                         # -0.1 % + 0.05 %
    venue has rate -0.0005
  `;

  scenario('is capped, and starts anew after a settlement', spec)`
    mia joins with 100000
    index 30000
    mia bids 100 @ 30200 id=a         # 0.667 % - 0.05 %
    tick 60s
    venue has rate 0.00375
    mia cancels a
    tick 288s                        # charged by the minutes before it; this one begins the next
      -> funding 0.00375 collected 0 distributed 0 uncollected 0
    venue has rate 0.0001
    tick 60s
    venue has rate 0.0001
  `;

  test('takes no sample while the index is stale', () => {
    const indexSources: IndexSource[] = [{ kind: 'feed', name: 'a', weight: 1 }];
    playOn({ ...spec, indexSources, indexStaleMs: 60_000, impactLots: lots(1) })`
      mia joins with 1000
      tom joins with 1000
      feed a 30000
      mia and tom trade 5 @ 30000
      tick 61s
      venue has stale yes, rate 0.0001
      tom close_short 1 @ 31000         # 3.3 % above a price that nobody knows any more
      tick 60s
      venue has rate 0.0001
      feed a 30900
      tick 1s                          # 100 / 30900 - 0.05 %, the only sample
      venue has rate 0.002736245
    `;
  });
});
