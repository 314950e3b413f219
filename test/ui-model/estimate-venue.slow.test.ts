/**
 * Estimates against the venue itself: what the terminal says before an order is sent is what the
 * venue books and shows after it, to the last digit.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AVERAGE_EXTRA_SCALE, type HoldSide, priceBand, type Side } from '#domain';
import { formatDecimal, present } from '#kernel';
import type { TradedContract } from '../../ui/src/model/contract.ts';
import {
  type ClosingEstimate,
  closingEstimate,
  costTicks,
  type OpeningEstimate,
  openableNow,
  openCount,
  openingEstimate,
} from '../../ui/src/model/contract-estimate.ts';
import type { MarginMode } from '../../ui/src/model/contract-words.ts';
import type { OrderWish } from '../../ui/src/model/expected.ts';
import { liquidationOf, sideOf } from '../../ui/src/model/margin-account.ts';
import {
  leverageCost,
  liquidationAfterMargin,
  removable,
  withLeverage,
} from '../../ui/src/model/margin-change.ts';
import { compare, scaled, scaledNumber } from '../../ui/src/model/numbers.ts';
import type { OrderLine } from '../../ui/src/model/orders.ts';
import { boundTicks } from '../../ui/src/model/slippage.ts';
import { holdSide } from '../support/arbitraries.ts';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import { INVERSE_SYMBOL, LINEAR_SYMBOL } from '../support/swap-desk.ts';
import { ETH_SYMBOL, type Shown, TerminalVenue } from './terminal-venue.ts';

const venue = closedAtEnd(await TerminalVenue.open());

const SYMBOLS = [LINEAR_SYMBOL, INVERSE_SYMBOL] as const;
const MODES: readonly MarginMode[] = ['isolated', 'cross'];
const SIDES: readonly HoldSide[] = ['long', 'short'];
/** Lots that make an order of a few thousand dollars. */
const ORDER_LOTS = { [LINEAR_SYMBOL]: 200, [INVERSE_SYMBOL]: 3_000 } as const;
const MARK_TICKS = 300_000;

for (const symbol of SYMBOLS) {
  test(`${symbol}: openable for an amount is what open_count answers`, async () => {
    const contract = venue.contract(symbol);
    const wishes = fc.record({
      amount: fc.bigInt({ min: 1n, max: symbol === LINEAR_SYMBOL ? 10n ** 14n : 10n ** 10n }),
      steps: fc.integer({ min: 30_000, max: 90_000 }),
      leverage: fc.integer({ min: 1, max: 100 }),
    });
    const property = fc.asyncProperty(wishes, async ({ amount, steps, leverage }) => {
      const priceTicks = steps * 5;
      const query = new URLSearchParams({
        symbol,
        amount: formatDecimal(amount, contract.marginScale),
        openPrice: formatDecimal(priceTicks, contract.priceScale),
        leverage: String(leverage),
      });
      const { body } = await venue.desk.house.get(`/api/swap/v3/market/open_count?${query}`);
      const answer: unknown = body;
      assert.deepEqual(answer, {
        openCount: String(openCount(contract, amount, priceTicks, leverage)),
      });
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
  });
}

function takingSide(does: 'open' | 'close', side: HoldSide): Side {
  return (side === 'long') === (does === 'open') ? 'buy' : 'sell';
}

/** Three levels a side around the mark price, one order each. */
async function fillBook(symbol: (typeof SYMBOLS)[number]): Promise<void> {
  const lots = ORDER_LOTS[symbol];
  await venue.quote(
    symbol,
    'sell',
    [5, 15, 115].map((away) => level(MARK_TICKS + away, lots)),
  );
  await venue.quote(
    symbol,
    'buy',
    [5, 15, 115].map((away) => level(MARK_TICKS - away, lots)),
  );
}

function level(priceTicks: number, lots: number) {
  return { priceTicks, lots };
}

interface Step {
  readonly does: 'open' | 'close';
  readonly side: HoldSide;
  readonly isMarket: boolean;
  readonly sizePercent: number;
  /** Of a limit, from the mark price towards the other side of the book. */
  readonly awayTicks: number;
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom('open', 'open', 'close'),
    side: holdSide,
    isMarket: fc.boolean(),
    sizePercent: fc.integer({ min: 1, max: 250 }),
    awayTicks: fc.integer({ min: 1, max: 30 }).map((count) => count * 5),
  }),
  { minLength: 2, maxLength: 5 },
);

