/** Contracts: listed, shown with their prices, changed, and their index prices reported. */
import { refuseSaying } from '#api';
import {
  CONTRACT_KINDS,
  type Contract,
  type ContractPrices,
  type ContractTerms,
  contractSymbolMeant,
  defaultTerms,
  type IndexReported,
  isRefused,
  type Listings,
  lots,
  OPERATOR_SOURCE,
  type Refused,
  type StateReader,
  ticks,
} from '#domain';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { formatFundingRate, formatSize } from '../kit/contract-figures.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { CONTRACT_SYMBOL, contractNamed, PAIR_SYMBOL } from '../kit/markets.ts';
import { type Field, optionalText, requiredText } from '../kit/request.ts';
import {
  type Column,
  columnsOf,
  dataOf,
  decimal,
  encoded,
  nullOr,
  oneOf,
  row,
  text,
  timeMs,
  truth,
  whole,
} from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';
import { FIGURES, givenTerms, INDEX, TERM_FIELDS, TIERS_NEEDED } from './contract-terms.ts';
import { optional, required, SCALE, SCALED, type Scaled, SHOWN_DECIMAL, word } from './fields.ts';
import { STATUS, SUSPENDED_REASON, ticksOf } from './terms.ts';

const CONTRACT_PATH = `${BASE}/contracts/:symbol`;
const COIN_CODE = /^[A-Za-z0-9]{2,16}$/;

/** Every term under its name in the configuration file, and the margin coin. */
export const CONTRACT = row<Contract>()({
  symbol: text('Contract', CONTRACT_SYMBOL, ({ symbol }) => symbol),
  kind: oneOf(
    CONTRACT_KINDS,
    'linear: margin in quote coin; inverse: in base coin',
    'linear',
    ({ kind }) => kind,
  ),
  base: text('Coin whose price it follows', 'BTC', ({ baseCode }) => baseCode),
  quote: text('What that price is in', 'USDT', ({ quoteCode }) => quoteCode),
  margin: text('Coin of its margin wallet', 'USDT', ({ margin }) => margin.code),
  contractValue: decimal(
    'Base coin (linear) or quote currency (inverse) of one contract',
    '0.001',
    ({ contractValue }) => contractValue,
  ),
  priceScale: whole('Decimal places of a price', 1, ({ priceScale }) => priceScale),
  priceStep: decimal('Prices are multiples of it', '0.5', ({ priceStepTicks, priceScale }) =>
    formatTrimmed(priceStepTicks, priceScale),
  ),
  quantityScale: whole('Decimal places of a size', 0, ({ quantityScale }) => quantityScale),
  ...FIGURES,
  index: INDEX,
  referencePrice: decimal(
    'Index price until a source reports',
    '30000',
    ({ referencePriceTicks, priceScale }) => formatTrimmed(referencePriceTicks, priceScale),
  ),
  status: STATUS.column,
  suspendedReason: SUSPENDED_REASON,
});

/** The terms of a contract as data, for the pages. */
export function contractData(contract: Contract) {
  return dataOf(CONTRACT, contract);
}

/** Prices of a contract, with the insurance fund as it is. */
interface PricedContract {
  readonly contract: Contract;
  readonly prices: ContractPrices;
}

function price(
  description: string,
  example: string,
  of: (prices: ContractPrices) => number,
): Column<PricedContract, string> {
  return decimal(description, example, ({ prices, contract }) =>
    formatTrimmed(of(prices), contract.priceScale),
  );
}

const PRICES = row<PricedContract>()({
  index: price('Index price', '30000', ({ indexTicks }) => indexTicks),
  indexStale: truth(
    'No source for too long: nothing can be opened, nothing is liquidated',
    false,
    ({ prices }) => prices.indexStale,
  ),
  mark: price('Mark price', '30001.5', ({ markTicks }) => markTicks),
  highest: price('Highest price to buy at', '31501.5', ({ highestTicks }) => highestTicks),
  lowest: price('Lowest price to sell at', '28501.5', ({ lowestTicks }) => lowestTicks),
  openInterest: decimal('Contracts held long, and as many short', '1200', ({ prices, contract }) =>
    formatSize(contract, prices.openInterestLots),
  ),
  fundingRate: decimal(
    'Funding rate as it would be charged now, as a fraction',
    '0.0001',
    ({ prices }) => formatFundingRate(prices.fundingRatePpb),
  ),
  nextFundingTime: timeMs(
    'Next settlement',
    1_795_244_400_000,
    ({ prices }) => prices.nextFundingMs,
  ),
  insuranceFund: decimal(
    'Insurance fund of its margin coin',
    '10000.00000000',
    ({ prices, contract }) => formatDecimal(prices.insuranceFund, contract.margin.scale),
  ),
  time: timeMs('When they were set', TIME_MS, ({ prices }) => prices.timeMs),
});

