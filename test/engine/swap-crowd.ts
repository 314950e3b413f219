/**
 * A crowd that trades along a price path: fifty leveraged accounts with a mind of their own, from a
 * seed, and one account that makes the market around the mark price. Whatever the engine refuses,
 * the crowd shrugs off, as people do.
 */
import {
  type Contract,
  type ContractAction,
  closeOf,
  type Event,
  type HoldSide,
  type MarginAccountView,
  openableLots,
  openOf,
  otherSide,
  ticks,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import type { Floor } from '../support/floor.ts';
import { isNetting } from './swap-arithmetic.ts';

const TRADERS_COUNT = 50;
/** Traders that do something in a minute. */
const TURNS_PER_MINUTE = 6;
const LEVERAGES = [3, 5, 10, 20, 25, 50, 75, 100] as const;
/** Where the market maker quotes: distance from the mark price and part of its size. */
const LADDER = [
  { distancePpm: 500, size: 0.1 },
  { distancePpm: 2_000, size: 0.3 },
  { distancePpm: 10_000, size: 0.6 },
] as const;

/** What the crowd starts with, in margin coins, and how many contracts each side is quoted for. */
export interface CrowdTerms {
  readonly seed: number;
  readonly traderMoney: readonly [least: string, most: string];
  readonly makerMoney: string;
  readonly quotedLots: number;
}

export class Crowd {
  readonly #venue: Floor;
  readonly #terms: CrowdTerms;
  readonly #random: () => number;
  /** The market maker and the traders. */
  readonly names: string[] = ['maker'];

  constructor(venue: Floor, terms: CrowdTerms) {
    this.#venue = venue;
    this.#terms = terms;
    this.#random = seeded(terms.seed);
  }

  /** Opens everybody's account. */
  enter(): void {
    this.#venue.open('maker', this.#terms.makerMoney, { mode: 'cross', leverage: 10 });
    for (let at = 0; at < TRADERS_COUNT; at += 1) {
      const name = `trader${at}`;
      const mode = this.#random() < 0.4 ? 'cross' : 'isolated';
      this.#venue.open(name, this.#purse(), { mode, leverage: this.#pick(LEVERAGES) });
      this.names.push(name);
    }
  }

  /** One minute of trading at the prices of now. */
  trade(): void {
    this.#quote();
    const [, ...traders] = this.names;
    for (let turn = 0; turn < TURNS_PER_MINUTE; turn += 1) this.#act(this.#pick(traders));
  }

  /** The market maker renews its quotes; it closes what it holds before it opens more. */
  #quote(): void {
    const venue = this.#venue;
    const accountId = venue.id('maker');
    venue.run({ kind: 'cancel_all_contract_orders', accountId });
    const { long, short } = venue.account('maker');
    const left = { long: long.lots as number, short: short.lots as number };
    for (const { distancePpm, size } of LADDER) {
      const lots = Math.ceil(this.#terms.quotedLots * size);
      for (const side of ['long', 'short'] as const) {
        const other = otherSide(side);
        const closing = Math.min(lots, left[other]);
        left[other] -= closing;
        const factor = side === 'long' ? 1_000_000 - distancePpm : 1_000_000 + distancePpm;
        const price = this.#price(factor);
        if (closing > 0) venue.order('maker', closeOf(other), price, closing);
        if (closing < lots) venue.order('maker', openOf(side), price, lots - closing);
      }
    }
  }

  #act(name: string): void {
    const view = this.#venue.account(name);
    if (this.#isBroke(view) && this.#random() < 0.5) this.#venue.fund(name, this.#purse());
    const held = (['long', 'short'] as const).filter((side) => view[side].lots > 0);
    const side = held.length === 0 ? this.#mood() : this.#pick(held);
    if (held.length === 0) this.#open(name, side);
    else this.#manage(name, view, side);
  }

  /** More people buy than sell. */
  #mood(): HoldSide {
    return this.#random() < 0.65 ? 'long' : 'short';
  }

  #open(name: string, side: HoldSide): void {
    const view = this.#venue.account(name);
    const { leverage } = view[side];
    const part = BigInt(20 + Math.floor(this.#random() * 75));
    const money = (view.available * part) / 100n;
    const price = this.#limit(side);
    const priceTicks = ticks(price === 'market' ? this.#mark() : this.#venue.ticks(price));
    const size = openableLots(this.#contract, money, priceTicks, leverage);
    if (size === 0) return;
    const rises = { takeProfit: this.#price(1_030_000), stopLoss: this.#price(985_000) };
    const falls = { takeProfit: this.#price(970_000), stopLoss: this.#price(1_015_000) };
    const presets = this.#random() < 0.3 ? (side === 'long' ? rises : falls) : {};
    this.#venue.order(name, openOf(side), price, size, presets);
  }

  /** Mostly at the market, else a little better than the mark price. */
  #limit(side: HoldSide): string {
    if (this.#random() < 0.7) return 'market';
    const ppm = Math.floor(this.#random() * 10_000);
    return this.#price(side === 'long' ? 1_000_000 - ppm : 1_000_000 + ppm);
  }

  #manage(name: string, view: MarginAccountView, side: HoldSide): void {
    const venue = this.#venue;
    const accountId = venue.id(name);
    const { instrumentId } = this.#contract;
    const half = Math.ceil(view[side].availableLots / 2);
    const choice = this.#random();
    if (choice < 0.12) {
      venue.run({ kind: 'set_auto_margin', accountId, instrumentId, side, automatic: true });
    } else if (choice < 0.2) {
      venue.adjustMargin(name, side, this.#part(view.available, 4n));
    } else if (choice < 0.4) {
      venue.order(name, closeOf(side), 'market', half);
    } else if (choice < 0.5) {
      venue.order(name, closeOf(side), this.#limit(otherSide(side)), half);
    } else if (choice < 0.6) {
      this.#plan(name, closeOf(side), half);
    } else if (choice < 0.68) {
      this.#plan(name, openOf(this.#mood()), half);
    } else if (choice < 0.74) {
      venue.leverage(name, side, this.#pick(LEVERAGES));
    } else if (choice < 0.8) {
      venue.withdraw(name, this.#part(view.available, 2n));
    } else if (choice < 0.86) {
      venue.run({ kind: 'cancel_all_contract_orders', accountId });
    } else {
      this.#open(name, choice < 0.93 ? otherSide(side) : side);
    }
  }

  #plan(name: string, action: ContractAction, size: number): void {
    if (size === 0) return;
    const ppm = Math.floor(this.#random() * 40_000) - 20_000;
    this.#venue.trigger(name, action, this.#price(1_000_000 + ppm), 'market', size);
  }

  #isBroke(view: MarginAccountView): boolean {
    const least = this.#venue.amount(this.#terms.traderMoney[0]);
    return view.long.lots + view.short.lots === 0 && view.available < least / 4n;
  }

  #purse(): string {
    const [least, most] = this.#terms.traderMoney.map((text) => this.#venue.amount(text));
    const from = present(least, 'least');
    const span = present(most, 'most') - from;
    return this.#venue.text(from + (span * BigInt(Math.floor(this.#random() * 100))) / 100n);
  }

  #part(amount: bigint, parts: bigint): string {
    return this.#venue.text(amount / parts);
  }

  /** The mark price times a factor in millionths, on a price step. */
  #price(factorPpm: number): string {
    const { priceStepTicks, priceScale } = this.#contract;
    const steps = Math.round((this.#mark() * factorPpm) / 1_000_000 / priceStepTicks);
    return formatTrimmed(Math.max(1, steps) * priceStepTicks, priceScale);
  }

  #mark(): number {
    const prices = this.#venue.engine.contractPrices(this.#contract.instrumentId);
    return present(prices, 'prices').markTicks;
  }

  get #contract(): Contract {
    return this.#venue.contract;
  }

  #pick<T>(from: readonly T[]): T {
    return present(from[Math.floor(this.#random() * from.length)], 'one of them');
  }
}

/** What happened on the way, counted from the events. */
export class Tally {
  readonly counts = {
    trades: 0,
    liquidations: 0,
    crossedLiquidations: 0,
    reductions: 0,
    deleveragings: 0,
    deleveragedLots: 0,
    fundReceipts: 0,
    fundPayments: 0,
    replenishments: 0,
    nettings: 0,
    plansTriggered: 0,
    presetsTriggered: 0,
    settlements: 0,
    refusals: 0,
  };
  uncollected = 0n;

  add(events: readonly Event[]): void {
    for (const event of events) this.#count(event);
  }

  #count(event: Event): void {
    const { counts } = this;
    if (event.kind === 'refused') counts.refusals += 1;
    else if (isNetting(event)) counts.nettings += 1;
    else if (event.kind === 'contract_trade' && event.inBook) {
      counts.trades += 1;
      if (event.taker.cause === 'reduction') counts.reductions += 1;
    } else if (event.kind === 'contract_trade') {
      counts.deleveragings += 1;
      counts.deleveragedLots += event.sizeLots;
    } else if (event.kind === 'liquidated') {
      counts.liquidations += 1;
      if (event.mode === 'cross') counts.crossedLiquidations += 1;
      if (event.fundDelta > 0n) counts.fundReceipts += 1;
      if (event.fundDelta < 0n) counts.fundPayments += 1;
    } else if (event.kind === 'margin_adjusted' && event.cause === 'automatic') {
      counts.replenishments += 1;
    } else if (event.kind === 'trigger_order_closed' && event.status === 'triggered') {
      if (event.trigger.purpose === 'trigger') counts.plansTriggered += 1;
      else counts.presetsTriggered += 1;
    } else if (event.kind === 'funding_settled') {
      counts.settlements += 1;
      this.uncollected += event.uncollected;
    }
  }
}

/** A small generator of numbers from 0 to 1: the same ones for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
