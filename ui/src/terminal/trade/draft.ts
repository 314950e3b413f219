/**
 * What both order forms have in common: sizes that are typed or a part of the most, and faults in
 * the venue's own words. Pure: a draft is what the fields hold, and nothing here knows the screen.
 */
import type { native } from '#client';
import { formatTrimmed } from '#kernel';
import { grouped, readTyped } from '../../model/numbers.ts';
import type { en } from '../../texts/en.ts';

type Words = (typeof en)['trade'];

export type FaultKind = keyof Words['faults'];

/** Why the venue would refuse it, and the detail it would name. */
export interface Fault {
  readonly reject: FaultKind;
  readonly detail?: FaultDetail;
}

export type FaultDetail =
  | { readonly kind: 'least' | 'most' | 'step' | 'decimals' | 'closable'; readonly text: string }
  | { readonly kind: 'whole'; readonly of: 'contracts' | 'numbers' }
  | { readonly kind: 'needs'; readonly needs: string; readonly has: string };

/** As the venue words it: the meaning, then the detail behind a colon. */
export function faultText({ reject, detail }: Fault, trade: Words): string {
  const meaning = trade.faults[reject];
  if (detail === undefined) return meaning;
  return `${meaning}: ${detailText(detail, trade)}`;
}

function detailText(detail: FaultDetail, trade: Words): string {
  switch (detail.kind) {
    case 'least':
      return trade.faultLeast(detail.text);
    case 'most':
      return trade.faultMost(detail.text);
    case 'step':
      return trade.faultStep(detail.text);
    case 'decimals':
      return trade.faultDecimals(detail.text);
    case 'whole':
      return trade.faultWhole[detail.of];
    case 'closable':
      return trade.faultClosable(detail.text);
    case 'needs':
      return trade.faultNeeds(detail.needs, detail.has);
  }
}

/** A size as it was chosen: in digits, or as so many per cent of the most there is. */
export type Size =
  | { readonly kind: 'typed'; readonly text: string }
  | { readonly kind: 'part'; readonly percent: number };

export const NO_SIZE: Size = { kind: 'typed', text: '' };

/** A number that was typed: its value, or why it is none; neither for an empty field. */
export interface Read {
  readonly value: bigint;
  readonly fault: Fault | undefined;
  readonly isEmpty: boolean;
}

/** Reads a price or size in units of 10^-scale; it must be above zero. */
export function readField(
  text: string,
  scale: number,
  reject: FaultKind,
  whole: 'contracts' | 'numbers' = 'numbers',
): Read {
  const typed = readTyped(text, scale);
  if (typed.kind === 'empty') return { value: 0n, fault: undefined, isEmpty: true };
  if (typed.kind === 'number' && typed.value > 0n) {
    return { value: typed.value, fault: undefined, isEmpty: false };
  }
  const isPrecise = typed.kind === 'too_precise';
  const detail = isPrecise ? { detail: decimalsDetail(scale, whole) } : {};
  return { value: 0n, fault: { reject, ...detail }, isEmpty: false };
}

function decimalsDetail(scale: number, of: 'contracts' | 'numbers'): FaultDetail {
  return scale === 0 ? { kind: 'whole', of } : { kind: 'decimals', text: String(scale) };
}

/** As readField, for a number of contracts. */
export function readContracts(text: string, quantityScale: number): Read {
  return readField(text, quantityScale, 'quantity_invalid', 'contracts');
}

/** As readField, for ticks: a price must be on a step as well. */
export function readPrice(text: string, scale: number, stepTicks: number): Read {
  const read = readField(text, scale, 'price_invalid');
  if (read.value % BigInt(stepTicks) === 0n) return read;
  const detail = { kind: 'step', text: formatTrimmed(stepTicks, scale) } as const;
  return { ...read, value: 0n, fault: { reject: 'price_invalid', detail } };
}

/** Ticks and lots: whole numbers that are exact as such; larger ones count as none. */
export function safeNumber(value: bigint): number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : 0;
}

/** An amount of money to the last digit, as where one could be short of it. */
export function exactMoney(amount: bigint, scale: number, coin: string): string {
  return `${grouped(formatTrimmed(amount, scale))} ${coin}`;
}

/** What is sent: one order, or one that waits for a price. */
export type OrderRequest =
  | { readonly kind: 'order'; readonly order: native.PlaceOrderInput }
  | { readonly kind: 'trigger'; readonly trigger: native.PlaceTriggerInput };