/** A contract as it stands; its prices are undefined until it is priced for the first time. */
interface ContractNow {
  readonly contract: Contract;
  readonly prices: ContractPrices | undefined;
}

const PRICES_NOW = nullOr(
  'null before the first',
  encoded(PRICES, ({ contract, prices }: ContractNow) =>
    PRICES.write({ contract, prices: present(prices, 'prices') }),
  ),
  ({ prices }) => prices === undefined,
);

const CONTRACT_NOW = row<ContractNow>()({
  ...columnsOf(CONTRACT, ({ contract }: ContractNow) => contract),
  prices: PRICES_NOW,
});

interface Reported extends ContractNow {
  readonly report: IndexReported;
}

export const INDEX_REPORT = row<Reported>()({
  symbol: text('Contract', CONTRACT_SYMBOL, ({ contract }) => contract.symbol),
  source: text('Feed, or operator', 'operator', ({ report }) => report.source),
  price: decimal('Reported price; 0 when it was taken back', '30000', ({ report, contract }) =>
    formatTrimmed(report.priceTicks, contract.priceScale),
  ),
  prices: PRICES_NOW,
});

/** One of the two coins of a contract; only the one of its margin need be listed. */
function coinCode(description: string): Field<string> {
  return {
    ...requiredText(description),
    read: (fields, name) => {
      const code = fields.requiredText(name);
      // Before it becomes upper case, which turns letters of other alphabets into these.
      if (!COIN_CODE.test(code)) fields.refuse('parameter_invalid', `${name} ${shown(code)}`);
      return code.toUpperCase();
    },
  };
}

export const INDEX_REPORT_FIELDS = {
  source: optionalText('Feed of the contract; operator if absent'),
  price: required(SCALED, "Price; 0 takes the operator's own back"),
};

