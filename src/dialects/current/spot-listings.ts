/** What is listed: coins with their networks, pairs with their bounds. */
import type { Services } from '#api';
import { type Asset, type Chain, isRefused, type SpotInstrument } from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { optionalChoice } from '../kit/request.ts';
import {
  decimal,
  jsonList,
  listedName,
  listOf,
  nullOr,
  oneOf,
  row,
  rows,
  text,
  truth,
  whole,
} from '../kit/row.ts';
import { ratioText } from './amounts.ts';
import { costs, RATE_LIMIT, RATE_LIMITS } from './costs.ts';
import { pairsAsked, SOME_PAIRS, SPOT_BASE, SYMBOL, TIME_MS } from './spot-terms.ts';
import { marketName } from './symbols.ts';

interface Network {
  readonly coin: Asset;
  readonly chain: Chain;
}

const NO_TEXT = (description: string) =>
  nullOr<Network, string>(
    description,
    text('Text', '', () => ''),
    () => true,
  );

const NETWORK = row<Network>()({
  network: text('Name of the network', 'ERC20', ({ chain }) => chain.chain),
  name: text('The same', 'ERC20', ({ chain }) => chain.chain),
  coin: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  withdrawIntegerMultiple: decimal('Smallest unit of a withdrawal', '0.00000001', ({ coin }) =>
    formatDecimal(1, coin.scale),
  ),
  isDefault: truth(
    'Whether it is the first one',
    true,
    ({ coin, chain }) => coin.chains[0] === chain,
  ),
  depositEnable: truth('Whether deposits are open', true, ({ chain }) => chain.rechargeable),
  withdrawEnable: truth('Whether withdrawals are open', true, ({ chain }) => chain.withdrawable),
  withdrawTag: truth('Whether a tag is needed', false, ({ chain }) => chain.needTag),
  depositDesc: NO_TEXT('A note on deposits'),
  withdrawDesc: NO_TEXT('A note on withdrawals'),
  withdrawFee: decimal('Withdrawal fee in coins', '1', ({ chain }) => chain.withdrawFee),
  withdrawMin: decimal('Smallest withdrawal', '5', ({ chain }) => chain.minWithdrawAmount),
  depositDust: decimal('Smallest deposit', '1', ({ chain }) => chain.minDepositAmount),
  minConfirm: whole('Blocks that confirm a deposit', 12, ({ chain }) => chain.depositConfirm),
  contractAddress: text('Address of the token', '', () => ''),
  contractAddressUrl: text(
    'Block explorer',
    'https://explorer.example/tx/',
    ({ chain }) => chain.browserUrl,
  ),
});

const COIN = row<Asset>()({
  coin: listedName('Code of the coin', 'USDT', ({ code }) => code),
  name: listedName('The same', 'USDT', ({ code }) => code),
  depositAllEnable: truth('Whether any network takes deposits', true, ({ chains }) =>
    chains.some(({ rechargeable }) => rechargeable),
  ),
  withdrawAllEnable: truth('Whether any network takes withdrawals', true, ({ chains }) =>
    chains.some(({ withdrawable }) => withdrawable),
  ),
  networkList: rows(NETWORK, (coin) => coin.chains.map((chain) => ({ coin, chain }))),
});

const STATUS_WORDS = ['TRADING', 'HALT', 'BREAK'] as const;
type StatusWord = (typeof STATUS_WORDS)[number];
const STATUSES: ReadonlyMap<string, StatusWord | undefined> = new Map([
  ['trading', 'TRADING'],
  ['halt', 'HALT'],
  ['break', 'BREAK'],
]);

function statusOf({ status }: SpotInstrument): StatusWord {
  if (status === 'online') return 'TRADING';
  return status === 'offline' ? 'BREAK' : 'HALT';
}

const MARKET_MAX = 'Largest market order, in base coin';