/** Where a market order of this side ends, whatever rests beyond. */
function bandOf(symbol: (typeof SYMBOLS)[number], side: Side): number {
  const { priceBandPpm, priceStepTicks } = venue.contract(symbol);
  const { highestTicks, lowestTicks } = priceBand(MARK_TICKS, priceBandPpm, priceStepTicks);
  return side === 'buy' ? highestTicks : lowestTicks;
}

/** A market order, or a limit beyond the whole book, which takes all it can and rests nothing. */
function wishOf(step: Step, lots: number): OrderWish {
  const sign = takingSide(step.does, step.side) === 'buy' ? 1 : -1;
  const sizeLots = Math.max(1, Math.floor((lots * step.sizePercent) / 100));
  if (step.isMarket) return { type: 'market', force: 'ioc', priceTicks: 0, sizeLots };
  const priceTicks = MARK_TICKS + sign * step.awayTicks;
  return { type: 'limit', force: 'ioc', priceTicks, sizeLots };
}

class Trading {
  readonly symbol: (typeof SYMBOLS)[number];
  readonly who: Trader;
  readonly #fees: Partial<TradedContract>;

  constructor(
    symbol: (typeof SYMBOLS)[number],
    who: Trader,
    fees: Partial<Pick<TradedContract, 'feeRates'>> = {},
  ) {
    this.symbol = symbol;
    this.who = who;
    this.#fees = fees;
  }

  get contract(): TradedContract {
    return { ...venue.contract(this.symbol), ...this.#fees };
  }

  shown(): Promise<Shown> {
    return venue.shown(this.who, this.symbol);
  }

  async run(step: Step): Promise<void> {
    await fillBook(this.symbol);
    const side = takingSide(step.does, step.side);
    const worstTicks = bandOf(this.symbol, side);
    const wish = { ...wishOf(step, ORDER_LOTS[this.symbol]), worstTicks };
    await this.send(step, wish);
  }

  /** Estimates an order, sends it, and compares. */
  async send(step: Pick<Step, 'does' | 'side'>, wish: OrderWish): Promise<void> {
    const before = await this.shown();
    const opposite = await venue.opposite(this.symbol, takingSide(step.does, step.side));
    if (step.does === 'open') {
      const estimate = openingEstimate(this.contract, before.state, step.side, wish, opposite);
      assert.ok(estimate !== undefined);
      const order = await venue.send(this.who, this.symbol, 'open', step.side, wish);
      this.#checkOpened(step.side, estimate, order, before, await this.shown());
    } else if (sideOf(before.state, step.side).availableLots > 0) {
      const held = sideOf(before.state, step.side).availableLots;
      const cut = { ...wish, sizeLots: Math.min(wish.sizeLots, held) };
      const estimate = closingEstimate(this.contract, before.state, step.side, cut, opposite);
      const order = await venue.send(this.who, this.symbol, 'close', step.side, cut);
      this.#checkClosed(step.side, estimate, order, before, await this.shown());
    }
    await venue.emptyBook();
  }

  #checkOpened(
    side: HoldSide,
    estimate: OpeningEstimate,
    order: OrderLine,
    before: Shown,
    now: Shown,
  ): void {
    this.#checkTraded(side, estimate, order, before, now);
    const grown = sideOf(now.state, side).margin - sideOf(before.state, side).margin;
    assert.equal(grown, estimate.margin, 'margin');
    assert.equal(before.settled - now.settled, estimate.fee, 'balance');
  }

