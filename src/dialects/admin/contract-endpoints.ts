/** The operator's endpoints for contracts: terms, index prices, insurance funds, liquidations. */

import Type from 'typebox';
import type { Endpoint } from '#api';
import { choices, optional, required, whole } from '../schema.ts';
import {
  ContractSchema,
  ContractStateSchema,
  IndexReportSchema,
  InsuranceFundedSchema,
  InsuranceFundSchema,
  LiquidationSchema,
} from './contract-resources.ts';
import * as example from './examples.ts';

const BASE = '/admin/v1';
const CONTRACT = `${BASE}/contracts/:symbol`;

const operator = { rate: null, permission: 'operator' } as const;
const nothing = Type.Object({});

const fraction = (description: string) => optional(`${description}, as a fraction: 0.001 is 0.1 %`);

const tiers = Type.Array(
  Type.Object({
    contracts: required('Applies to positions of up to so many contracts'),
    maintenanceRate: required('Margin that must be left, as a fraction of the value'),
    maxLeverage: required('Highest leverage'),
  }),
  { description: 'Risk tiers, the smallest first; the last one bounds a position' },
);

const index = Type.Object(
  {
    sources: Type.Optional(
      Type.Array(
        Type.Object({
          spot: optional('Pair of this venue whose book is a source'),
          feed: optional('Name under which prices will be reported'),
          weight: optional('Weight in the mean; 1 if absent'),
        }),
        { description: 'All of them: the list replaces what was there' },
      ),
    ),
    staleSeconds: optional('A report counts for so long; 0 for ever'),
    outlier: fraction('A source this far from the median does not count'),
    impactNotional: optional('Quote coin on both sides of a pair whose average prices count'),
    maxMove: fraction('How far the index moves in a second with one pair alone; 0 for any'),
  },
  { description: 'Where the index price comes from' },
);

const terms = {
  minQuantity: optional('Smallest order in contracts'),
  maxQuantity: optional('Largest order in contracts'),
  takerFee: fraction('Taker fee'),
  makerFee: fraction('Maker fee'),
  minLeverage: optional('Lowest leverage'),
  maxLeverage: optional('Highest leverage'),
  tiers: Type.Optional(tiers),
  priceBand: fraction('How far from the mark price orders are taken'),
  markClamp: fraction('How far the mark price may be from the index price'),
  openOrdersMax: optional('Open orders of one account', whole()),
  planOrdersMax: optional('Waiting plan orders of one account', whole()),
  presetsMax: optional(
    'Take-profits and stop-losses of one account, armed or to come with its open orders',
  ),
  fundingTimes: Type.Optional(
    Type.Array(Type.String(), { description: 'Settlements, as in 07:00, in UTC and in order' }),
  ),
  fundingInterest: fraction('Interest part of the funding rate'),
  fundingClamp: fraction('How far it pulls the rate from the premium'),
  fundingCap: fraction('Largest funding rate either way'),
  impactQuantity: optional('Contracts whose average price makes the premium'),
  insuranceBudget: fraction(
    'Part of the insurance fund that liquidations may cost in an hour; 0 for nothing',
  ),
  index: Type.Optional(index),
  status: optional('online, halt or offline', choices('online', 'halt', 'offline')),
};

export const CONTRACT_ENDPOINTS = {
  listContract: {
    method: 'POST',
    path: `${BASE}/contracts`,
    ...operator,
    summary: 'List a perpetual contract; terms that are left out have defaults',
    request: Type.Object({
      symbol: required('Lower case, as in cmt_btcusdt'),
      kind: required(
        'linear (margin in the quote coin) or inverse (in the base coin)',
        choices('linear', 'inverse'),
      ),
      base: required('Coin whose price it follows'),
      quote: required('What that price is in'),
      contractValue: required('Base coin (linear) or quote currency (inverse) of one contract'),
      priceScale: required('Decimal places of a price'),
      priceStep: optional('Prices are multiples of it; one unit of priceScale if absent'),
      quantityScale: optional('Decimal places of a size in contracts; 0 if absent'),
      referencePrice: required('Index price until a source reports'),
      ...terms,
      tiers,
    }),
    response: ContractSchema,
    example: { request: example.NEW_CONTRACT, data: example.CONTRACT },
  },
  contract: {
    method: 'GET',
    path: CONTRACT,
    ...operator,
    summary: 'One contract: its terms, its prices and the insurance fund behind it',
    request: nothing,
    response: ContractStateSchema,
    example: { request: {}, data: { ...example.CONTRACT, prices: example.PRICES } },
  },
  updateContract: {
    method: 'PATCH',
    path: CONTRACT,
    ...operator,
    summary: 'Change the terms that are given: fees, tiers, caps, funding, index, status',
    request: Type.Object(terms),
    response: ContractSchema,
    example: {
      request: { takerFee: '0.0005' },
      data: { ...example.CONTRACT, takerFee: '0.0005' },
    },
  },
  reportIndex: {
    method: 'POST',
    path: `${CONTRACT}/index`,
    ...operator,
    summary: "Report an index price: a feed's, or the operator's own, which outranks every source",
    request: Type.Object({
      source: optional('Feed of the contract; operator if absent'),
      price: required("Price; 0 takes the operator's own back"),
    }),
    response: IndexReportSchema,
    example: {
      request: { source: 'operator', price: '30000' },
      data: {
        symbol: 'cmt_btcusdt',
        source: 'operator',
        price: '30000',
        prices: example.PRICES,
      },
    },
  },
  insurance: {
    method: 'GET',
    path: `${BASE}/insurance`,
    ...operator,
    summary: 'The insurance fund of every coin',
    request: nothing,
    response: Type.Array(InsuranceFundSchema),
    example: { request: {}, data: [{ coin: 'USDT', fund: '10000.00000000' }] },
  },
  fundInsurance: {
    method: 'POST',
    path: `${BASE}/insurance`,
    ...operator,
    summary: 'Put money into the insurance fund of a coin',
    request: Type.Object({
      coin: required('Coin, as in USDT'),
      amount: required('Decimal amount, no finer than the coin'),
    }),
    response: InsuranceFundedSchema,
    example: {
      request: { coin: 'USDT', amount: '10000' },
      data: { coin: 'USDT', amount: '10000.00000000' },
    },
  },
  liquidations: {
    method: 'GET',
    path: `${BASE}/liquidations`,
    ...operator,
    summary: 'What was liquidated, newest first (100 by default, up to 500)',
    request: Type.Object({
      symbol: optional('Contract; every contract if absent'),
      before: optional('Time in milliseconds: only what happened before it', whole()),
      limit: optional('Rows wanted', whole(1)),
    }),
    response: Type.Array(LiquidationSchema),
    example: { request: { limit: '1' }, data: [example.LIQUIDATION] },
  },
} as const satisfies Record<string, Endpoint>;
