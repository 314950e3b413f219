/**
 * The operator's endpoints, one row each. Every call needs the admin token; every change is a
 * journaled command. Fields that are not in a row are refused: a typing error must not move money.
 */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { PERMISSIONS } from '#domain';
import { choice, choices, optional, required, whole } from '../schema.ts';
import { CONTRACT_ENDPOINTS } from './contract-endpoints.ts';
import * as example from './examples.ts';
import {
  AccountSchema,
  AccountWithBalancesSchema,
  AdminAssetSchema,
  AuditSchema,
  CancelledSchema,
  ClockSchema,
  InstrumentsSchema,
  KeySchema,
  LockSchema,
  MovementSchema,
  NewKeySchema,
  PairSchema,
  TransferredSchema,
} from './resources.ts';

const BASE = '/admin/v1';
const ACCOUNT = `${BASE}/accounts/:account`;
const PAIR = `${BASE}/spot/:symbol`;

const operator = { rate: null, permission: 'operator' } as const;
const nothing = Type.Object({});

const rate = (description: string) => optional(`${description}, as a fraction: 0.001 is 0.1 %`);
const amount = required('Decimal amount, no finer than the coin');
const coin = required('Coin, as in USDT');
const wallet = optional('spot (default) or a contract, as in cmt_btcusdt');

const settings = {
  frozen: choice('Refuse orders, cancels and transfers'),
  selfTradePrevention: optional(
    'cancel_maker (default), cancel_taker, cancel_both or none',
    choices('cancel_maker', 'cancel_taker', 'cancel_both', 'none'),
  ),
  openOrdersMax: optional('Open orders at a time (1000 by default)', whole()),
  takerFee: rate("Taker fee instead of the pair's; null to go back"),
  makerFee: rate("Maker fee instead of the pair's; null to go back"),
};

const terms = {
  minQuantity: optional('Smallest order in base coin'),
  maxQuantity: optional('Largest order in base coin'),
  minNotional: optional('Smallest order value in quote coin'),
  takerFee: rate('Taker fee'),
  makerFee: rate('Maker fee'),
  status: optional('online, halt or offline', choices('online', 'halt', 'offline')),
  referencePrice: optional('Centre of the resident market maker; 0 for none'),
  priceBand: optional('How far from the last price orders are taken; 0 for any price'),
};

const ACCOUNT_ENDPOINTS = {
  accounts: {
    method: 'GET',
    path: `${BASE}/accounts`,
    ...operator,
    summary: 'Accounts by id, page by page (100 by default, up to 500)',
    request: Type.Object({
      after: optional('Account id: accounts behind it', whole()),
      limit: optional('Rows wanted', whole(1)),
    }),
    response: Type.Array(AccountSchema),
    example: { request: { limit: '1' }, data: [example.ACCOUNT] },
  },
  createAccount: {
    method: 'POST',
    path: `${BASE}/accounts`,
    ...operator,
    summary: 'Open an account',
    request: Type.Object({ name: required('Letters, digits, dot, dash, underscore'), ...settings }),
    response: AccountSchema,
    example: { request: { name: 'demo' }, data: example.ACCOUNT },
  },
  account: {
    method: 'GET',
    path: ACCOUNT,
    ...operator,
    summary: 'One account, by id or name, with its balances',
    request: nothing,
    response: AccountWithBalancesSchema,
    example: { request: {}, data: { ...example.ACCOUNT, balances: [example.BALANCE] } },
  },
  updateAccount: {
    method: 'PATCH',
    path: ACCOUNT,
    ...operator,
    summary: 'Change the settings that are given; freeze and unfreeze',
    request: Type.Object({ name: optional('New name'), ...settings }),
    response: AccountSchema,
    example: { request: { frozen: true }, data: { ...example.ACCOUNT, frozen: true } },
  },
  cancelOrders: {
    method: 'POST',
    path: `${ACCOUNT}/cancel-orders`,
    ...operator,
    summary: 'Cancel every open order of an account, plan orders too',
    request: nothing,
    response: CancelledSchema,
    example: { request: {}, data: { accountId: '1', cancelled: 12 } },
  },
} as const satisfies Record<string, Endpoint>;

const KEY_ENDPOINTS = {
  keys: {
    method: 'GET',
    path: `${ACCOUNT}/keys`,
    ...operator,
    summary: 'Keys of an account, without their secrets',
    request: nothing,
    response: Type.Array(KeySchema),
    example: { request: {}, data: [example.KEY] },
  },
  createKey: {
    method: 'POST',
    path: `${ACCOUNT}/keys`,
    ...operator,
    summary: 'Make a key; the answer is the only place its secret is ever shown',
    request: Type.Object({
      label: optional('What it is for'),
      passphrase: optional('8 to 128 visible characters; made up when absent'),
      permissions: Type.Optional(
        Type.Union([Type.Array(Type.Enum([...PERMISSIONS]), { minItems: 1 }), Type.Null()], {
          description: 'read, trade, transfer; read and trade if absent',
        }),
      ),
      ipAllowList: Type.Optional(
        Type.Array(Type.String(), { description: 'Addresses or CIDR blocks; absent for any' }),
      ),
      strictReplay: choice('true to have each signed change executed once (false)'),
    }),
    response: NewKeySchema,
    example: {
      request: { label: 'grid bot', permissions: ['read', 'trade'], ipAllowList: ['10.0.0.0/8'] },
      data: example.NEW_KEY,
    },
  },
  revokeKey: {
    method: 'DELETE',
    path: `${BASE}/keys/:key`,
    ...operator,
    summary: 'Revoke a key for good',
    request: nothing,
    response: Type.Object({ key: Type.String() }),
    example: { request: {}, data: { key: example.KEY.key } },
  },
} as const satisfies Record<string, Endpoint>;