const PAIR_ROW = row<SpotInstrument>()({
  symbol: listedName('Pair', 'BTCUSDT', ({ symbol }) => marketName(symbol)),
  status: oneOf(STATUS_WORDS, 'TRADING trades; others take cancels only', 'TRADING', statusOf),
  baseAsset: listedName('Coin that is bought and sold', 'BTC', ({ baseCode }) => baseCode),
  baseAssetPrecision: whole('Decimals of the base coin', 8, ({ base }) => base.scale),
  quoteAsset: listedName('Coin that prices are in', 'USDT', ({ quoteCode }) => quoteCode),
  quoteAssetPrecision: whole('Decimals of the quote coin', 8, ({ quote }) => quote.scale),
  tickSize: decimal('Step of a price', '0.01', ({ priceScale }) => formatDecimal(1, priceScale)),
  stepSize: decimal('Step of a quantity', '0.0001', ({ quantityScale }) =>
    formatDecimal(1, quantityScale),
  ),
  minTradeAmount: decimal(
    'Smallest quantity, in base coin',
    '0.0001',
    ({ minLots, quantityScale }) => formatTrimmed(minLots, quantityScale),
  ),
  maxTradeAmount: decimal('Largest quantity, in base coin', '10000', largest),
  takerFeeRate: decimal('Fee rate of the order that takes', '0.001', ({ takerFeePpm }) =>
    ratioText(takerFeePpm),
  ),
  makerFeeRate: decimal('Fee rate of the order that rests', '0.001', ({ makerFeePpm }) =>
    ratioText(makerFeePpm),
  ),
  buyLimitPriceRatio: decimal(
    'How far above the last price buys are taken; 0 for any',
    '0.1',
    band,
  ),
  sellLimitPriceRatio: decimal('How far below it sells are taken; 0 for any', '0.1', band),
  marketBuyLimitSize: decimal(MARKET_MAX, '10000', largest),
  marketSellLimitSize: decimal(MARKET_MAX, '10000', largest),
  marketFallbackPriceRatio: decimal('Not used', '0', () => '0'),
  enableTrade: truth('Whether it trades', true, ({ status }) => status === 'online'),
  enableDisplay: truth('Whether it is shown', true, () => true),
  displayDigitMerge: text('Steps in which its book is shown', '0.01,0.1,1', mergeSteps),
  displayNew: truth('Not used', false, () => false),
  displayHot: truth('Not used', false, () => false),
});

function largest({ maxLots, quantityScale }: SpotInstrument): string {
  return formatTrimmed(maxLots, quantityScale);
}

function band({ priceBandPpm }: SpotInstrument): string {
  return ratioText(priceBandPpm);
}

function mergeSteps({ priceScale }: SpotInstrument): string {
  return [1, 10, 100].map((step) => formatTrimmed(step, priceScale)).join(',');
}

const EXCHANGE = row<{ readonly pairs: readonly SpotInstrument[]; readonly nowMs: number }>()({
  timezone: oneOf(['UTC'], 'Time zone of all times', 'UTC', () => 'UTC'),
  serverTime: whole('Unix time in milliseconds', TIME_MS, ({ nowMs }) => nowMs),
  rateLimits: rows(RATE_LIMIT, () => RATE_LIMITS, RATE_LIMITS),
  symbols: rows(PAIR_ROW, ({ pairs }) => pairs),
});

export const SPOT_LISTINGS = {
  coins: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/coins`,
    ...costs(5),
    permission: 'none',
    summary: 'Every coin with its networks',
    request: {},
    response: listOf(COIN),
    answer: ({ live, coinAsHeld = (coin) => coin }: Services) =>
      jsonList(live.listings.assets.map(coinAsHeld), COIN.write),
  }),
  exchangeInfo: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/exchangeInfo`,
    ...costs(20),
    permission: 'none',
    summary: 'Pairs with their bounds, and the limits of calls',
    request: {
      ...SOME_PAIRS,
      symbolStatus: optionalChoice('Only pairs of this status', STATUSES, undefined, STATUS_WORDS),
    },
    response: EXCHANGE,
    example: { request: { symbol: 'BTCUSDT' } },
    answer: ({ live }: Services, { symbol, symbols, symbolStatus }, { nowMs }) => {
      const found = pairsAsked(live.listings, symbol, symbols);
      if (isRefused(found)) return found;
      const pairs = found.filter(
        (pair) => symbolStatus === undefined || statusOf(pair) === symbolStatus,
      );
      return EXCHANGE.write({ pairs, nowMs });
    },
  }),
  apiTradingSymbols: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/apiTradingSymbols`,
    ...costs(5),
    permission: 'none',
    summary: 'The symbols of all pairs that trade',
    request: {},
    response: listOf(SYMBOL),
    answer: ({ live }: Services) =>
      JSON.stringify(
        live.listings.spot
          .filter(({ status }) => status === 'online')
          .map(({ symbol }) => marketName(symbol)),
      ),
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
