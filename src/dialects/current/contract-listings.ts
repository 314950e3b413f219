/** What contracts are listed, on which terms, and the server's time. */
import Type from 'typebox';
import type { Services } from '#api';
import type { Asset, Contract } from '#domain';
import { formatTrimmed } from '#kernel';
import { baseSize } from '../kit/base-size.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import {
  type Column,
  encoded,
  listedName,
  listOf,
  oneOf,
  row,
  rows,
  texts,
  truth,
  whole,
} from '../kit/row.ts';
import { timeOfDay } from '../kit/time-of-day.ts';
import { ratioText } from './amounts.ts';
import { sizeDecimals, stepText } from './contract-amounts.ts';
import {
  CONTRACT_BASE,
  EXAMPLE_SYMBOL,
  listedContracts,
  MARKET_CONTRACTS,
  ONLY_SYMBOL,
} from './contract-terms.ts';
import { costs, RATE_LIMIT, RATE_LIMITS } from './costs.ts';
import { SERVER_TIME } from './spot-general.ts';
import { SYMBOL } from './spot-terms.ts';
import { marketName } from './symbols.ts';

/** A number as such, written with all its digits. */
function number(
  description: string,
  example: number,
  of: (contract: Contract) => string,
): Column<Contract, number> {
  return encoded({ schema: Type.Number({ description }), example }, of);
}

/** In base coin. */
function sizeNumber(description: string, example: number, of: (contract: Contract) => number) {
  return number(description, example, (contract) => baseSize(contract, BigInt(of(contract))));
}

const NAME_TEXT = 'Contract';
const BAND = 'How far from the mark price, as a fraction, orders are taken';

const CONTRACT_ROW = row<Contract>()({
  symbol: listedName(NAME_TEXT, EXAMPLE_SYMBOL, ({ symbol }) => marketName(symbol)),
  displaySymbol: listedName('The same', EXAMPLE_SYMBOL, ({ symbol }) => marketName(symbol)),
  baseAsset: listedName('Coin whose price it follows', 'BTC', ({ baseCode }) => baseCode),
  quoteAsset: listedName('Coin that prices are in', 'USDT', ({ quoteCode }) => quoteCode),
  marginAsset: listedName('Coin of margin, fees and profit', 'USDT', ({ margin }) => margin.code),
  contractType: oneOf(['PERPETUAL'], 'Kind of contract', 'PERPETUAL', () => 'PERPETUAL'),
  underlyingType: oneOf(['COIN'], 'What it follows', 'COIN', () => 'COIN'),
  pricePrecision: whole('Decimals of a price', 1, ({ priceScale }) => priceScale),
  quantityPrecision: whole('Decimals of a quantity', 3, sizeDecimals),
  baseAssetPrecision: whole('The same', 3, sizeDecimals),
  quotePrecision: whole('Decimals of the margin coin', 8, ({ margin }) => margin.scale),
  tickSize: listedName('Step of a price', '0.5', ({ priceStepTicks, priceScale }) =>
    formatTrimmed(priceStepTicks, priceScale),
  ),
  stepSize: listedName('Step of a quantity, in base coin', '0.001', stepText),
  contractVal: number('The same', 0.001, stepText),
  delivery: texts(
    'UTC times at which funding is settled',
    ['07:00:00', '15:00:00', '23:00:00'],
    ({ fundingMinutes }) => fundingMinutes.map((minute) => `${timeOfDay(minute)}:00`),
  ),
  forwardContractFlag: truth('Margin is in the quote coin', true, () => true),
  minLeverage: whole('Lowest leverage', 1, ({ leverageMin }) => leverageMin),
  maxLeverage: whole('Highest leverage', 100, ({ leverageMax }) => leverageMax),
  buyLimitPriceRatio: number(BAND, 0.5, ({ priceBandPpm }) => ratioText(priceBandPpm)),
  sellLimitPriceRatio: number(BAND, 0.5, ({ priceBandPpm }) => ratioText(priceBandPpm)),
  makerFeeRate: number('Fee rate of the order that rests', 0.0002, ({ makerFeePpm }) =>
    ratioText(makerFeePpm),
  ),
  takerFeeRate: number('Fee rate of the order that takes', 0.0006, ({ takerFeePpm }) =>
    ratioText(takerFeePpm),
  ),
  minOrderSize: sizeNumber('Smallest order, in base coin', 0.001, ({ minLots }) => minLots),
  maxOrderSize: sizeNumber('Largest order, in base coin', 1_000, ({ maxLots }) => maxLots),
  maxPositionSize: sizeNumber('Largest position, in base coin', 5_000, ({ tiers }) =>
    Math.max(...tiers.map(({ contractsMax }) => contractsMax)),
  ),
  marketOpenLimitSize: sizeNumber(
    'Largest market order, in base coin',
    1_000,
    ({ maxLots }) => maxLots,
  ),
});

interface CoinOfContracts {
  readonly coin: Pick<Asset, 'code'>;
  readonly isMargin: boolean;
}

const COIN = row<CoinOfContracts>()({
  asset: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  marginAvailable: truth('Whether it is margin of a contract', true, ({ isMargin }) => isMargin),
});

/** The coins that contracts are about, each once. */
function coinsOf(contracts: readonly Contract[]): readonly CoinOfContracts[] {
  const margins = new Set(contracts.map(({ margin }) => margin.code));
  const codes = new Set(contracts.flatMap(({ baseCode, margin }) => [baseCode, margin.code]));
  return [...codes].map((code) => ({ coin: { code }, isMargin: margins.has(code) }));
}

const EXCHANGE = row<readonly Contract[]>()({
  assets: rows(COIN, coinsOf),
  rateLimits: rows(RATE_LIMIT, () => RATE_LIMITS, RATE_LIMITS),
  symbols: rows(CONTRACT_ROW, (contracts) => contracts),
});

export const CONTRACT_LISTINGS = {
  contractTime: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/time`,
    ...costs(1),
    permission: 'none',
    summary: 'Server time in milliseconds',
    request: {},
    response: SERVER_TIME,
    answer: (_services: Services, _values, { nowMs }) => SERVER_TIME.write(nowMs),
  }),
  contractExchangeInfo: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/exchangeInfo`,
    ...costs(1),
    permission: 'none',
    summary: 'Contracts with their terms, their coins, and the limits of calls',
    request: { symbol: MARKET_CONTRACTS },
    response: EXCHANGE,
    example: { request: ONLY_SYMBOL },
    answer: (_services: Services, { symbol: contracts }) => EXCHANGE.write(contracts),
  }),
  contractApiTradingSymbols: publicEndpoint({
    method: 'GET',
    path: `${CONTRACT_BASE}/market/apiTradingSymbols`,
    ...costs(5),
    permission: 'none',
    summary: 'The symbols of all contracts that trade',
    request: {},
    response: listOf(SYMBOL),
    answer: ({ live }: Services) =>
      JSON.stringify(
        listedContracts(live.listings)
          .filter(({ status }) => status === 'online')
          .map(({ symbol }) => marketName(symbol)),
      ),
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