const MONEY_ENDPOINTS = {
  deposit: {
    method: 'POST',
    path: `${ACCOUNT}/deposits`,
    ...operator,
    summary: 'Credit money that came in',
    request: Type.Object({ wallet, coin, amount }),
    response: MovementSchema,
    example: { request: { coin: 'USDT', amount: '250' }, data: example.MOVEMENT },
  },
  withdraw: {
    method: 'POST',
    path: `${ACCOUNT}/withdrawals`,
    ...operator,
    summary: 'Debit money that goes out; only what is available',
    request: Type.Object({ wallet, coin, amount }),
    response: MovementSchema,
    example: {
      request: { coin: 'USDT', amount: '250' },
      data: { ...example.MOVEMENT, amount: '-250.00000000', balance: '1000000.00000000' },
    },
  },
  lock: {
    method: 'POST',
    path: `${ACCOUNT}/locks`,
    ...operator,
    summary: 'Set how much of a spot balance the owner may not use; 0 unlocks',
    request: Type.Object({ coin, amount }),
    response: LockSchema,
    example: { request: { coin: 'USDT', amount: '250' }, data: example.LOCK },
  },
  transfer: {
    method: 'POST',
    path: `${ACCOUNT}/transfers`,
    ...operator,
    summary: "Move money between two of an account's wallets",
    request: Type.Object({
      coin,
      amount,
      from: required('Wallet'),
      to: required('Wallet'),
      clientOid: optional('Your own id for it'),
    }),
    response: TransferredSchema,
    example: {
      request: { coin: 'USDT', amount: '250', from: 'spot', to: 'cmt_btcusdt' },
      data: example.TRANSFERRED,
    },
  },
} as const satisfies Record<string, Endpoint>;

const LISTING_ENDPOINTS = {
  instruments: {
    method: 'GET',
    path: `${BASE}/instruments`,
    ...operator,
    summary: 'Every coin, pair and contract with its terms',
    request: nothing,
    response: InstrumentsSchema,
    example: {
      request: {},
      data: { assets: [example.ASSET], spot: [example.PAIR], contracts: [example.CONTRACT] },
    },
  },
  listAsset: {
    method: 'POST',
    path: `${BASE}/assets`,
    ...operator,
    summary: 'List a coin',
    request: Type.Object({
      code: required('Upper case, as in SOL'),
      coinId: required('Number clients know it by', whole()),
      scale: required('Decimal places of its smallest unit, up to 18'),
      transferable: choice('Between wallets; true if absent'),
      chains: Type.Optional(
        Type.Array(Type.Object({}), { description: 'Networks, as in the configuration file' }),
      ),
    }),
    response: AdminAssetSchema,
    example: { request: { code: 'SOL', coinId: 4, scale: 8 }, data: example.ASSET },
  },
  listSpot: {
    method: 'POST',
    path: `${BASE}/spot`,
    ...operator,
    summary: 'List a pair',
    request: Type.Object({
      base: required('Coin that is traded'),
      quote: required('Coin it is priced in'),
      priceScale: required('Decimal places of a price'),
      quantityScale: required('Decimal places of a quantity'),
      ...terms,
      minQuantity: required('Smallest order in base coin'),
      maxQuantity: required('Largest order in base coin'),
      takerFee: required('Taker fee as a fraction: 0.001 is 0.1 %'),
      makerFee: required('Maker fee as a fraction'),
    }),
    response: PairSchema,
    example: {
      request: {
        base: 'BTC',
        quote: 'USDT',
        priceScale: 2,
        quantityScale: 4,
        minQuantity: '0.0001',
        maxQuantity: '10000',
        takerFee: '0.001',
        makerFee: '0.001',
        referencePrice: '30000',
      },
      data: example.PAIR,
    },
  },
  updateSpot: {
    method: 'PATCH',
    path: PAIR,
    ...operator,
    summary: 'Change the terms that are given: fees, bounds, status, reference price',
    request: Type.Object(terms),
    response: PairSchema,
    example: {
      request: { takerFee: '0.0008' },
      data: { ...example.PAIR, takerFee: '0.0008' },
    },
  },
  halt: {
    method: 'POST',
    path: `${PAIR}/halt`,
    ...operator,
    summary: 'Stop trading; orders stay and can be cancelled',
    request: nothing,
    response: PairSchema,
    example: { request: {}, data: { ...example.PAIR, status: 'halt' } },
  },
  resume: {
    method: 'POST',
    path: `${PAIR}/resume`,
    ...operator,
    summary: 'Trade again',
    request: nothing,
    response: PairSchema,
    example: { request: {}, data: example.PAIR },
  },
} as const satisfies Record<string, Endpoint>;

const AUDIT_ENDPOINTS = {
  audit: {
    method: 'GET',
    path: `${BASE}/audit`,
    ...operator,
    summary: 'Does the money add up: per coin what is held, what came in and what went out',
    request: nothing,
    response: AuditSchema,
    example: { request: {}, data: example.AUDIT },
  },
} as const satisfies Record<string, Endpoint>;

const CLOCK_ENDPOINTS = {
  confirmClock: {
    method: 'POST',
    path: `${BASE}/clock/confirm`,
    ...operator,
    summary: 'Believe the system clock after a step forward that the venue did not take',
    request: nothing,
    response: ClockSchema,
    example: { request: {}, data: example.CLOCK },
  },
} as const satisfies Record<string, Endpoint>;

export const ADMIN_ENDPOINTS = {
  ...ACCOUNT_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...MONEY_ENDPOINTS,
  ...LISTING_ENDPOINTS,
  ...CONTRACT_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...CLOCK_ENDPOINTS,
} as const satisfies Record<string, Endpoint>;

export type AdminEndpointName = keyof typeof ADMIN_ENDPOINTS;
