/** The endpoints of contract accounts and positions: one row each, in the documentation's order. */

import Type from 'typebox';
import type { Endpoint, RateLimit } from '#api';
import { choices, optional, required, whole } from '../schema.ts';
import * as example from './swap-account-examples.ts';
import {
  AutoMarginSchema,
  ContractAccountSchema,
  HoldModelSchema,
  MarginAdjustedSchema,
  PositionSchema,
  SettingsSchema,
} from './swap-account-resources.ts';
import { SYMBOL } from './swap-terms.ts';

const BASE = '/api/swap/v3';

const symbol = required('Contract, in any case');
const nothing = Type.Object({});
const onlySymbol = Type.Object({ symbol });

const sides = {
  holdSide: optional('1 long, 2 short', choices('1', '2')),
  side: optional('Same as holdSide; deprecated, read when there is no holdSide'),
};

function perSecond(calls: number): RateLimit {
  return { limit: calls, windowMs: 1_000 };
}

/** What these endpoints have in common: reads, and calls that change something. */
const reading = { method: 'GET', permission: 'read', bare: true } as const;
const changing = { method: 'POST', permission: 'trade', bare: true } as const;

const ACCOUNT_ENDPOINTS = {
  accounts: {
    ...reading,
    path: `${BASE}/account/accounts`,
    rate: perSecond(1),
    summary: 'Accounts of every contract',
    request: nothing,
    response: Type.Array(ContractAccountSchema),
    example: { request: {}, data: [example.ACCOUNT] },
  },
  account: {
    ...reading,
    path: `${BASE}/account/account`,
    rate: perSecond(5),
    summary: 'Account of one contract',
    request: onlySymbol,
    response: ContractAccountSchema,
    example: { request: { symbol: SYMBOL }, data: example.ACCOUNT },
  },
  settings: {
    ...reading,
    path: `${BASE}/account/settings`,
    rate: perSecond(5),
    summary: 'Leverage and margin mode of one contract',
    request: onlySymbol,
    response: SettingsSchema,
    example: { request: { symbol: SYMBOL }, data: example.SETTINGS },
  },
  leverage: {
    ...changing,
    path: `${BASE}/account/leverage`,
    rate: perSecond(5),
    summary: 'Set the leverage of one side, or of both when none is given or the mode is crossed',
    request: Type.Object({ symbol, leverage: required('Whole number', whole(1)), ...sides }),
    response: SettingsSchema,
    example: {
      request: { symbol: SYMBOL, leverage: 10, holdSide: 1 },
      data: example.SETTINGS,
    },
  },
  adjustMargin: {
    ...changing,
    path: `${BASE}/account/adjustMargin`,
    rate: { limit: 20, windowMs: 2_000 },
    summary: 'Add margin to a fixed position or take it out',
    request: Type.Object({
      symbol,
      amount: required('Margin coin, above zero'),
      positionType: required('0 long, 1 short', choices('0', '1')),
      type: required('1 increase, 2 reduce', choices('1', '2')),
    }),
    response: MarginAdjustedSchema,
    example: {
      request: { symbol: SYMBOL, amount: '10', positionType: 0, type: 1 },
      data: example.MARGIN_ADJUSTED,
    },
  },
  autoMargin: {
    ...changing,
    path: `${BASE}/account/modifyAutoAppendMargin`,
    rate: perSecond(5),
    summary: 'Whether margin is added by itself before a fixed position is liquidated',
    request: Type.Object({
      symbol,
      ...sides,
      append_type: required('0 manual, 1 automatic', choices('0', '1')),
    }),
    response: AutoMarginSchema,
    example: {
      request: { symbol: SYMBOL, holdSide: 1, append_type: 0 },
      data: example.AUTO_MARGIN,
    },
  },
} as const satisfies Record<string, Endpoint>;

const POSITION_ENDPOINTS = {
  positions: {
    ...reading,
    path: `${BASE}/position/allPosition`,
    rate: perSecond(5),
    summary: 'Both sides of every contract',
    request: nothing,
    response: Type.Array(PositionSchema),
    example: { request: {}, data: [example.POSITION] },
  },
  position: {
    ...reading,
    path: `${BASE}/position/singlePosition`,
    rate: perSecond(10),
    summary: 'Both sides of one contract',
    request: onlySymbol,
    response: PositionSchema,
    example: { request: { symbol: SYMBOL }, data: example.POSITION },
  },
  holdModel: {
    ...changing,
    path: `${BASE}/position/changeHoldModel`,
    rate: perSecond(20),
    summary: 'Switch between fixed and crossed margin',
    request: Type.Object({
      symbol,
      holdModel: required(
        '1 position by position (fixed), 2 full position (crossed)',
        choices('1', '2'),
      ),
    }),
    response: HoldModelSchema,
    example: { request: { symbol: SYMBOL, holdModel: 1 }, data: example.HOLD_MODEL },
  },
} as const satisfies Record<string, Endpoint>;

export const SWAP_ACCOUNT_ENDPOINTS = { ...ACCOUNT_ENDPOINTS, ...POSITION_ENDPOINTS };
