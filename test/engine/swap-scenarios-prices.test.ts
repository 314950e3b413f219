/** Index and mark price as tables: which sources count, what the mark follows, who is stopped. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ContractSpec, type IndexSource, type InstrumentId, lots, ticks } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';
import { play, playOn, QUIET_LINEAR, scenario } from './swap-table.ts';

function fedBy(...names: readonly string[]): Partial<ContractSpec> {
  return { indexSources: names.map((name) => ({ kind: 'feed', name, weight: 1 })) };
}

describe('the index price', () => {
  scenario('is the reference price until somebody reports')`
    venue has index 30000, mark 30000
  `;

  test('is the weighted mean of what the sources say', () => {
    const indexSources: IndexSource[] = [
      { kind: 'feed', name: 'a', weight: 1 },
      { kind: 'feed', name: 'b', weight: 1 },
      { kind: 'feed', name: 'c', weight: 2 },
    ];
    playOn({ ...QUIET_LINEAR, indexSources })`
      feed a 30000
      feed b 30010
      feed c 30020                      # (30000 + 30010 + 2 x 30020) / 4
      venue has index 30012.5, mark 30012.5
    `;
  });

  scenario('leaves out a source too far from the median of three', {
    ...QUIET_LINEAR,
    ...fedBy('a', 'b', 'c'),
    indexOutlierPpm: 50_000,
  })`
    feed a 30000
    feed b 30010
    feed c 31510                      # 5 % above the median of 30010 is 31510.5
    venue has index 30506.7           # 91520 / 3 = 30506.67
    feed c 31510.6
    venue has index 30005
  `;

  scenario('asks the last index which of two sources to believe', {
    ...QUIET_LINEAR,
    ...fedBy('a', 'b'),
    indexOutlierPpm: 50_000,
  })`
    feed a 30000
    feed b 33000
    venue has index 30000
  `;

  scenario('is the operator’s word until it is taken back', {
    ...QUIET_LINEAR,
    ...fedBy('a'),
    indexOutlierPpm: 50_000,
  })`
    feed a 30000
    operator 26000
    feed a 30100
    tick 60s
    venue has index 26000, mark 26000
    operator 0
    venue has index 26000             # 30100 is 7 % from 28050, the middle of it and the last
    wait 61s
    feed a 30100                      # an index a minute old is no witness any more
    venue has index 30100
  `;

  scenario('takes no word from strangers and no price of zero', { ...QUIET_LINEAR, ...fedBy('a') })`
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
  `;

  scenario('is held when nobody reports, and then only closing is possible', {
    ...QUIET_LINEAR,
    ...fedBy('a'),
    indexStaleMs: 60_000,
  })`
    ann joins 10x with 100
    tom joins with 100
    feed a 30100
    ann and tom trade 10 @ 30100
    tick 59s                         # the report still counts, at 60 s it did for the last time
    tick 59s
    venue has index 30100, stale no
    ann open_long 1 @ 29000
      -> rests 1 @ 29000
    tick 2s                          # 61 s since it counted
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
  `;
});

describe('a pair of this venue as the source', () => {
  const SYMBOL = 'BTC-USDT';

  function withPair(terms: Partial<ContractSpec> = {}, ...others: readonly IndexSource[]) {
    const venue = Floor.ofContract({ ...QUIET_LINEAR, ...terms });
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
      priceBandPpm: 0,
    } as const;
    venue.run({ kind: 'list_spot', spec: spot });
    const book: IndexSource = { kind: 'spot', symbol: SYMBOL, weight: 1 };
    const changes = { indexSources: [book, ...others] };
    venue.run({ kind: 'update_contract', instrumentId, changes });
    const pair = present(venue.engine.listings.spotBySymbol(SYMBOL), SYMBOL).instrumentId;
    const desk = venue.open('desk', { USDT: '1000000', BTC: '10' });
    return { venue, pair, desk };
  }

  function quote({ venue, pair, desk }: ReturnType<typeof withPair>, bid: string, ask: string) {
    venue.run({ kind: 'cancel_all_spot_orders', accountId: desk });
    const at: { readonly instrument: InstrumentId } = { instrument: pair };
    if (bid !== '') venue.limit(desk, 'buy', bid, '1', at);
    if (ask !== '') venue.limit(desk, 'sell', ask, '1', at);
    venue.tick();
  }

  test('counts with the middle of its book while that is two-sided and at most 1 % wide', () => {
    const at = withPair();
    quote(at, '29999.98', '30010.01');
    play(at.venue)`venue has index 30005, mark 30005`; // 30004.995
    quote(at, '29999.94', '30009.95');
    play(at.venue)`venue has index 30004.9`; // 30004.945
    quote(at, '30000', '');
    play(at.venue)`venue has index 30004.9`;
    quote(at, '', '30000');
    play(at.venue)`venue has index 30004.9`;
    quote(at, '29850', '30150'); // exactly 1 % of 30000
    play(at.venue)`venue has index 30000`;
    quote(at, '29749.99', '30050'); // just over 1 % of 29899.995
    play(at.venue)`venue has index 30000`;
  });

  type WithPair = ReturnType<typeof withPair>;
  type Level = readonly [price: string, quantity: string];

  /** Replaces the whole book; the mark price is refreshed by the next tick. */
  function stack({ venue, pair, desk }: WithPair, bids: readonly Level[], asks: readonly Level[]) {
    venue.run({ kind: 'cancel_all_spot_orders', accountId: desk });
    while (venue.engine.hasWork) venue.run({ kind: 'continue_work' });
    const at = { instrument: pair };
    for (const [price, quantity] of bids) venue.limit(desk, 'buy', price, quantity, at);
    for (const [price, quantity] of asks) venue.limit(desk, 'sell', price, quantity, at);
  }

  /** 9000 USDT: 0.2 at 30000 and 0.1 at 29990 or 30010, more or less. */
  const NINE_THOUSAND = { indexImpact: 9_000n * 10n ** 8n };

  test('counts with the average prices of the impact notional', () => {
    const at = withPair(NINE_THOUSAND);
    stack(
      at,
      [
        ['30000', '0.2'],
        ['29900', '5'],
      ], // 6000, and 0.1004 for the other 3000: 29966.56
      [
        ['30010', '0.1'],
        ['30100', '5'],
      ], // 3001, and 0.1993 for the other 5999: 30069.93
    );
    at.venue.tick();
    play(at.venue)`venue has index 30018.3`;
  });

  test('is not moved by an order of 6 USDT, and does not count without the depth', () => {
    const at = withPair(NINE_THOUSAND);
    stack(at, [['30000', '5']], [['30010', '5']]);
    at.venue.tick();
    play(at.venue)`venue has index 30005`;
    stack(
      at,
      [
        ['30009', '0.0002'],
        ['30000', '5'],
      ],
      [['30010', '5']],
    );
    at.venue.tick();
    play(at.venue)`venue has index 30005`;
    stack(at, [['29800', '5']], [['29810', '0.3']]); // 8943 USDT
    at.venue.tick();
    play(at.venue)`venue has index 30005`;
    stack(at, [['29800', '0.3']], [['29810', '5']]); // 8940 USDT
    at.venue.tick();
    play(at.venue)`venue has index 30005`;
    stack(at, [['29800', '5']], [['29810', '5']]);
    at.venue.tick();
    play(at.venue)`venue has index 29805`;
  });

  test('must have the averages within 1 %, not only the best prices', () => {
    const at = withPair(NINE_THOUSAND);
    stack(
      at,
      [
        ['29999', '0.0001'],
        ['29700', '5'],
      ],
      [
        ['30001', '0.0001'],
        ['30200', '5'],
      ],
    );
    at.venue.tick();
    play(at.venue)`venue has index 30000`; // the reference price
    stack(
      at,
      [
        ['29999', '0.0001'],
        ['29900', '5'],
      ],
      [
        ['30001', '0.0001'],
        ['30200', '5'],
      ],
    );
    at.venue.tick();
    play(at.venue)`venue has index 30050`;
  });

  test('is walked over a bounded number of levels', () => {
    const at = withPair({ indexImpact: 3_100n * 10n ** 8n });
    const changes = { openOrdersMax: 2_000 };
    at.venue.run({ kind: 'update_account', accountId: at.desk, changes });
    const tick = (step: number) => (30_000 - step / 100).toFixed(2);
    const dust = (count: number): Level[] =>
      Array.from({ length: count }, (_, step): Level => [tick(step), '0.0001']);
    stack(at, [...dust(999), ['29900', '5']], [['30000.1', '5']]);
    at.venue.tick();
    play(at.venue)`venue has index 29995.9`;
    stack(at, [...dust(1_000), ['29900', '5']], [['30010', '5']]);
    at.venue.tick();
    play(at.venue)`venue has index 29995.9`;
  });

  test('alone it takes the index along at a bounded rate', () => {
    const at = withPair({ indexMovePpm: 500 });
    quote(at, '29000', '29010'); // 15 in a second; what has never been fresh makes up for 60 s
    play(at.venue)`venue has index 29100`;
    play(at.venue)`
      tick 1s
      venue has index 29085.4
      tick 2s
      venue has index 29056.3
      tick 10s
      venue has index 29005
    `;
    quote(at, '', '');
    play(at.venue)`wait 3600s`;
    quote(at, '33000', '33010'); // an hour without a price counts as a minute
    play(at.venue)`venue has index 29875.2`;
  });

  test('moves a coarse price by a tick at least', () => {
    const at = withPair({ indexMovePpm: 1 });
    quote(at, '29999', '29999.2');
    play(at.venue)`
      venue has index 29999.1
      tick 1s
      venue has index 29999.1
    `;
    quote(at, '29998', '29998.2');
    play(at.venue)`venue has index 29999`;
  });

  test('is believed at once together with a feed', () => {
    const feed: IndexSource = { kind: 'feed', name: 'path', weight: 1 };
    const at = withPair({ indexMovePpm: 500, indexOutlierPpm: 50_000 }, feed);
    play(at.venue)`feed path 30000`;
    quote(at, '30490', '30510');
    play(at.venue)`venue has index 30250`;
    // What somebody does to the book beyond the bound does nothing to the index.
    quote(at, '33990', '34010');
    play(at.venue)`venue has index 30000`;
  });

  test('goes on as it was after a restart', () => {
    const at = withPair({ ...NINE_THOUSAND, indexMovePpm: 500 });
    stack(at, [['29000', '5']], [['29010', '5']]);
    at.venue.tick();
    const { engine } = at.venue;
    const copy = Engine.restore(engine.dump());
    const { timeMs } = present(at.venue.commands.at(-1), 'command');
    const tick = { kind: 'tick' } as const;
    assert.deepEqual(copy.apply(tick, timeMs + 1_000), engine.apply(tick, timeMs + 1_000));
    assert.deepEqual([...copy.dump()], [...engine.dump()]);
  });

  test('counts no more when it is halted', () => {
    const at = withPair();
    quote(at, '29990', '30010');
    const changes = { status: 'halt' } as const;
    at.venue.run({ kind: 'update_spot', instrumentId: at.pair, changes });
    quote(at, '29890', '29910');
    play(at.venue)`venue has index 30000`;
    assert.equal(at.venue.engine.contractPrices(at.venue.contract.instrumentId)?.indexStale, false);
  });
});

