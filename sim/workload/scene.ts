/** What somebody who draws a command sees of the venue, and the words that all draws share. */
import {
  type AccountId,
  type Amount,
  accountId,
  type Contract,
  type InstrumentId,
  type MarginAccountView,
  type SpotInstrument,
  type StateReader,
} from '#domain';
import type { Draw } from '../world/draw.ts';

/** How a seed's people are: bold ones use all they have, small ones only dust. */
export type Temper = 'bold' | 'small' | 'mixed';

export class Scene {
  readonly draw: Draw;
  readonly temper: Temper;
  view: StateReader;
  nowMs: number;
  #names = 0;

  constructor(draw: Draw, temper: Temper, view: StateReader, nowMs: number) {
    this.draw = draw;
    this.temper = temper;
    this.view = view;
    this.nowMs = nowMs;
  }

  /** An account that exists, most often, and now and then one that does not. */
  account(): AccountId {
    const { accountsCount } = this.view;
    if (accountsCount === 0 || this.draw.below(400) === 0) return accountId(accountsCount + 7);
    return accountId(1 + this.draw.below(accountsCount));
  }

  pair(): SpotInstrument | undefined {
    return this.draw.of(this.view.listings.spot);
  }

  contract(): Contract | undefined {
    return this.draw.of([...this.view.listings.contracts.values()]);
  }

  margin(accountId: AccountId, instrumentId: InstrumentId): MarginAccountView | undefined {
    return this.view.marginAccount(accountId, instrumentId);
  }

  /** An operator's id for money: none, a new one, or one that was there before. */
  operatorOid(): string | undefined {
    const { draw } = this;
    return draw.percent(60) ? undefined : `o${draw.below(40)}`;
  }

  /** A client id: new most often, one that was used before at times, and most often none. */
  clientId(): string | undefined {
    const { draw } = this;
    if (draw.percent(75)) return undefined;
    if (this.#names > 0 && draw.percent(40)) return `c${this.#names - draw.below(this.#names)}`;
    this.#names += 1;
    return `c${this.#names}`;
  }

  /** A price some way from another one: at it, close by, or far away. */
  priceNear(priceTicks: number, stepTicks = 1): number {
    const { draw } = this;
    const reach = draw.of([0, 0, 2_000, 2_000, 20_000, 300_000]);
    const moved = priceTicks + Math.round((priceTicks * draw.between(-reach, reach)) / 1_000_000);
    const stepped = Math.round(moved / stepTicks) * stepTicks;
    return Math.max(stepTicks, stepped) + (stepTicks > 1 && draw.below(200) === 0 ? 1 : 0);
  }

  /** A part of what there is, in parts of a million: all of it, dust, too much. */
  part(): number {
    const { draw, temper } = this;
    if (temper === 'small') return draw.between(0, 20_000);
    if (temper === 'bold') return draw.of([1_000_000, 1_000_000, 990_000, 500_000, 1_000_001]);
    return draw.of([1_000_000, 990_000, draw.between(0, 1_000_000), draw.between(0, 1_000)]);
  }

  /** A part of an amount, and rarely something that cannot be. */
  amount(available: Amount): Amount {
    if (this.draw.below(60) === 0) return this.draw.of([0n, -1n, available + 1n, 10n ** 40n]);
    const part = this.draw.part(available, this.part());
    return part > 0n || this.draw.percent(10) ? part : 1n;
  }
}
