/**
 * The public endpoints of what a contract is worth: index, mark price, price band, open interest,
 * funding, and how much an amount opens.
 */
import { refuseSaying, type Services } from '#api';
import {
  type Contract,
  type ContractPrices,
  defaultLeverage,
  isRefused,
  type Lots,
  openableLots,
  type Refused,
  type Ticks,
  ticks,
  valueFloor,
} from '#domain';
import { present } from '#kernel';
import { baseSize } from '../kit/base-size.ts';
import { formatFundingRate, formatMoney, formatSize } from '../kit/contract-figures.ts';
import { readDecimal, readUnits } from '../kit/decimals.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { optionalText, readByAnother, requiredText } from '../kit/request.ts';
import { type Column, decimal, jsonList, listOf, type Row, row, timeMs } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import {
  BASE,
  CONTRACT,
  FORWARD,
  LONG_PAGE,
  MARKET,
  NAME,
  nothingBeyond,
  type OfContract,
  ONLY_SYMBOL,
  price,
  size,
} from './swap-terms.ts';

export interface Priced extends OfContract {
  /** As of the last tick, and what is held now. */
  readonly prices: ContractPrices;
  readonly nowMs: number;
}

const NOW: Column<Priced, string> = timeMs('Server time', TIME_MS, ({ nowMs }) => nowMs);

const INDEX = row<Priced>()({
  symbol: NAME,
  index: price('Index price', '30001.5', ({ prices }) => prices.indexTicks),
  timestamp: NOW,
});

export const MARK_PRICE = row<Priced>()({
  symbol: NAME,
  mark_price: price('Mark price', '30002.0', ({ prices }) => prices.markTicks),
  timestamp: NOW,
});

/** What is held, in contracts, and its value in both coins at the mark price, rounded down. */
const OPEN_INTEREST = row<Priced>()({
  symbol: NAME,
  amount: size(
    'Contracts held long, which are those held short',
    '2500',
    ({ prices }) => prices.openInterestLots,
  ),
  base_volume: decimal('Their value in underlying coin', '2.5', (value) =>
    value.contract.kind === 'linear' ? namedInterest(value) : pricedInterest(value),
  ),
  target_volume: decimal('Their value in quote currency', '75005', (value) =>
    value.contract.kind === 'linear' ? pricedInterest(value) : namedInterest(value),
  ),
  forwardContractFlag: FORWARD,
  timestamp: NOW,
});

function namedInterest({ contract, prices }: Priced): string {
  return baseSize(contract, prices.openInterestLots);
}

function pricedInterest({ contract, prices }: Priced): string {
  return formatMoney(contract, valueFloor(contract, prices.openInterestLots, prices.markTicks));
}

export const PRICE_LIMIT = row<Priced>()({
  symbol: NAME,
  highest: price('Highest price of a buy order', '45003.0', ({ prices }) => prices.highestTicks),
  lowest: price('Lowest price of a sell order', '15001.0', ({ prices }) => prices.lowestTicks),
  forwardContractFlag: FORWARD,
  timestamp: NOW,
});

const FUNDING_TIME = row<Priced>()({
  symbol: NAME,
  funding_time: timeMs(
    'When funding is settled next',
    1_795_244_400_000,
    ({ prices }) => prices.nextFundingMs,
  ),
  forwardContractFlag: FORWARD,
});

/** A settlement, past or next. */
interface Funding extends OfContract {
  readonly rate: { readonly ratePpb: number; readonly fundingTimeMs: number };
}

export const FUNDING_RATE = row<Funding>()({
  symbol: NAME,
  funding_rate: decimal('Rate; above zero the long side paid', '0.0001', ({ rate }) =>
    formatFundingRate(rate.ratePpb),
  ),
  funding_time: timeMs('When it was settled', 1_795_215_600_000, ({ rate }) => rate.fundingTimeMs),
});

/** Decimal places that a price to ask about may have. */
const OPEN_PRICE_SCALE = 18;

const OPEN_COUNT = row<string>()({
  openCount: decimal('Contracts that the amount can open', '658', (count) => count),
});

interface OpeningTexts {
  readonly symbol: Contract;
  readonly amount: string;
  readonly openPrice: string;
  readonly leverage: string;
}

