/** What the operator's endpoints answer about contracts. Prices, sizes and rates are text. */

import Type from 'typebox';
import { CONTRACT_KINDS, HOLD_SIDES, MARKET_STATUSES } from '#domain';
import { decimal, oneOf, text, timeMs } from '../schema.ts';

const count = Type.Integer({ minimum: 0 });
const rate = (description: string) => decimal(`${description}, as a fraction`);

/** How a market stands, as the operator sees it. */
export const marketStatus = oneOf(
  [...MARKET_STATUSES, 'suspended'],
  'online trades; halt and offline take cancels only; suspended takes nothing until it is resumed',
);

const TierSchema = Type.Object({
  contracts: decimal('Applies to positions of up to so many contracts'),
  maintenanceRate: rate('Margin that must be left, of the value'),
  maxLeverage: count,
});

const IndexSchema = Type.Object({
  sources: Type.Array(
    Type.Object({
      spot: Type.Optional(text('Pair of this venue')),
      feed: Type.Optional(text('Name under which prices are reported')),
      weight: count,
    }),
  ),
  staleSeconds: Type.Number({ description: 'A report counts for so long; 0 for ever', minimum: 0 }),
  outlier: rate('A source this far from the others does not count'),
  impactNotional: decimal('Quote coin on both sides whose average prices are those of a pair'),
  maxMove: rate('How far it moves in a second while one pair is its only source; 0 for any'),
});

export const ContractSchema = Type.Object({
  symbol: text('Contract'),
  kind: oneOf(CONTRACT_KINDS, 'linear: margin in quote coin; inverse: in base coin'),
  base: text('Coin whose price it follows'),
  quote: text('What that price is in'),
  margin: text('Coin of its margin wallet'),
  contractValue: decimal('Base coin (linear) or quote currency (inverse) of one contract'),
  priceScale: count,
  priceStep: decimal('Prices are multiples of it'),
  quantityScale: count,
  minQuantity: decimal('Smallest order in contracts'),
  maxQuantity: decimal('Largest order in contracts'),
  takerFee: rate('Taker fee'),
  makerFee: rate('Maker fee'),
  minLeverage: count,
  maxLeverage: count,
  tiers: Type.Array(TierSchema),
  priceBand: rate('Orders are placed up to so far from the mark price'),
  markClamp: rate('The mark price stays so close to the index price'),
  openOrdersMax: count,
  planOrdersMax: count,
  presetsMax: count,
  fundingTimes: Type.Array(text('Time of the day in UTC, as in 07:00')),
  fundingInterest: rate('Interest part of the funding rate'),
  fundingClamp: rate('How far it pulls the rate from the premium'),
  fundingCap: rate('The funding rate is never further from zero'),
  impactQuantity: decimal('Contracts whose average price in the book makes the premium'),
  insuranceBudget: rate('Part of the insurance fund that liquidations may cost in an hour'),
  index: IndexSchema,
  referencePrice: decimal('Index price until a source reports'),
  status: marketStatus,
  suspendedReason: text('Failure that suspended it; empty while it is not suspended'),
});

const PricesSchema = Type.Object({
  index: decimal('Index price'),
  indexStale: Type.Boolean({
    description: 'No source for too long: nothing can be opened, nothing is liquidated',
  }),
  mark: decimal('Mark price'),
  highest: decimal('Highest price to buy at'),
  lowest: decimal('Lowest price to sell at'),
  openInterest: decimal('Contracts held long, and as many short'),
  fundingRate: rate('Funding rate as it would be charged now'),
  nextFundingTime: timeMs('Next settlement'),
  insuranceFund: decimal('Insurance fund of its margin coin'),
  time: timeMs('When they were set'),
});

const prices = Type.Union([PricesSchema, Type.Null()], { description: 'null before the first' });

export const ContractStateSchema = Type.Object({ ...ContractSchema.properties, prices });

export const IndexReportSchema = Type.Object({
  symbol: text('Contract'),
  source: text('Feed, or operator'),
  price: decimal('Reported price; 0 when it was taken back'),
  prices,
});

export const InsuranceFundSchema = Type.Object({
  coin: text('Coin'),
  fund: decimal('What is in its insurance fund'),
});

export const InsuranceFundedSchema = Type.Object({
  coin: text('Coin'),
  amount: decimal('What was added'),
});

export const LiquidationSchema = Type.Object({
  symbol: text('Contract'),
  accountId: text('Account id'),
  marginMode: oneOf(['fixed', 'crossed'], 'fixed: one side; crossed: the whole account'),
  side: oneOf(HOLD_SIDES, 'Position that was closed'),
  mark: decimal('Mark price that did it'),
  bankruptcy: decimal('Price at which nothing was left; 0 for none'),
  contracts: decimal('Contracts closed'),
  deleveraged: decimal('Of them against profitable positions of others'),
  fundDelta: decimal('What the insurance fund received; below zero what it paid'),
  time: timeMs('When'),
});