  #checkClosed(
    side: HoldSide,
    estimate: ClosingEstimate,
    order: OrderLine,
    before: Shown,
    now: Shown,
  ): void {
    this.#checkTraded(side, estimate, order, before, now);
    const { marginScale } = this.contract;
    assert.equal(scaled(order.profit ?? '0', marginScale), estimate.pnl, 'profit');
    const change = now.settled - before.settled;
    assert.equal(change, estimate.pnl - estimate.fee, 'balance');
    if (now.state.mode === 'cross') return;
    const freed = sideOf(before.state, side).margin - sideOf(now.state, side).margin;
    assert.equal(freed, estimate.released, 'released margin');
  }

  #checkTraded(
    side: HoldSide,
    estimate: OpeningEstimate | ClosingEstimate,
    order: OrderLine,
    before: Shown,
    now: Shown,
  ): void {
    const { marginScale, priceScale, quantityScale } = this.contract;
    const size = (text: string) => scaledNumber(text, quantityScale);
    assert.equal(scaled(order.fee ?? '0', marginScale), estimate.fee, 'fee');
    assert.equal(size(order.size) - size(order.filled), estimate.unfilledLots, 'unfilled');
    const average = formatDecimal(estimate.averageTicks, priceScale + AVERAGE_EXTRA_SCALE);
    assert.equal(compare(order.average, average), 0, 'average price');
    const shown = now.standing[side]?.liquidation ?? formatDecimal(0, priceScale);
    const expected = formatDecimal(estimate.liquidationTicks, priceScale);
    assert.equal(compare(shown, expected), 0, 'liquidation price before the order');
    const readBack = liquidationOf(this.contract, now.state, side);
    assert.equal(
      compare(shown, formatDecimal(readBack, priceScale)),
      0,
      'liquidation price read back',
    );
    assert.equal(now.state.balance - before.state.balance, now.settled - before.settled);
  }
}

describe('an order that trades', () => {
  for (const symbol of SYMBOLS) {
    for (const mode of MODES) {
      test(`${symbol}, ${mode}: fee, margin, profit and liquidation price come true`, async () => {
        const property = fc.asyncProperty(
          fc.integer({ min: 1, max: 50 }),
          steps,
          async (leverage, sequence) => {
            await venue.emptyBook();
            const who = await venue.trader(symbol, mode, leverage);
            const trading = new Trading(symbol, who);
            for (const step of sequence) await trading.run(step);
          },
        );
        await fc.assert(property, { numRuns: 8, endOnFailure: true });
      });
    }
  }
});

const beside = fc.record({
  mode: fc.constantFrom(...MODES),
  side: holdSide,
  sizeLots: fc.integer({ min: 1, max: 20 }),
  /** Where its mark price goes then. */
  price: fc.integer({ min: 1_800, max: 2_200 }),
  closedLots: fc.integer({ min: 0, max: 3 }),
});

/** Opens a position in the other contract, closes a little of it, and moves its mark price. */
async function holdBeside(
  who: Trader,
  held: typeof beside extends fc.Arbitrary<infer H> ? H : never,
) {
  const symbol = ETH_SYMBOL;
  await venue.desk.setIndex(2_000, symbol);
  await venue.desk.data(who, 'holdModel', { symbol, holdModel: held.mode === 'isolated' ? 1 : 2 });
  const market = { type: 'market', force: 'ioc', priceTicks: 0 } as const;
  const { side, sizeLots } = held;
  for (const [does, lots] of [
    ['open', sizeLots],
    ['close', Math.min(held.closedLots, sizeLots - 1)],
  ] as const) {
    if (lots === 0) continue;
    const taken = takingSide(does, side) === 'buy' ? 'sell' : 'buy';
    const away = taken === 'sell' ? 5 : -5;
    await venue.quote(
      symbol,
      taken,
      [3, 17].map((steps) => level(20_000 + away * steps, 10)),
    );
    await venue.send(who, symbol, does, side, { ...market, sizeLots: lots });
  }
  await venue.desk.setIndex(held.price, symbol);
}

describe('an order beside a position in another contract on the same wallet', () => {
  for (const mode of MODES) {
    test(`${mode}: fee, margin, profit and liquidation price come true`, async () => {
      const property = fc.asyncProperty(beside, steps, async (held, sequence) => {
        await venue.emptyBook();
        const who = await venue.trader(LINEAR_SYMBOL, mode, 20);
        await holdBeside(who, held);
        const trading = new Trading(LINEAR_SYMBOL, who);
        for (const step of sequence) await trading.run(step);
      });
      await fc.assert(property, { numRuns: 12, endOnFailure: true });
    });
  }
});

