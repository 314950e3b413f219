/** Turns the body of a call that changes a contract account into the command it asks for. */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type AdjustMargin,
  type Amount,
  type Contract,
  type HoldSide,
  isRefused,
  type Listings,
  type MarginMode,
  type Refused,
  refuse,
  type SetAutoMargin,
  type SetLeverage,
  type SetMarginMode,
} from '#domain';
import { parseDecimal, present } from '#kernel';
import { Fields } from '../fields.ts';
import { whyNot } from './spot-read-order.ts';
import { resolveContract } from './swap-read-contract.ts';

const SIDES: ReadonlyMap<string, HoldSide | undefined> = new Map([
  ['1', 'long'],
  ['2', 'short'],
]);
const POSITION_TYPES: ReadonlyMap<string, HoldSide> = new Map([
  ['0', 'long'],
  ['1', 'short'],
]);
const SIGNS: ReadonlyMap<string, 1n | -1n> = new Map([
  ['1', 1n],
  ['2', -1n],
]);
const APPEND_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
]);
const HOLD_MODELS: ReadonlyMap<string, MarginMode> = new Map([
  ['1', 'isolated'],
  ['2', 'cross'],
]);

/** A command, with the contract it is about for the answer. */
export interface ContractChange<Wanted> {
  readonly contract: Contract;
  readonly command: Wanted;
}

/** The side, under either of its names; undefined when none is given. */
function readSide(fields: Fields): HoldSide | undefined {
  const name = fields.text('holdSide') === '' ? 'side' : 'holdSide';
  return fields.choice(name, SIDES, undefined);
}

export function readLeverageChange(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): ContractChange<SetLeverage> | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  fields.requiredText('leverage');
  const leverage = fields.wholeNumber('leverage') ?? 1;
  const side = readSide(fields) ?? 'both';
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const { instrumentId } = contract;
  return { contract, command: { kind: 'set_leverage', accountId, instrumentId, side, leverage } };
}

export function readMarginAdjustment(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): ContractChange<AdjustMargin> | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const amountText = fields.text('amount');
  const side = fields.requiredChoice('positionType', POSITION_TYPES, 'long');
  const sign = fields.requiredChoice('type', SIGNS, 1n);
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const amount = readAmount(amountText, contract);
  if (isRefused(amount)) return amount;
  const { instrumentId } = contract;
  const delta = sign * amount;
  return { contract, command: { kind: 'adjust_margin', accountId, instrumentId, side, delta } };
}

function readAmount(given: string, { margin }: Contract): Amount | Refused {
  const value = parseDecimal(given, margin.scale);
  if (typeof value === 'bigint' && value > 0n) return value;
  return refuse('margin_amount_invalid', whyNot(given, value, margin.scale));
}

export function readAutoMargin(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): ContractChange<SetAutoMargin> | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const side = readSide(fields);
  if (side === undefined) fields.refuse('parameter_invalid', 'holdSide is required');
  const automatic = fields.requiredChoice('append_type', APPEND_TYPES, false);
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const wanted = { accountId, side: present(side, 'side'), automatic };
  const { instrumentId } = contract;
  return { contract, command: { kind: 'set_auto_margin', instrumentId, ...wanted } };
}

export function readHoldModel(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): ContractChange<SetMarginMode> | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const mode = fields.requiredChoice('holdModel', HOLD_MODELS, 'isolated');
  const contract = resolveContract(fields, symbol, listings);
  if (isRefused(contract)) return contract;
  const { instrumentId } = contract;
  return { contract, command: { kind: 'set_margin_mode', accountId, instrumentId, mode } };
}
