/** Reads the fields of an operator's request: what Fields knows, and the operator's own kinds. */

import { isIP } from 'node:net';
import type { JsonObject } from '#api';
import {
  type Amount,
  type Asset,
  LIMITS,
  type Listings,
  type Lots,
  lots,
  type Refused,
  type Ticks,
  ticks,
  type Wallet,
} from '#domain';
import { type DecimalFault, parseDecimal, parseScaled } from '#kernel';
import { Fields, scalarText, shown } from '../fields.ts';

const RATE_SCALE = 6;
const CONTRACT_PREFIX = 'cmt_';

export class AdminFields extends Fields {
  readonly #body: JsonObject;

  constructor(body: JsonObject) {
    super(body);
    this.#body = body;
  }

  /** The first refusal, or the finished value. */
  orRefusal<T>(value: T): T | Refused {
    return this.fault ?? value;
  }

  /** True when the field was sent, also as null. */
  names(name: string): boolean {
    return Object.hasOwn(this.#body, name);
  }

  flag(name: string, fallback: boolean): boolean {
    return this.flagIfGiven(name) ?? fallback;
  }

  /** True or false; undefined when not given. */
  flagIfGiven(name: string): boolean | undefined {
    const value = this.names(name) ? this.#body[name] : null;
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    if (value === null || value === '') return undefined;
    this.refuse('parameter_invalid', `${name} must be true or false`);
    return undefined;
  }

  textList(name: string, max: number): readonly string[] {
    const value = this.names(name) ? this.#body[name] : null;
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    return this.list(name, max).map((item) => {
      const text = scalarText(item);
      if (text === undefined) this.refuse('parameter_invalid', `${name} must be a list of texts`);
      return text ?? '';
    });
  }

  /** A list of objects with these fields and no others; undefined when not given. */
  rows<T>(
    name: string,
    max: number,
    known: readonly string[],
    read: (row: AdminFields) => T,
  ): T[] | undefined {
    const value = this.has(name) ? this.#body[name] : null;
    if (value === null) return undefined;
    if (Array.isArray(value) && value.length === 0) return [];
    return this.list(name, max).map((row) => this.#inner(name, row, known, read));
  }

  /** An object with these fields and no others; undefined when not given. */
  group<T>(name: string, known: readonly string[], read: (group: AdminFields) => T): T | undefined {
    const value = this.has(name) ? this.#body[name] : '';
    return value === '' ? undefined : this.#inner(name, value, known, read);
  }

  /** Reads fields inside a field: their first fault is a fault here. */
  #inner<T>(
    name: string,
    value: unknown,
    known: readonly string[],
    read: (fields: AdminFields) => T,
  ): T {
    const isKnown = isObject(value) && Object.keys(value).every((field) => known.includes(field));
    if (!isKnown) this.refuse('parameter_invalid', `${name} takes ${known.join(', ')}`);
    const fields = new AdminFields(isObject(value) ? value : {});
    const found = read(fields);
    if (fields.fault !== undefined) {
      this.refuse(fields.fault.reject, `${name}: ${fields.fault.detail}`);
    }
    return found;
  }

  /** One of the words of a closed list; undefined when absent. */
  word<T extends string>(name: string, words: readonly T[]): T | undefined {
    const given = this.text(name);
    if (given === '') return undefined;
    const found = words.find((word) => word === given);
    if (found === undefined) {
      this.refuse('parameter_invalid', `${name} must be one of ${words.join(', ')}`);
    }
    return found;
  }

  /** A count; undefined when absent. */
  count(name: string): number | undefined {
    return this.wholeNumber(name);
  }

  /** Decimal places, within what an asset can have; must be given unless there is a fallback. */
  scale(name: string, fallback?: number): number {
    if (fallback === undefined) this.requiredText(name);
    const scale = this.wholeNumber(name) ?? fallback ?? 0;
    if (scale <= LIMITS.assetScaleMax) return scale;
    this.refuse('parameter_invalid', `${name} goes from 0 to ${LIMITS.assetScaleMax}`);
    return 0;
  }

  /** A fraction in parts per million; undefined when absent. */
  rate(name: string): number | undefined {
    const given = this.text(name);
    return given === '' ? undefined : this.#scaled(name, given, RATE_SCALE);
  }

  /** As rate, and null when the name is there with nothing in it. */
  rateOrNull(name: string): number | null | undefined {
    const ratePpm = this.rate(name);
    return ratePpm === undefined && this.names(name) ? null : ratePpm;
  }

  /** Decimal text that is shown and never counted with. */
  decimalText(name: string): string {
    const given = this.text(name);
    if (given === '') return '0';
    if (given.length <= 40 && /^[0-9]+(\.[0-9]+)?$/.test(given)) return given;
    this.refuse('parameter_invalid', `${name} ${whyNot('malformed', 0)}`);
    return '0';
  }

  lots(name: string, scale: number): Lots | undefined {
    const given = this.text(name);
    return given === '' ? undefined : lots(this.#scaled(name, given, scale));
  }

  ticks(name: string, scale: number): Ticks | undefined {
    const given = this.text(name);
    return given === '' ? undefined : ticks(this.#scaled(name, given, scale));
  }

  /** An amount of an asset that must be given; more decimals than the asset has are refused. */
  amount(name: string, scale: number): Amount {
    const amount = parseDecimal(this.requiredText(name), scale);
    if (typeof amount === 'bigint' && amount >= 0n) return amount;
    this.refuse('amount_invalid', `${name} ${whyNot(amount, scale)}`);
    return 0n;
  }

  asset(name: string, listings: Listings): Asset | undefined {
    const code = this.requiredText(name).toUpperCase();
    const asset = listings.assetByCode(code);
    if (asset === undefined) this.refuse('coin_unknown', shown(code));
    return asset;
  }

  wallet(name: string): Wallet {
    const given = this.text(name).toLowerCase();
    if (given === '' || given === 'spot') return 'spot';
    const isShort = given.length <= LIMITS.nameLengthMax;
    if (!isShort || !given.startsWith(CONTRACT_PREFIX)) {
      this.refuse('contract_unknown', shown(given));
    }
    return `cmt_${given.slice(CONTRACT_PREFIX.length)}`;
  }

  /** Addresses and CIDR blocks that a key may be used from. */
  addresses(name: string): readonly string[] {
    const found = this.textList(name, LIMITS.ipAllowListMax);
    for (const text of found) {
      if (isAddressBlock(text)) continue;
      this.refuse('parameter_invalid', `${name}: ${shown(text)} is no address and no CIDR block`);
    }
    return found;
  }

  #scaled(name: string, given: string, scale: number): number {
    const value = parseScaled(given, scale);
    if (typeof value === 'number' && value >= 0) return value;
    this.refuse('parameter_invalid', `${name} ${whyNot(value, scale)}`);
    return 0;
  }
}

function whyNot(value: number | bigint | DecimalFault, scale: number): string {
  if (value === 'too_precise') return `takes at most ${scale} decimal places`;
  if (value === 'too_large') return 'is too large';
  return 'must be a decimal number that is not negative';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy without what is undefined: a change names only what changes. */
export function given<T extends object>(
  values: { [Name in keyof T]: T[Name] | undefined },
): Partial<T> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