/** In lots, as a part of the whole book of six orders' size; above one it is more than there is. */
const beyondBook = fc.record({
  side: holdSide,
  slippagePpm: fc.constantFrom(0, 100, 500, 50_000, 200_000),
  sizePercent: fc.integer({ min: 10, max: 700 }),
  feePpm: fc.constantFrom(undefined, 0, 37, 1_999),
  /** In price steps from the mark price. */
  aways: fc.uniqueArray(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 4 }),
  /** Whether another order rests where no market order goes. */
  isBandReached: fc.boolean(),
});

const STOPPED_BY_BAND = { slippagePpm: 0, sizePercent: 150, feePpm: 37 } as const;
const BEYOND_BAND_STEPS = 39_000;

describe('an order that is larger than the book within its reach', () => {
  for (const symbol of SYMBOLS) {
    test(`${symbol}: what fills, what is left and what it costs come true`, async () => {
      const property = fc.asyncProperty(beyondBook, async (held) => {
        await venue.emptyBook();
        const { side, slippagePpm, sizePercent, feePpm } = held;
        const who = await venue.trader(symbol, 'isolated', 3);
        const fees = feePpm === undefined ? {} : await ownFees(who, feePpm);
        const taking = takingSide('open', side);
        const sign = taking === 'buy' ? 1 : -1;
        const lots = ORDER_LOTS[symbol];
        const aways = held.isBandReached ? [...held.aways, BEYOND_BAND_STEPS] : held.aways;
        const prices = aways.map((steps) => MARK_TICKS + sign * 5 * steps);
        prices.sort((one, other) => sign * (one - other));
        await venue.quote(
          symbol,
          taking === 'buy' ? 'sell' : 'buy',
          prices.map((priceTicks) => level(priceTicks, lots)),
        );
        const sizeLots = Math.floor((lots * sizePercent) / 100);
        const worstTicks = bandOf(symbol, taking);
        const bound = boundTicks(taking, present(prices[0], 'a price'), slippagePpm, 5);
        const isInBand = sign * (present(prices[0], 'a price') - worstTicks) <= 0;
        const isAllowed = sign * (bound - worstTicks) <= 0;
        fc.pre(slippagePpm === 0 ? isInBand : isAllowed);
        const wish: OrderWish =
          slippagePpm === 0
            ? { type: 'market', force: 'ioc', priceTicks: 0, sizeLots, worstTicks }
            : { type: 'limit', force: 'ioc', priceTicks: bound, sizeLots };
        await new Trading(symbol, who, fees).send({ does: 'open', side }, wish);
      });
      const examples = SIDES.map(
        (side): [typeof beyondBook extends fc.Arbitrary<infer B> ? B : never] => [
          { ...STOPPED_BY_BAND, side, aways: [1], isBandReached: true },
        ],
      );
      await fc.assert(property, { numRuns: 20, examples, endOnFailure: true });
    });
  }
});

/** Sets the account's own rates; what they are in the terminal's terms. */
async function ownFees(who: Trader, feePpm: number) {
  const { accountId } = who;
  const changes = { takerFeePpm: feePpm, makerFeePpm: feePpm };
  await venue.desk.house.run({ kind: 'update_account', accountId, changes });
  return { feeRates: { takerPpm: feePpm, makerPpm: feePpm } };
}

describe('an order that rests', () => {
  for (const symbol of SYMBOLS) {
    for (const side of SIDES) {
      test(`${symbol}, ${side}: its cost is what is frozen`, async () => {
        await venue.emptyBook();
        const contract = venue.contract(symbol);
        const sign = side === 'long' ? -1 : 1;
        const property = fc.asyncProperty(
          fc.integer({ min: 1, max: 100 }),
          fc.integer({ min: 1, max: 3_000 }),
          fc.integer({ min: 1, max: 400 }),
          async (leverage, sizeLots, away) => {
            const who = await venue.trader(symbol, 'isolated', leverage);
            const priceTicks = MARK_TICKS + sign * away * 5;
            const wish: OrderWish = { type: 'limit', force: 'gtc', priceTicks, sizeLots };
            const { state } = await venue.shown(who, symbol);
            const estimate = openingEstimate(contract, state, side, wish, []);
            await venue.send(who, symbol, 'open', side, wish);
            const { wallet, state: now } = await venue.shown(who, symbol);
            await venue.emptyBook();
            assert.equal(scaled(wallet?.held ?? '0', contract.marginScale), estimate?.cost);
            assert.equal(state.available - now.available, estimate?.cost);
          },
        );
        await fc.assert(property, { numRuns: 6, endOnFailure: true });
      });
    }
  }
});

