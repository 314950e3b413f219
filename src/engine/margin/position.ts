/** One side of a contract account: what is held, what it cost, and what stands behind it. */
import {
  type Amount,
  type FineAmount,
  type HoldSide,
  type Lots,
  lots,
  NO_TOTALS,
  type OpenPart,
  type OrderId,
  type PositionTotals,
  type ValueTerms,
} from '#domain';
import { type AmountPages, fits, LASTING_ROWS } from '../ledger/amount-row.ts';
import { OpenSum } from './open-sum.ts';
import { type Filled, Tally } from './tally.ts';

/** What is liquidated as one: a side of an isolated account, or the account when cross. */
export type UnitSide = HoldSide | 'both';

/** A command's place in the sequence, and its time. */
export interface Moment {
  readonly seq: number;
  readonly timeMs: number;
}

/**
 * A position is called after the trade that opened it, which may have opened one of each side: so
 * no number of the venue's sequence is used up.
 */
function positionIdOf(side: HoldSide, tradeId: number): number {
  return 2 * tradeId + (side === 'short' ? 1 : 0);
}

/** The words of its row, of which the open value has the first two. */
const MARGIN = 2;
const MARGIN_OWED = 3;
const REALIZED_PNL = 4;
const OPENED = 5;
const UPDATED = 6;

export class Position extends OpenSum {
  readonly side: HoldSide;
  lots: Lots = lots(0);
  leverage: number;
  /** Whether margin is added by itself before a liquidation; isolated mode only. */
  autoAppend = false;
  /** Lots that resting close orders will take. */
  frozenLots: Lots = lots(0);
  /** Lots that resting opening orders may still add. */
  pendingLots = 0;
  /** Zero when flat. */
  positionId = 0;
  /** The order that opened it; undefined when flat, or opened before this was kept. */
  openedOrderId: OrderId | undefined;
  /** Which command opened it; zero when flat. */
  openedSeq = 0;
  updatedSeq = 0;

  readonly #tally: Tally;
  /** Of an inverse contract, whose fine units are too many for 64 bits: what margin is owed. */
  #inverseOwed: FineAmount | undefined;

  constructor(
    side: HoldSide,
    leverage: number,
    contract: ValueTerms,
    rows: AmountPages = LASTING_ROWS,
  ) {
    super(contract, rows);
    this.side = side;
    this.leverage = leverage;
    this.#tally = new Tally(contract, rows);
    this.#inverseOwed = contract.kind === 'inverse' ? 0n : undefined;
  }

  /** Money set aside for this side in isolated mode; zero in cross mode. */
  get margin(): Amount {
    return this.amounts[this.start + MARGIN] ?? 0n;
  }

  set margin(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + MARGIN] = amount;
    else this.setWide(MARGIN, amount);
  }

  /** Entry value whose V / L has not become margin: less than a unit of it, or what was lacking. */
  get marginOwed(): FineAmount {
    return this.#inverseOwed ?? this.amounts[this.start + MARGIN_OWED] ?? 0n;
  }

  set marginOwed(amount: FineAmount) {
    if (this.#inverseOwed !== undefined) this.#inverseOwed = amount;
    else if (fits(amount)) this.amounts[this.start + MARGIN_OWED] = amount;
    else this.setWide(MARGIN_OWED, amount);
  }

  /** Since the side was last flat, fees not included. */
  get realizedPnl(): Amount {
    return this.amounts[this.start + REALIZED_PNL] ?? 0n;
  }

  set realizedPnl(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + REALIZED_PNL] = amount;
    else this.setWide(REALIZED_PNL, amount);
  }

  /** When the side was opened; zero when flat. */
  get openedTimeMs(): number {
    return this.numbers[this.start + OPENED] ?? 0;
  }

  set openedTimeMs(timeMs: number) {
    this.numbers[this.start + OPENED] = timeMs;
  }

  get updatedTimeMs(): number {
    return this.numbers[this.start + UPDATED] ?? 0;
  }

  set updatedTimeMs(timeMs: number) {
    this.numbers[this.start + UPDATED] = timeMs;
  }

  /** What it has done under its id. */
  get totals(): PositionTotals {
    return this.#tally.totals;
  }

  set totals(totals: PositionTotals) {
    this.#tally.totals = totals;
  }

  /** The open value that leaves with so many lots. */
  shareOf(size: number): OpenPart {
    return this.openShare(this.side, size, this.lots);
  }

  /** Notes which command changed it. */
  changed({ seq, timeMs }: Moment): void {
    this.updatedTimeMs = timeMs;
    this.updatedSeq = seq;
  }

  /** Takes over what another one is, but for what it has done under its id. */
  become(other: Position): void {
    this.open = other.open;
    this.lots = other.lots;
    this.margin = other.margin;
    this.marginOwed = other.marginOwed;
    this.leverage = other.leverage;
    this.autoAppend = other.autoAppend;
    this.frozenLots = other.frozenLots;
    this.pendingLots = other.pendingLots;
    this.realizedPnl = other.realizedPnl;
    this.positionId = other.positionId;
  }

  /** A flat side is opened by a trade of an order. */
  begin(tradeId: number, orderId: OrderId, { seq, timeMs }: Moment): void {
    this.positionId = positionIdOf(this.side, tradeId);
    this.openedOrderId = orderId;
    this.openedTimeMs = timeMs;
    this.openedSeq = seq;
  }

  /** A side that has become flat forgets its past. */
  end(): void {
    this.positionId = 0;
    this.openedOrderId = undefined;
    this.totals = NO_TOTALS;
    this.openedTimeMs = 0;
    this.openedSeq = 0;
    this.realizedPnl = 0n;
    this.marginOwed = 0n;
    this.autoAppend = false;
  }

  countOpened(filled: Filled): void {
    this.#tally.countOpened(filled);
  }

  /** Before the lots leave: they take their part of what is held with them, rounded to zero. */
  countClosed(filled: Filled, isForced: boolean): void {
    this.#tally.countClosed(filled, this.lots, isForced);
  }

  countFunding(delta: Amount): void {
    this.#tally.countFunding(delta);
  }

  /** What can still be closed. */
  get availableLots(): Lots {
    return lots(this.lots - this.frozenLots);
  }
}
