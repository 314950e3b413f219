/** What a contract is worth: index and mark price, open interest, funding. */
import type { Services } from '#api';
import {
  type Contract,
  type ContractPrices,
  FUNDING_RATE_SCALE,
  isRefused,
  LIMITS,
  lastFundingMs,
} from '#domain';
import type { FundingRate } from '#history';
import { formatTrimmed, present } from '#kernel';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { optionalChoice } from '../kit/request.ts';
import { decimal, jsonList, listOf, row, whole } from '../kit/row.ts';
import { ratioText } from './amounts.ts';
import {
  CONTRACT_BASE,
  CONTRACT_NAME,
  MARKET_CONTRACT,
  MARKET_CONTRACTS,
  type OfContract,
  ONLY_SYMBOL,
  price,
  size,
} from './contract-terms.ts';
import { costs } from './costs.ts';
import { figuresOf } from './market-figures.ts';
import { rowsWanted } from './parameters.ts';
import { TIME_MS } from './spot-terms.ts';
import { END_TIME, rangeOf, START_TIME } from './time-range.ts';

const MINUTE_MS = 60_000;

interface Priced extends OfContract {
  /** As of the last tick, and what is held now. */
  readonly prices: ContractPrices;
  readonly nowMs: number;
}

/** The prices that a contract is run by now. */
export function pricesOf({ live }: Pick<Services, 'live'>, contract: Contract): ContractPrices {
  return present(live.contractPrices(contract.instrumentId), 'prices of a contract');
}

type PriceKind = 'index' | 'mark';
const PRICE_KINDS: ReadonlyMap<string, PriceKind> = new Map([
  ['index', 'index'],
  ['mark', 'mark'],
]);

const SYMBOL_PRICE = row<Priced & { readonly kind: PriceKind }>()({
  symbol: CONTRACT_NAME,
  price: price('The price', '30000.5', ({ prices, kind }) =>
    kind === 'index' ? prices.indexTicks : prices.markTicks,
  ),
  time: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

const PREMIUM_INDEX = row<Priced & { readonly settledPpb: number }>()({
  symbol: CONTRACT_NAME,
  markPrice: price('Mark price', '30002.0', ({ prices }) => prices.markTicks),
  indexPrice: price('Index price', '30001.5', ({ prices }) => prices.indexTicks),
  lastFundingRate: decimal('Rate that was settled last; 0 before', '0.0001', ({ settledPpb }) =>
    formatTrimmed(settledPpb, FUNDING_RATE_SCALE),
  ),
  forecastFundingRate: decimal('Rate as it would be charged now', '0.0001', ({ prices }) =>
    formatTrimmed(prices.fundingRatePpb, FUNDING_RATE_SCALE),
  ),
  interestRate: decimal('Its interest part', '0.0001', ({ contract }) =>
    ratioText(contract.fundingInterestPpm),
  ),
  nextFundingTime: whole(
    'When funding is settled next',
    1_795_244_400_000,
    ({ prices }) => prices.nextFundingMs,
  ),
  time: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
  collectCycle: whole('Minutes from the settlement before to that', 480, cycleMinutes),
});

function cycleMinutes({ contract, prices: { nextFundingMs } }: Priced): number {
  const before = lastFundingMs(contract.fundingMinutes, nextFundingMs - 1);
  return Math.round((nextFundingMs - before) / MINUTE_MS);
}

const FUNDING = row<OfContract & { readonly rate: FundingRate }>()({
  symbol: CONTRACT_NAME,
  fundingRate: decimal('Rate; above zero the long side paid', '0.0001', ({ rate }) =>
    formatTrimmed(rate.ratePpb, FUNDING_RATE_SCALE),
  ),
  fundingTime: whole('When it was settled', 1_795_215_600_000, ({ rate }) => rate.fundingTimeMs),
  markPrice: decimal('Mark price then', '30002.0', ({ contract, rate }) =>
    figuresOf(contract).price(rate.markTicks),
  ),
});

const OPEN_INTEREST = row<Priced>()({
  symbol: CONTRACT_NAME,
  openInterest: size(
    'What is held long, which is what is held short, in base coin',
    '2.5',
    ({ prices }) => prices.openInterestLots,
  ),
  time: whole('Server time', TIME_MS, ({ nowMs }) => nowMs),
});

export const CONTRACT_PRICES = {
  symbolPrice: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/symbolPrice`,
    ...costs(1),
    permission: 'none',
    summary: 'Index or mark price of a contract',
    request: {
      symbol: MARKET_CONTRACT,
      priceType: optionalChoice('INDEX, the default, or MARK', PRICE_KINDS, 'index', [
        'INDEX',
        'MARK',
      ]),
    },
    response: SYMBOL_PRICE,
    example: { request: { ...ONLY_SYMBOL, priceType: 'INDEX' } },
    answer: (services: Services, { symbol: contract, priceType: kind }, { nowMs }) =>
      SYMBOL_PRICE.write({ contract, prices: pricesOf(services, contract), nowMs, kind }),
  }),
  premiumIndex: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/premiumIndex`,
    ...costs(1),
    permission: 'none',
    summary: 'Mark price, index price and funding of one contract or all',
    request: { symbol: MARKET_CONTRACTS },
    response: listOf(PREMIUM_INDEX),
    example: { request: ONLY_SYMBOL },
    answer: (services: Services, { symbol: contracts }, { nowMs }) => {
      const premiums = contracts.map((contract) => ({
        contract,
        prices: pricesOf(services, contract),
        settledPpb: services.live.lastFunding(contract.instrumentId)?.ratePpb ?? 0,
        nowMs,
      }));
      return jsonList(premiums, PREMIUM_INDEX.write);
    },
  }),
  fundingRate: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/fundingRate`,
    ...costs(5),
    permission: 'none',
    summary: 'Funding rates that were settled, newest first',
    request: {
      symbol: MARKET_CONTRACT,
      startTime: START_TIME,
      endTime: END_TIME,
      limit: rowsWanted(LIMITS.pageRowsDefault, LIMITS.historyRowsMax),
    },
    response: listOf(FUNDING),
    example: { request: { ...ONLY_SYMBOL, limit: '1' } },
    answer: async ({ history, historyReady }: Services, asked) => {
      const { symbol: contract, startTime, endTime, limit } = asked;
      const range = rangeOf(startTime, endTime);
      if (isRefused(range)) return range;
      const { instrumentId } = contract;
      await historyReady();
      const rates = await history.fundingRates({ instrumentId, ...range, offset: 0, limit });
      return jsonList(rates, (rate) => FUNDING.write({ contract, rate }));
    },
  }),
  openInterest: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/openInterest`,
    ...costs(2),
    permission: 'none',
    summary: 'What is held of a contract, in base coin',
    request: { symbol: MARKET_CONTRACT },
    response: OPEN_INTEREST,
    example: { request: ONLY_SYMBOL },
    answer: (services: Services, { symbol: contract }, { nowMs }) =>
      OPEN_INTEREST.write({ contract, prices: pricesOf(services, contract), nowMs }),
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