describe('the most that can be opened', () => {
  for (const symbol of SYMBOLS) {
    for (const mode of MODES) {
      for (const side of SIDES) {
        test(`${symbol}, ${mode}, ${side}: all of it is taken, a lot more is not`, async () => {
          await venue.emptyBook();
          await fillBook(symbol);
          const who = await venue.trader(symbol, mode, 20);
          const lots = ORDER_LOTS[symbol];
          // A position and a resting order, which both count.
          const first: OrderWish = { type: 'market', force: 'ioc', priceTicks: 0, sizeLots: lots };
          await venue.send(who, symbol, 'open', side, first);
          await venue.emptyBook();
          const priceTicks = MARK_TICKS + (side === 'long' ? -50 : 50);
          const second: OrderWish = { type: 'limit', force: 'gtc', priceTicks, sizeLots: lots };
          await venue.send(who, symbol, 'open', side, second);
          const { state } = await venue.shown(who, symbol);
          const contract = venue.contract(symbol);
          const at = costTicks(contract, side, second, []);
          const most = openableNow(contract, state, side, at);
          assert.ok(most > 0);
          const tooMuch = venue.fields(symbol, 'open', side, { ...second, sizeLots: most + 1 });
          const [status] = await venue.desk.refusal(who, 'placeOrder', tooMuch);
          assert.equal(status, 400);
          await venue.send(who, symbol, 'open', side, { ...second, sizeLots: most });
        });
      }
    }
  }
});

describe('margin of a position', () => {
  for (const symbol of SYMBOLS) {
    for (const side of SIDES) {
      test(`${symbol}, ${side}: leverage and taken out margin move what was said`, async () => {
        await venue.emptyBook();
        await fillBook(symbol);
        const who = await venue.trader(symbol, 'isolated', 20);
        const contract = venue.contract(symbol);
        const sizeLots = ORDER_LOTS[symbol] + 7;
        const wish: OrderWish = { type: 'market', force: 'ioc', priceTicks: 0, sizeLots };
        await venue.send(who, symbol, 'open', side, wish);
        const { state } = await venue.shown(who, symbol);
        const holdSide = side === 'long' ? 1 : 2;
        await venue.desk.data(who, 'leverage', { symbol, leverage: 7, holdSide });
        const { state: lower } = await venue.shown(who, symbol);
        assert.equal(state.available - lower.available, leverageCost(contract, state, side, 7));
        assert.deepEqual(withLeverage(contract, state, side, 7), lower);

        await venue.desk.data(who, 'leverage', { symbol, leverage: 20, holdSide });
        const back = await venue.shown(who, symbol);
        assert.deepEqual(back.state, state, 'there and back again');
        const more = formatDecimal(sideOf(state, side).margin / 2n, contract.marginScale);
        const positionType = side === 'long' ? 0 : 1;
        const add = { symbol, positionType, type: 1, amount: more };
        await venue.desk.data(who, 'adjustMargin', add);
        const { state: higher } = await venue.shown(who, symbol);
        const most = removable(contract, higher, side, MARK_TICKS);
        assert.ok(most > 0n);
        const take = (amount: bigint) => ({
          ...{ symbol, positionType, type: 2 },
          amount: formatDecimal(amount, contract.marginScale),
        });
        assert.equal((await venue.desk.refusal(who, 'adjustMargin', take(most + 1n)))[0], 400);
        await venue.desk.data(who, 'adjustMargin', take(most));
        const { standing } = await venue.shown(who, symbol);
        const expected = liquidationAfterMargin(contract, higher, side, -most);
        const shown = formatDecimal(expected, contract.priceScale);
        assert.equal(standing[side]?.liquidation, shown);
      });
    }
  }
});
