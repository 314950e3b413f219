/**
 * What a position has done under its id, added up with every fill. The last fills are counted in
 * numbers and join the exact totals before they would not be exact themselves: without six sums of
 * bigints a command takes 7 % less time.
 */
import {
  type Amount,
  type FineAmount,
  NO_TOTALS,
  type PositionTotals,
  partOf,
  type TradeValue,
  type ValueTerms,
} from '#domain';
import { wholeToNumber } from '#kernel';
import { type AmountPages, AmountRow, fits, LASTING_ROWS } from '../ledger/amount-row.ts';

/** What a fill adds. */
export interface Filled {
  readonly size: number;
  readonly worth: TradeValue;
  readonly fee: Amount;
}

/** The words of its row. */
const OPENED_LOTS = 0;
const OPENED_UNITS = 1;
const OPENED_FEE = 2;
const CLOSED_LOTS = 3;
const CLOSED_UNITS = 4;
const CLOSED_FEE = 5;
const HELD_FEE = 6;

export class Tally extends AmountRow {
  /** Fine units of a value that are one of a number here; undefined where values are no whole. */
  readonly #unit: FineAmount | undefined;
  /** All of it but what the numbers below hold. */
  #exact: PositionTotals = NO_TOTALS;

  constructor({ kind, fineFactor }: ValueTerms, rows: AmountPages = LASTING_ROWS) {
    super(rows);
    this.#unit = kind === 'linear' ? fineFactor : undefined;
  }

  get openedLots(): number {
    return this.numbers[this.start + OPENED_LOTS] ?? 0;
  }

  set openedLots(value: number) {
    this.numbers[this.start + OPENED_LOTS] = value;
  }

  get openedUnits(): number {
    return this.numbers[this.start + OPENED_UNITS] ?? 0;
  }

  set openedUnits(value: number) {
    this.numbers[this.start + OPENED_UNITS] = value;
  }

  get openedFee(): number {
    return this.numbers[this.start + OPENED_FEE] ?? 0;
  }

  set openedFee(value: number) {
    this.numbers[this.start + OPENED_FEE] = value;
  }

  get closedLots(): number {
    return this.numbers[this.start + CLOSED_LOTS] ?? 0;
  }

  set closedLots(value: number) {
    this.numbers[this.start + CLOSED_LOTS] = value;
  }

  get closedUnits(): number {
    return this.numbers[this.start + CLOSED_UNITS] ?? 0;
  }

  set closedUnits(value: number) {
    this.numbers[this.start + CLOSED_UNITS] = value;
  }

  get closedFee(): number {
    return this.numbers[this.start + CLOSED_FEE] ?? 0;
  }

  set closedFee(value: number) {
    this.numbers[this.start + CLOSED_FEE] = value;
  }

  get heldFee(): Amount {
    return this.amounts[this.start + HELD_FEE] ?? 0n;
  }

  set heldFee(amount: Amount) {
    if (fits(amount)) this.amounts[this.start + HELD_FEE] = amount;
    else this.setWide(HELD_FEE, amount);
  }

  get totals(): PositionTotals {
    this.#join();
    return this.#exact;
  }

  set totals(totals: PositionTotals) {
    this.#clear();
    this.#exact = totals;
    this.heldFee = totals.heldFee;
  }

  countOpened({ size, worth, fee }: Filled): void {
    const units = worth.number;
    const paid = wholeToNumber(fee);
    if (!this.#canCount(size, units, paid)) {
      const { openedLots, openedValue, openedFee } = this.#exact;
      this.#change({
        openedLots: openedLots + BigInt(size),
        openedValue: openedValue + worth.fine,
        openedFee: openedFee + fee,
      });
    } else {
      this.openedLots += size;
      this.openedUnits += units;
      this.openedFee += paid;
    }
    this.heldFee += fee;
  }

  /** So many lots of those that are held leave. */
  countClosed({ size, worth, fee }: Filled, held: number, isForced: boolean): void {
    const units = worth.number;
    const paid = wholeToNumber(fee);
    if (isForced || !this.#canCount(size, units, paid)) {
      const { closedLots, closedValue, closedFee, liquidationFee } = this.#exact;
      this.#change({
        closedLots: closedLots + BigInt(size),
        closedValue: closedValue + worth.fine,
        closedFee: isForced ? closedFee : closedFee + fee,
        liquidationFee: isForced ? liquidationFee + fee : liquidationFee,
      });
    } else {
      this.closedLots += size;
      this.closedUnits += units;
      this.closedFee += paid;
    }
    this.heldFee -= partOf(this.heldFee, size, held);
    const { heldFunding } = this.#exact;
    if (heldFunding !== 0n) {
      this.#change({ heldFunding: heldFunding - partOf(heldFunding, size, held) });
    }
  }

  countFunding(delta: Amount): void {
    const { funding, heldFunding } = this.#exact;
    this.#change({ funding: funding + delta, heldFunding: heldFunding + delta });
  }

  #change(totals: Partial<PositionTotals>): void {
    this.#exact = { ...this.#exact, ...totals };
  }

  /** Whether a fill can be counted in numbers; those that there are may have to join for it. */
  #canCount(size: number, units: number, fee: number): boolean {
    if (this.#unit === undefined || Number.isNaN(units)) return false;
    if (this.#hasRoom(size, units, fee)) return true;
    this.#join();
    return this.#hasRoom(size, units, fee);
  }

  /** Whether each number stays exact with this: none of them is ever below zero. */
  #hasRoom(size: number, units: number, fee: number): boolean {
    const most = Number.MAX_SAFE_INTEGER;
    return (
      Math.max(this.openedLots, this.closedLots) + size <= most &&
      Math.max(this.openedUnits, this.closedUnits) + units <= most &&
      Math.max(this.openedFee, this.closedFee) + fee <= most
    );
  }

  /** Makes all of it exact. */
  #join(): void {
    const { openedLots, openedValue, openedFee, closedLots, closedValue, closedFee } = this.#exact;
    const unit = this.#unit ?? 0n;
    const exact = {
      openedLots: openedLots + BigInt(this.openedLots),
      openedValue: openedValue + BigInt(this.openedUnits) * unit,
      openedFee: openedFee + BigInt(this.openedFee),
      closedLots: closedLots + BigInt(this.closedLots),
      closedValue: closedValue + BigInt(this.closedUnits) * unit,
      closedFee: closedFee + BigInt(this.closedFee),
      heldFee: this.heldFee,
    };
    this.#change(exact);
    this.#clear();
    this.heldFee = exact.heldFee;
  }

  #clear(): void {
    this.openedLots = 0;
    this.openedUnits = 0;
    this.openedFee = 0;
    this.closedLots = 0;
    this.closedUnits = 0;
    this.closedFee = 0;
    this.heldFee = 0n;
  }
}
