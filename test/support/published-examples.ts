/**
 * Published worked examples, read as exact integers. All of them use the same generous scales, so
 * that nothing an example prints is too precise and rounding stays far below its tolerance.
 */
import { readFileSync } from 'node:fs';
import { fineFactorOf, type HoldSide, lots, ticks, type ValueTerms } from '#domain';
import { assert, parseDecimal, parseScaled, present } from '#kernel';

/** Decimal places of a price, a size, an amount of money and a contract value. */
export const PRICE_SCALE = 10;
const SIZE_SCALE = 6;
export const MONEY_SCALE = 24;
const LINEAR_VALUE_SCALE = MONEY_SCALE - PRICE_SCALE - SIZE_SCALE;
const INVERSE_VALUE_SCALE = MONEY_SCALE + PRICE_SCALE - SIZE_SCALE;
export const ONE = 10n ** BigInt(MONEY_SCALE);

/** As printed by the source. */
export type Figure =
  | string
  | number
  | boolean
  | readonly Figure[]
  | { readonly [name: string]: Figure };

/** As worked out here: a bigint is a number of 10^-MONEY_SCALE. */
export type Computed =
  | bigint
  | string
  | number
  | boolean
  | readonly Computed[]
  | { readonly [name: string]: Computed };

export interface Row {
  readonly id: string;
  readonly group: string;
  readonly mechanism: string;
  readonly exchange: string;
  readonly contract: 'linear' | 'inverse';
  readonly source: string;
  readonly source_kind: string;
  readonly inputs: { readonly [name: string]: Figure };
  readonly expected: { readonly [name: string]: Figure };
  /** Absolute; "liq 0.7; ratio 0.00001" when figures differ in theirs. */
  readonly tolerance: string;
  readonly note: string;
}

const path = new URL('vectors.json', import.meta.url);
export const ROWS: readonly Row[] = JSON.parse(readFileSync(path, 'utf8'));

/** A row's inputs by name, in the units of the formulas. */
export class Example {
  readonly id: string;
  readonly #inputs: Row['inputs'];
  readonly #contract: Row['contract'];

  constructor(row: Row) {
    this.id = row.id;
    this.#inputs = row.inputs;
    this.#contract = row.contract;
  }

  /** The printed text of the first of these names that is there. */
  text(...names: readonly string[]): string {
    const name = names.find((known) => known in this.#inputs) ?? '';
    const found = present(this.#inputs[name], `${names.join(' or ')} of ${this.id}`);
    assert(typeof found === 'string' || typeof found === 'number', `${name} is a scalar`);
    return String(found);
  }

  /** A list of rows of texts, as fills and book levels are printed. */
  rows(name: string): string[][] {
    const found = present(this.#inputs[name], `${name} of ${this.id}`);
    assert(Array.isArray(found), `${name} is a list`);
    return found.map((row: unknown) => (Array.isArray(row) ? row.map(String) : [String(row)]));
  }

  has(name: string): boolean {
    return name in this.#inputs;
  }

  money(...names: readonly string[]): bigint {
    return moneyOf(this.text(...names));
  }

  price(...names: readonly string[]): number {
    return priceOf(this.text(...names));
  }

  /** A rate as parts per million; zero when the example has none. */
  ppm(name: string): number {
    return this.has(name) ? ppmOf(this.text(name)) : 0;
  }

  get leverage(): number {
    return Number(this.text('leverage'));
  }

  get side(): HoldSide {
    const side = this.text('side');
    return side === 'long' || side === 'buy' ? 'long' : 'short';
  }

  /** A size in lots. An example that gives none is about one contract. */
  size(...names: readonly string[]): number {
    const known = names.length > 0 ? names : ['contracts', 'size'];
    return known.some((name) => this.has(name)) ? sizeOf(this.text(...known)) : sizeOf('1');
  }

  /** Value terms of the contract; a contract is worth one coin or dollar unless it is printed. */
  get terms(): ValueTerms {
    const names = ['contract_val', 'contract_val_usd'];
    const value = names.some((name) => this.has(name)) ? this.text(...names) : '1';
    return this.#contract === 'linear' ? linearTerms(value) : inverseTerms(value);
  }
}

const BY_ID = new Map(ROWS.map((row) => [row.id, row]));

export function exampleOf(id: string): Example {
  return new Example(present(BY_ID.get(id), id));
}

function linearTerms(contractValue: string): ValueTerms {
  const valueFactor = decimalOf(contractValue, LINEAR_VALUE_SCALE);
  return { kind: 'linear', valueFactor, fineFactor: fineFactorOf('linear') };
}

function inverseTerms(contractValue: string): ValueTerms {
  const valueFactor = decimalOf(contractValue, INVERSE_VALUE_SCALE);
  return { kind: 'inverse', valueFactor, fineFactor: fineFactorOf('inverse') };
}

export function moneyOf(text: string): bigint {
  return decimalOf(text, MONEY_SCALE);
}

export function priceOf(text: string): number {
  return ticks(scaledOf(text, PRICE_SCALE));
}

export function sizeOf(text: string): number {
  return lots(scaledOf(text, SIZE_SCALE));
}

export function ppmOf(text: string): number {
  return scaledOf(text, 6);
}

export function ppbOf(text: string): number {
  return scaledOf(text, 9);
}

/** A price in ticks, whole or exact, as a computed figure. */
export function fromTicks(price: number | bigint): bigint {
  return BigInt(price) * 10n ** BigInt(MONEY_SCALE - PRICE_SCALE);
}

function decimalOf(text: string, scale: number): bigint {
  const value = parseDecimal(text, scale);
  assert(typeof value === 'bigint', `${text} is ${String(value)}`);
  return value;
}

function scaledOf(text: string, scale: number): number {
  const value = parseScaled(text, scale);
  assert(typeof value === 'number', `${text} is ${String(value)}`);
  return value;
}
