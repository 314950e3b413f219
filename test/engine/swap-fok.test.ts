/**
 * A fill-or-kill contract order fills whole or not at all, whoever rests in its way: orders of
 * others and of the same account, opening and closing, with every way to prevent self trades, and
 * money that is just enough, just not enough, or short by the units that fees are rounded by.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type ContractAction,
  type ContractSpec,
  type Event,
  openingCost,
  SELF_TRADE_PREVENTIONS,
  ticks,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { marginMode } from '../support/arbitraries.ts';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor } from '../support/floor.ts';

const SEED = 20_261_122;

/** A lot of either is worth some hundred or thousand units: every rounding counts. */
const SMALL: readonly ContractSpec[] = [
  {
    ...LINEAR,
    contractValue: '0.0000001',
    priceStepTicks: ticks(1),
    referencePriceTicks: ticks(108),
  },
  { ...LINEAR, contractValue: '0.0000001', referencePriceTicks: ticks(10_800) },
  INVERSE,
];

const NAMES = ['ann', 'bob', 'cid'] as const;

interface Rest {
  readonly who: (typeof NAMES)[number];
  readonly closes: boolean;
  readonly step: number;
  readonly size: number;
}

const resting: fc.Arbitrary<Rest> = fc.record({
  who: fc.constantFrom(...NAMES, 'ann' as const, 'ann' as const),
  closes: fc.boolean(),
  step: fc.nat({ max: 3 }),
  size: fc.integer({ min: 1, max: 6 }),
});

function piece(rest: Rest): Rest {
  return { ...rest, closes: false, step: 1, size: 1 };
}

const scene = fc.record({
  spec: fc.constantFrom(...SMALL),
  leverage: fc.constantFrom(1, 3, 20, 50, 50, 75, 100),
  mode: marginMode,
  prevention: fc.constantFrom('none' as const, 'none' as const, ...SELF_TRADE_PREVENTIONS),
  buys: fc.boolean(),
  closes: fc.boolean(),
  held: fc.nat({ max: 40 }),
  rests: fc.oneof(
    fc.array(resting, { minLength: 1, maxLength: 30 }),
    // Many small pieces: what each one's fee is rounded by adds up.
    fc.array(resting.map(piece), { minLength: 30, maxLength: 90, size: 'max' }),
  ),
  /** How much of all that rests the order asks for. */
  partPpm: fc.integer({ min: 1, max: 1_000_000 }),
  atMarket: fc.boolean(),
  /** What the account has beyond the cost of the order at this step, in units. */
  costStep: fc.nat({ max: 3 }),
  slack: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -20, max: 120 }) },
    { weight: 1, arbitrary: fc.nat({ max: 100_000 }) },
  ),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

function endOf(
  events: readonly Event[],
): { filled: number; size: number; reason: string } | undefined {
  const [first] = events;
  if (first?.kind !== 'contract_order_accepted') return undefined;
  for (const event of events) {
    if (event.kind !== 'contract_order_closed') continue;
    const { order, reason } = event;
    if (order.orderId === first.orderId) {
      return { filled: order.filledLots, size: order.sizeLots, reason };
    }
  }
  throw new Error('a fill-or-kill order ends in the command that places it');
}

function play(drawn: Scene): ReturnType<typeof endOf> {
  const { spec, leverage, mode, prevention, buys, closes, held, rests } = drawn;
  const venue = Floor.ofContract(spec, { checks: false });
  const options = { mode, leverage };
  venue.open('ann', '1', { ...options, selfTradePrevention: prevention });
  for (const name of ['bob', 'cid']) venue.open(name, '1', { mode: 'cross' });
  const { referencePriceTicks, priceStepTicks } = spec;
  const priceOf = (step: number): string => {
    const away = (buys ? step : -step) * priceStepTicks;
    return formatTrimmed(referencePriceTicks + away, spec.priceScale);
  };
  for (const other of held > 0 ? (['bob', 'cid'] as const) : []) {
    venue.trade('ann', other, priceOf(0), held);
    venue.trade(other, 'ann', priceOf(0), held);
  }
  let size = 0;
  for (const rest of rests) {
    const action: ContractAction = buys
      ? rest.closes
        ? 'close_long'
        : 'open_short'
      : rest.closes
        ? 'close_short'
        : 'open_long';
    const [first] = venue.order(rest.who, action, priceOf(rest.step), rest.size);
    if (first?.kind !== 'refused') size += rest.size;
  }
  const wanted = Math.max(1, Math.floor((size * drawn.partPpm) / 1_000_000));
  const costTicks = venue.ticks(priceOf(drawn.costStep));
  const cost = openingCost(venue.contract, wanted, costTicks, leverage, spec.takerFeePpm);
  const kept = cost + BigInt(drawn.slack);
  const { available } = venue.account('ann');
  if (kept >= 0n && available > kept) venue.withdraw('ann', venue.text(available - kept));
  const own: ContractAction = buys
    ? closes
      ? 'close_short'
      : 'open_long'
    : closes
      ? 'close_long'
      : 'open_short';
  const price = drawn.atMarket ? 'market' : priceOf(3);
  return endOf(venue.order('ann', own, price, wanted, { force: 'fok' }));
}

test('a fill-or-kill order fills whole or not at all', () => {
  const ends = { filled: 0, killed: 0, refused: 0 };
  const property = fc.property(scene, (drawn) => {
    const end = play(drawn);
    if (end === undefined) ends.refused += 1;
    else if (end.filled > 0) ends.filled += 1;
    else ends.killed += 1;
    if (end === undefined) return;
    const { filled, size, reason } = end;
    assert.ok(filled === 0 || filled === size, `filled ${filled} of ${size}: ${reason}`);
    assert.equal(reason, filled === 0 ? 'fok_not_fillable' : 'filled');
  });
  fc.assert(property, { numRuns: 4_000, seed: SEED });
  for (const [what, count] of Object.entries(ends)) assert.ok(count > 100, `${what}: ${count}`);
});

/** The account is both parties: what its resting orders have frozen pays for the incoming one. */
for (const count of [30, 60]) {
  for (const leverage of [50, 75, 100]) {
    test(`all or nothing of ${count} lots against one's own orders at leverage ${leverage}`, () => {
      for (let slack = 0n; slack < 60n; slack += 1n) {
        const venue = Floor.ofContract(present(SMALL[0], 'contract'), { checks: false });
        venue.open('ann', '1', { mode: 'isolated', leverage, selfTradePrevention: 'none' });
        for (let at = 0; at < count; at += 1) venue.order('ann', 'open_short', '10.9', 1);
        const cost = openingCost(venue.contract, count, 109, leverage, LINEAR.takerFeePpm);
        const { available } = venue.account('ann');
        venue.withdraw('ann', venue.text(available - cost - slack));
        const end = endOf(venue.order('ann', 'open_long', '10.9', count, { force: 'fok' }));
        assert.ok(end === undefined || end.filled % count === 0, `${end?.filled} of ${count}`);
      }
    });
  }
}