describe('the mark price', () => {
  /** As a venue would list it, but without a funding rate: 3 % clamp, median of three. */
  const spec: ContractSpec = { ...LINEAR, fundingInterestPpm: 0 };

  test('is the index carried to the next settlement while there is no market', () => {
    // 04:34:12 to 07:00:00 is 8748 of 28800 s: 30000 x (1 + 0.0001 x 0.30375) = 30000.911
    playOn(LINEAR)`
      index 30000
      venue has index 30000, mark 30000.9
    `;
  });

  scenario('is the median of last price, index and the middle of the book', spec)`
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
    tick 5s                          # the book's middle: 30059.5, on average +54.7
    venue has mark 30054.7
    tick 56s                         # the last trade is over a minute old
    venue has mark 30000
  `;

  scenario('averages the middle of the book over five minutes, one sample in five seconds', spec)`
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
    tick 4s                          # too early for a sample: +50
    venue has mark 30050
    tick 1s                          # +30: on average +40
    venue has mark 30040
    tick 296s                        # the first one is over five minutes old; +30 and +30
    ann and tom trade 1 @ 30060
    tick 1s
    venue has mark 30030
  `;

  const CLAMPED = [
    { index: '30000', mark: '30900' },
    { index: '31500', mark: '31990' },
    { index: '33500', mark: '32495' },
  ];
  for (const { index, mark } of CLAMPED) {
    scenario(`of a market at 31990 is ${mark} when the index is ${index}: 3 % at most`, spec)`
      ann joins 1x with 1000
      tom joins 1x with 1000
      ann bids 1 @ 31980
      tom asks 1 @ 32000
      ann and tom trade 1 @ 31990
      index ${index}
      venue has mark ${mark}
    `;
  }
});
