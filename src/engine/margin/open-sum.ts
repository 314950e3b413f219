/**
 * The sum of the values at which the lots of a position were opened, in fine units: kept in two
 * numbers while these are exact, and as a bigint beyond. Read as one it is made of them once.
 */
import {
  type FineAmount,
  type HoldSide,
  LINEAR_FINE,
  leverageUnit,
  type OpenPart,
  openPartFine,
  openPartOf,
  openShareOf,
  type TradeValue,
  type ValueTerms,
} from '#domain';
import { wholeToBigInt } from '#kernel';
import { type AmountPages, AmountRow, LASTING_ROWS } from '../ledger/amount-row.ts';

/** The words of its row; those behind them are a position's. */
const UNITS = 0;
const REST = 1;

export class OpenSum extends AmountRow {
  readonly #terms: ValueTerms;
  /** All of it; undefined where it was not asked for since the numbers changed. */
  #fine: FineAmount | undefined = 0n;

  constructor(terms: ValueTerms, rows: AmountPages = LASTING_ROWS) {
    super(rows);
    this.#terms = terms;
    if (terms.kind !== 'linear') this.units = Number.NaN;
  }

  /** NaN where numbers are not exact. */
  get units(): number {
    return this.numbers[this.start + UNITS] ?? 0;
  }

  set units(value: number) {
    this.numbers[this.start + UNITS] = value;
  }

  get rest(): number {
    return this.numbers[this.start + REST] ?? 0;
  }

  set rest(value: number) {
    this.numbers[this.start + REST] = value;
  }

  get open(): FineAmount {
    this.#fine ??= wholeToBigInt(this.units) * this.#terms.fineFactor + wholeToBigInt(this.rest);
    return this.#fine;
  }

  set open(fine: FineAmount) {
    const { units, rest } = openPartOf(this.#terms, fine);
    this.units = units;
    this.rest = rest;
    this.#fine = fine;
  }

  /** Within 10^-14 of it. */
  get roundedOpen(): number {
    return Number.isNaN(this.units) ? Number(this.open) : this.units * LINEAR_FINE + this.rest;
  }

  addOpened(worth: TradeValue): void {
    const units = this.units + worth.number;
    if (units <= Number.MAX_SAFE_INTEGER) {
      this.units = units;
      this.#fine = undefined;
    } else this.open += worth.fine;
  }

  /** The share of part of the lots. */
  openShare(side: HoldSide, part: number, whole: number): OpenPart {
    const isExact = !Number.isNaN(this.units);
    const open = { units: this.units, rest: this.rest, fine: isExact ? 0n : this.open };
    return openShareOf(this.#terms, side, open, part, whole);
  }

  takeShare(share: OpenPart): void {
    const units = this.units - share.units;
    if (Number.isNaN(units)) {
      this.open -= openPartFine(this.#terms, share);
      return;
    }
    const rest = this.rest - share.rest;
    this.units = rest < 0 ? units - 1 : units;
    this.rest = rest < 0 ? rest + LINEAR_FINE : rest;
    this.#fine = undefined;
  }

  /** What of it does not make a whole unit of margin. */
  beyondMargin(leverage: number): FineAmount {
    const beyond = (this.units % leverage) * LINEAR_FINE + this.rest;
    if (beyond <= Number.MAX_SAFE_INTEGER) return wholeToBigInt(beyond);
    return this.open % leverageUnit(this.#terms, leverage);
  }
}