export const CONTRACT_ENDPOINTS = {
  listContract: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/contracts`,
    duty: 'run',
    summary: 'List a perpetual contract; terms that are left out have defaults',
    request: {
      symbol: requiredText(`As in ${CONTRACT_SYMBOL}`),
      kind: required(
        word(CONTRACT_KINDS, 'linear'),
        'linear (margin in the quote coin) or inverse (in the base coin)',
      ),
      base: coinCode('Coin whose price it follows'),
      quote: coinCode('What that price is in'),
      contractValue: required(
        SHOWN_DECIMAL,
        'Base coin (linear) or quote currency (inverse) of one contract',
      ),
      priceScale: required(SCALE, 'Decimal places of a price'),
      priceStep: optional(SCALED, 'Prices are multiples of it; one unit of priceScale if absent'),
      quantityScale: optional(SCALE, 'Decimal places of a size in contracts; 0 if absent'),
      referencePrice: required(SCALED, 'Index price until a source reports'),
      ...TERM_FIELDS,
      tiers: TIERS_NEEDED,
    },
    response: CONTRACT,
    example: {
      request: {
        symbol: CONTRACT_SYMBOL,
        kind: 'linear',
        base: 'BTC',
        quote: 'USDT',
        contractValue: '0.001',
        priceScale: 1,
        priceStep: '0.5',
        referencePrice: '30000',
        tiers: CONTRACT.example.tiers,
        index: { sources: [{ spot: PAIR_SYMBOL }, { feed: 'elsewhere' }] },
      },
    },
    answer: async ({ venue }: AdminContext, asked) => {
      const { symbol: name, kind, contractValue, priceScale, quantityScale = 0, ...others } = asked;
      const { base: baseCode, quote: quoteCode, priceStep, referencePrice, ...given } = others;
      const terms = givenTerms(given, { quantityScale, baseCode });
      if (isRefused(terms)) return terms;
      const priceStepTicks = priceStep === undefined ? ticks(1) : ticksOf(priceStep, priceScale);
      if (isRefused(priceStepTicks)) return priceStepTicks;
      const referencePriceTicks = ticksOf(referencePrice, priceScale);
      if (isRefused(referencePriceTicks)) return referencePriceTicks;
      const symbol = contractSymbolMeant(name.toUpperCase(), baseCode, quoteCode);
      if (symbol === undefined) return refuseSaying('listing_invalid', 'contract symbol');
      const names = { symbol, kind, baseCode, quoteCode, contractValue };
      const scales = { priceScale, quantityScale, priceStepTicks, referencePriceTicks };
      const defaults = defaultTerms(terms.tiers ?? [], terms.minLots ?? lots(1));
      const spec = { ...defaults, ...terms, ...names, ...scales };
      const event = await submit(venue, 'contract_listed', { kind: 'list_contract', spec });
      return isRefused(event) ? event : CONTRACT.write(event.contract);
    },
  }),
  contract: operatorEndpoint({
    method: 'GET',
    path: CONTRACT_PATH,
    summary: 'One contract: its terms, its prices and the insurance fund behind it',
    request: {},
    response: CONTRACT_NOW,
    answer: ({ venue }: AdminContext, _asked, { path }) =>
      venue.read((state) => {
        const contract = findContract(state.listings, path.symbol);
        if (isRefused(contract)) return contract;
        return CONTRACT_NOW.write({ contract, prices: pricesNow(state, contract) });
      }),
  }),
  updateContract: operatorEndpoint({
    method: 'PATCH',
    path: CONTRACT_PATH,
    duty: 'run',
    summary: 'Change the terms that are given: fees, tiers, caps, funding, index, status',
    request: TERM_FIELDS,
    response: CONTRACT,
    example: {
      request: { takerFee: '0.0005' },
      data: { ...CONTRACT.example, takerFee: '0.0005' },
    },
    answer: async ({ venue, live }: AdminContext, asked, { path }) => {
      const contract = findContract(live.listings, path.symbol);
      if (isRefused(contract)) return contract;
      const changes: Partial<ContractTerms> | Refused = givenTerms(asked, contract);
      if (isRefused(changes)) return changes;
      const { instrumentId } = contract;
      const command = { kind: 'update_contract', instrumentId, changes } as const;
      const event = await submit(venue, 'contract_updated', command);
      return isRefused(event) ? event : CONTRACT.write(event.contract);
    },
  }),
  reportIndex: operatorEndpoint({
    method: 'POST',
    path: `${CONTRACT_PATH}/index`,
    duty: 'run',
    isFrequent: true,
    summary: "Report an index price: a feed's, or the operator's own, which outranks every source",
    request: INDEX_REPORT_FIELDS,
    response: INDEX_REPORT,
    example: { request: { source: 'operator', price: '30000' } },
    answer: (context: AdminContext, asked, { path }) => reportIndex(context, path.symbol, asked),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** The contract a path names, in any case. */
export function findContract(listings: Listings, symbol = ''): Contract | Refused {
  return contractNamed(listings, symbol);
}

/** A price from a feed, or the operator's own when no source is named. */
export async function reportIndex(
  { venue, live }: Pick<AdminContext, 'venue' | 'live'>,
  symbol: string | undefined,
  asked: { readonly source: string; readonly price: Scaled },
): Promise<string | Refused> {
  const contract = findContract(live.listings, symbol);
  if (isRefused(contract)) return contract;
  const { instrumentId, indexSources } = contract;
  const source = asked.source || OPERATOR_SOURCE;
  const isFeed = indexSources.some((feed) => feed.kind === 'feed' && feed.name === source);
  if (source !== OPERATOR_SOURCE && !isFeed)
    return refuseSaying('index_source_unknown', shown(source));
  const priceTicks = ticksOf(asked.price, contract.priceScale);
  if (isRefused(priceTicks)) return priceTicks;
  const command = { kind: 'report_index', instrumentId, source, priceTicks } as const;
  const report = await submit(venue, 'index_reported', command);
  if (isRefused(report)) return report;
  return venue.read((state) =>
    INDEX_REPORT.write({ contract, report, prices: pricesNow(state, contract) }),
  );
}

/** With the fund as it is: the prices have it as of the last tick. */
function pricesNow(state: StateReader, contract: Contract): ContractPrices | undefined {
  const prices = state.contractPrices(contract.instrumentId);
  return prices && { ...prices, insuranceFund: state.insuranceFund(contract.margin.assetId) };
}