/** Nothing to open with is a fair question; a price that cannot be one is not. */
function openable({ symbol: contract, ...texts }: OpeningTexts): Lots | Refused {
  const { scale } = contract.margin;
  const rule = { scale, least: 0, reject: 'parameter_invalid', name: 'amount' } as const;
  const amount = readDecimal(texts.amount, rule);
  if (isRefused(amount)) return amount;
  const priceTicks = readPrice(texts.openPrice, contract);
  if (isRefused(priceTicks)) return priceTicks;
  const leverage = readLeverage(texts.leverage, contract);
  return isRefused(leverage) ? leverage : openableLots(contract, amount, priceTicks, leverage);
}

/** A price between two ticks counts as the one at which a contract costs more. */
function readPrice(given: string, { priceScale, kind }: Contract): Ticks | Refused {
  const rule = { scale: OPEN_PRICE_SCALE, reject: 'parameter_invalid', name: 'openPrice' } as const;
  const value = readDecimal(given, rule);
  if (isRefused(value)) return value;
  const tick = 10n ** BigInt(OPEN_PRICE_SCALE - priceScale);
  const found = (kind === 'linear' ? value + tick - 1n : value) / tick;
  if (found > 0n && found <= BigInt(Number.MAX_SAFE_INTEGER)) return ticks(Number(found));
  return refuseSaying('parameter_invalid', `openPrice ${shown(given)}`);
}

function readLeverage(given: string, contract: Contract): number | Refused {
  const { leverageMin, leverageMax } = contract;
  if (given === '') return defaultLeverage(contract);
  const rule = { scale: 0, least: 0, reject: 'parameter_invalid', name: 'leverage' } as const;
  const value = readUnits(given, rule);
  if (isRefused(value)) return value;
  if (value >= leverageMin && value <= leverageMax) return value;
  return refuseSaying('leverage_out_of_range', `${shown(given)}, ${leverageMin} to ${leverageMax}`);
}

/** An endpoint that shows the prices of a contract. */
function pricesEndpoint(path: string, summary: string, response: Row<Priced>) {
  return publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/${path}`,
    summary,
    request: { symbol: CONTRACT },
    response,
    example: { request: ONLY_SYMBOL },
    answer: ({ live }: Services, { symbol: contract }, { nowMs }) => {
      const prices = present(live.contractPrices(contract.instrumentId), 'prices of a contract');
      return response.write({ contract, prices, nowMs });
    },
  });
}

export const SWAP_PRICES = {
  index: pricesEndpoint('index', 'Index price', INDEX),
  openInterest: pricesEndpoint(
    'open_interest',
    'Contracts that are held, and their value at the mark price',
    OPEN_INTEREST,
  ),
  priceLimit: pricesEndpoint('price_limit', 'Highest buy price and lowest sell price', PRICE_LIMIT),
  fundingTime: pricesEndpoint('funding_time', 'When funding is settled next', FUNDING_TIME),
  fundingHistory: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/historyFundRate`,
    summary: 'Funding rates that were settled, newest first (20 a page by default, up to 100)',
    request: {
      symbol: CONTRACT,
      pageIndex: LONG_PAGE,
      pageSize: readByAnother(
        schema.optional('Rows of a page; above the maximum counts as the maximum', schema.whole(1)),
      ),
    },
    response: listOf(FUNDING_RATE),
    example: { request: { ...ONLY_SYMBOL, pageIndex: '1', pageSize: '1' } },
    answer: async ({ history, historyReady }: Services, { symbol: contract, pageIndex }) => {
      const { isBeyond, ...page } = pageIndex;
      await historyReady();
      const settled = await history.fundingRates({ ...page, instrumentId: contract.instrumentId });
      if (isBeyond) return nothingBeyond(settled);
      return jsonList(settled, (rate) => FUNDING_RATE.write({ contract, rate }));
    },
  }),
  markPrice: pricesEndpoint('mark_price', 'Mark price', MARK_PRICE),
  openCount: publicEndpoint({
    ...MARKET,
    path: `${BASE}/market/open_count`,
    summary: 'How many contracts an amount can open, the taker fee included',
    request: {
      symbol: CONTRACT,
      amount: requiredText('Margin coin to use'),
      openPrice: requiredText('Price of the order'),
      leverage: optionalText('Leverage; 20 by default, as far as the contract allows it'),
    },
    response: OPEN_COUNT,
    example: { request: { ...ONLY_SYMBOL, amount: '1000', openPrice: '30000', leverage: '20' } },
    answer: ({ compatibility }: Services, asked) => {
      const lots = openable(asked);
      if (isRefused(lots)) return lots;
      const count = formatSize(asked.symbol, lots);
      return compatibility?.openCount === 'scalar'
        ? JSON.stringify(count)
        : OPEN_COUNT.write(count);
    },
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
