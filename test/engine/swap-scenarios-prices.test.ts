/** Index and mark price as tables: which sources count, what the mark follows, who is stopped. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContractSpec, type IndexSource, type InstrumentId, lots, ticks } from '#domain';
import { present } from '#kernel';
import { LINEAR } from './contracts.ts';
import { play, playOn, QUIET_LINEAR } from './swap-table.ts';
import { SwapVenue } from './swap-venue.ts';

function fedBy(...names: readonly string[]): Partial<ContractSpec> {
  return { indexSources: names.map((name) => ({ kind: 'feed', name, weight: 1 })) };
}

describe('the index price', () => {
  test('is the reference price until somebody reports', () => {
    playOn(QUIET_LINEAR, 'venue has index 30000, mark 30000');
  });

  test('is the weighted mean of what the sources say', () => {
    const indexSources: IndexSource[] = [
      { kind: 'feed', name: 'a', weight: 1 },
      { kind: 'feed', name: 'b', weight: 1 },
      { kind: 'feed', name: 'c', weight: 2 },
    ];
    playOn(
      { ...QUIET_LINEAR, indexSources },
      `
      feed a 30000
      feed b 30010
      feed c 30020                      # (30000 + 30010 + 2 x 30020) / 4
      venue has index 30012.5, mark 30012.5
      `,
    );
  });

  test('leaves out a source too far from the median of three', () => {
    playOn(
      { ...QUIET_LINEAR, ...fedBy('a', 'b', 'c'), indexOutlierPpm: 50_000 },
      `
      feed a 30000
      feed b 30010
      feed c 31510                      # 5 % above the median of 30010 is 31510.5
      venue has index 30506.7           # 91520 / 3 = 30506.67
      feed c 31510.6
      venue has index 30005
      `,
    );
  });

  test('asks the last index which of two sources to believe', () => {
    playOn(
      { ...QUIET_LINEAR, ...fedBy('a', 'b'), indexOutlierPpm: 50_000 },
      `
      feed a 30000
      feed b 33000
      venue has index 30000
      `,
    );
  });

  test('is the operator’s word until it is taken back', () => {
    playOn(
      { ...QUIET_LINEAR, ...fedBy('a'), indexOutlierPpm: 50_000 },
      `
      feed a 30000
      operator 26000
      feed a 30100
      pulse 60s
      venue has index 26000, mark 26000
      operator 0
      venue has index 26000             # 30100 is 7 % from 28050, the middle of it and the last
      wait 61s
      feed a 30100                      # an index a minute old is no witness any more
      venue has index 30100
      `,
    );
  });

  test('takes no word from strangers and no price of zero', () => {
    playOn(
      { ...QUIET_LINEAR, ...fedBy('a') },
      `
      feed b 30000
        -> refused index_source_unknown
      feed a 0
        -> refused price_invalid
      feed a 100000000000000.1          # what lies around the highest is still exact
        -> refused price_invalid
      operator 900719925474099.1
        -> refused price_invalid
      operator 100000000000000
      venue has index 100000000000000
      `,
    );
  });

  test('is held when nobody reports, and then only closing is possible', () => {
    playOn(
      { ...QUIET_LINEAR, ...fedBy('a'), indexStaleMs: 60_000 },
      `
      ann joins 10x with 100
      tom joins with 100
      feed a 30100
      ann and tom trade 10 @ 30100
      pulse 59s                         # the report still counts, at 60 s it did for the last time
      pulse 59s
      venue has index 30100, stale no
      ann open_long 1 @ 29000
        -> rests 1 @ 29000
      pulse 2s                          # 61 s since it counted
      venue has index 30100, stale yes
      ann open_long 1 @ 29000
        -> refused contract_halted
      tom open_short 1 @ 29000
        -> refused contract_halted
      ann close_long 2 @ 30100
        -> rests 2 @ 30100
      tom close_short 2 @ 30100
        -> 2 @ 30100 with ann
      feed a 30000
      venue has index 30000, stale no
      ann open_long 1 @ 28000
        -> rests 1 @ 28000
      `,
    );
  });
});

describe('a pair of this venue as the source', () => {
  const SYMBOL = 'BTCUSDT_SPBL';

  function withPair() {
    const venue = SwapVenue.listed(QUIET_LINEAR);
    const { instrumentId } = venue.contract;
    const spot = {
      symbol: SYMBOL,
      baseCode: 'BTC',
      quoteCode: 'USDT',
      priceScale: 2,
      quantityScale: 4,
      minLots: lots(1),
      maxLots: lots(1_000_000),
      minNotional: 0n,
      takerFeePpm: 0,
      makerFeePpm: 0,
      status: 'online',
      referencePriceTicks: ticks(0),
    } as const;
    venue.run({ kind: 'list_spot', spec: spot });
    const changes = { indexSources: [{ kind: 'spot', symbol: SYMBOL, weight: 1 } as const] };
    venue.run({ kind: 'update_contract', instrumentId, changes });
    const pair = present(venue.engine.listings.spotBySymbol(SYMBOL), SYMBOL).instrumentId;
    const desk = venue.venue.open('desk', { USDT: '1000000', BTC: '10' });
    return { venue, pair, desk };
  }

  function quote({ venue, pair, desk }: ReturnType<typeof withPair>, bid: string, ask: string) {
    venue.run({ kind: 'cancel_all_spot_orders', accountId: desk });
    const at: { readonly instrument: InstrumentId } = { instrument: pair };
    if (bid !== '') venue.venue.limit(desk, 'buy', bid, '1', at);
    if (ask !== '') venue.venue.limit(desk, 'sell', ask, '1', at);
    venue.pulse();
  }

  test('counts with the middle of its book while that is two-sided and at most 1 % wide', () => {
    const at = withPair();
    quote(at, '29999.98', '30010.01');
    play(at.venue, 'venue has index 30005, mark 30005'); // 30004.995
    quote(at, '29999.94', '30009.95');
    play(at.venue, 'venue has index 30004.9'); // 30004.945
    quote(at, '30000', '');
    play(at.venue, 'venue has index 30004.9');
    quote(at, '', '30000');
    play(at.venue, 'venue has index 30004.9');
    quote(at, '29850', '30150'); // exactly 1 % of 30000
    play(at.venue, 'venue has index 30000');
    quote(at, '29749.99', '30050'); // just over 1 % of 29899.995
    play(at.venue, 'venue has index 30000');
  });

  test('counts no more when it is halted', () => {
    const at = withPair();
    quote(at, '29990', '30010');
    const changes = { status: 'halt' } as const;
    at.venue.run({ kind: 'update_spot', instrumentId: at.pair, changes });
    quote(at, '29890', '29910');
    play(at.venue, 'venue has index 30000');
    assert.equal(at.venue.engine.contractPrices(at.venue.contract.instrumentId)?.indexStale, false);
  });
});

describe('the mark price', () => {
  /** As a venue would list it, but without a funding rate: 3 % clamp, median of three. */
  const spec: ContractSpec = { ...LINEAR, fundingInterestPpm: 0 };

  test('is the index carried to the next settlement while there is no market', () => {
    // 04:34:12 to 07:00:00 is 8748 of 28800 s: 30000 x (1 + 0.0001 x 0.30375) = 30000.911
    playOn(
      LINEAR,
      `
      index 30000
      venue has index 30000, mark 30000.9
      `,
    );
  });

  test('is the median of last price, index and the middle of the book', () => {
    playOn(
      spec,
      `
      ann joins with 10000
      tom joins with 10000
      ann and tom trade 1 @ 30100
      index 30000
      venue has mark 30000              # no book: the index stands in for it
      ann bids 1 @ 30040
      tom asks 1 @ 30060
      index 30000
      venue has mark 30050              # of 30100, 30000 and 30050
      ann bids 1 @ 30059
      pulse 5s                          # the book's middle: 30059.5, on average +54.7
      venue has mark 30054.7
      pulse 56s                         # the last trade is over a minute old
      venue has mark 30000
      `,
    );
  });

  test('averages the middle of the book over five minutes, one sample in five seconds', () => {
    playOn(
      spec,
      `
      ann joins with 10000
      tom joins with 10000
      ann bids 1 @ 30040 id=a
      tom asks 1 @ 30060
      index 30000                       # +50
      ann cancels a
      ann bids 1 @ 30060.5
        -> 1 @ 30060 with tom
      tom asks 1 @ 30060
      ann bids 1 @ 30000
      pulse 4s                          # too early for a sample: +50
      venue has mark 30050
      pulse 1s                          # +30: on average +40
      venue has mark 30040
      pulse 296s                        # the first one is over five minutes old; +30 and +30
      ann and tom trade 1 @ 30060
      pulse 1s
      venue has mark 30030
      `,
    );
  });

  const CLAMPED = [
    { index: '30000', mark: '30900' },
    { index: '31500', mark: '31990' },
    { index: '33500', mark: '32495' },
  ];
  for (const { index, mark } of CLAMPED) {
    test(`of a market at 31990 is ${mark} when the index is ${index}: 3 % at most`, () => {
      playOn(
        spec,
        `
        ann joins 1x with 1000
        tom joins 1x with 1000
        ann bids 1 @ 31980
        tom asks 1 @ 32000
        ann and tom trade 1 @ 31990
        index ${index}
        venue has mark ${mark}
        `,
      );
    });
  }
});
