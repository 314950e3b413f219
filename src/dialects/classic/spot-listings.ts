/** What is listed: coins with their chains, pairs with their bounds; and the server's time. */
import Type from 'typebox';
import type { Services } from '#api';
import {
  type Asset,
  type Chain,
  compactSymbol,
  MARKET_STATUSES,
  type SpotInstrument,
} from '#domain';
import { formatTrimmed } from '#kernel';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import {
  decimal,
  encoded,
  flag,
  jsonList,
  listedName,
  listOf,
  oneOf,
  onlyIf,
  row,
  text,
} from '../kit/row.ts';
import { PAIR, perSecond, perTwoSeconds, SPOT_BASE } from './spot-terms.ts';
import { pairName } from './symbols.ts';

const PPM_SCALE = 6;

const CHAIN = row<Chain>()({
  chain: encoded(
    {
      schema: Type.Union([Type.String(), Type.Null()], { description: 'Chain name' }),
      example: 'ERC20',
    },
    ({ chain }) => JSON.stringify(chain),
  ),
  needTag: flag('Whether a tag is needed', false, ({ needTag }) => needTag),
  withdrawAble: flag('Whether the coin can be withdrawn over this chain', true, canWithdraw),
  rechargeAble: flag('Whether the coin can be deposited over this chain', true, canRecharge),
  withdrawable: flag('Same as withdrawAble, as some clients spell it', true, canWithdraw),
  rechargeable: flag('Same as rechargeAble, as some clients spell it', true, canRecharge),
  withdrawFee: decimal('Withdrawal fee in coins', '1', ({ withdrawFee }) => withdrawFee),
  depositConfirm: decimal('Blocks that confirm a deposit', '12', (chain) => chain.depositConfirm),
  withdrawConfirm: decimal(
    'Blocks that confirm a withdrawal',
    '64',
    ({ withdrawConfirm }) => withdrawConfirm,
  ),
  minDepositAmount: decimal('Smallest deposit in coins', '1', (chain) => chain.minDepositAmount),
  minWithdrawAmount: decimal(
    'Smallest withdrawal in coins',
    '5',
    ({ minWithdrawAmount }) => minWithdrawAmount,
  ),
  browserUrl: text(
    'Address prefix of a block explorer',
    'https://explorer.example/tx/',
    ({ browserUrl }) => browserUrl,
  ),
});

function canWithdraw({ withdrawable }: Chain): boolean {
  return withdrawable;
}

function canRecharge({ rechargeable }: Chain): boolean {
  return rechargeable;
}

const COIN = row<Asset>()({
  coinId: decimal('Number of the coin', '2', ({ coinId }) => coinId),
  coinName: listedName('Code of the coin', 'USDT', ({ code }) => code),
  transfer: flag('Whether the coin moves between wallets', true, (coin) => coin.transferable),
  chains: encoded(listOf(CHAIN), ({ chains }) => jsonList(chains, CHAIN.write)),
});

const PRODUCT = row<SpotInstrument>()({
  symbol: listedName('Pair identifier, used to trade', 'BTCUSDT_SPBL', ({ symbol }) =>
    pairName(symbol),
  ),
  symbolName: listedName('Pair name', 'BTCUSDT', ({ symbol }) => compactSymbol(symbol)),
  baseCoin: listedName('Coin that is bought and sold', 'BTC', ({ baseCode }) => baseCode),
  quoteCoin: listedName('Coin that prices are in', 'USDT', ({ quoteCode }) => quoteCode),
  minTradeAmount: decimal('Smallest quantity, in base coin', '0.0001', (pair) =>
    formatTrimmed(pair.minLots, pair.quantityScale),
  ),
  maxTradeAmount: decimal('Largest quantity, in base coin', '10000', (pair) =>
    formatTrimmed(pair.maxLots, pair.quantityScale),
  ),
  minTradeUSDT: decimal(
    'Smallest order value in USDT; 0 for none or another quote coin',
    '5',
    ({ quoteCode, minNotional, quote }) =>
      formatTrimmed(quoteCode === 'USDT' ? minNotional : 0n, quote.scale),
  ),
  takerFeeRate: decimal('Fee rate of the order that takes, 0.001 is 0.1 %', '0.001', (pair) =>
    formatTrimmed(pair.takerFeePpm, PPM_SCALE),
  ),
  makerFeeRate: decimal('Fee rate of the order that rests', '0.001', (pair) =>
    formatTrimmed(pair.makerFeePpm, PPM_SCALE),
  ),
  buyLimitPriceRatio: onlyIf(
    hasBand,
    decimal(
      'Buys are taken up to so far above the last price; absent for any price',
      '0.1',
      bandRatio,
    ),
  ),
  sellLimitPriceRatio: onlyIf(
    hasBand,
    decimal(
      'Sells are taken down to so far below the last price; absent for any price',
      '0.1',
      bandRatio,
    ),
  ),
  priceScale: decimal('Decimal places of a price', '2', ({ priceScale }) => priceScale),
  quantityScale: decimal('Decimal places of a quantity', '4', (pair) => pair.quantityScale),
  // Clients know three states: for them a suspension is a halt.
  status: oneOf(
    MARKET_STATUSES,
    'online trades; halt and offline take cancels only',
    'online',
    ({ status }) => (status === 'suspended' ? 'halt' : status),
  ),
});

function hasBand({ priceBandPpm }: SpotInstrument): boolean {
  return priceBandPpm !== 0;
}

/** How far from the last price orders are taken. */
function bandRatio({ priceBandPpm }: SpotInstrument): string {
  return formatTrimmed(priceBandPpm, PPM_SCALE);
}

/** The public list of pairs. */
function writeProducts(pairs: readonly SpotInstrument[]): string {
  return jsonList(pairs, PRODUCT.write);
}

export const SPOT_LISTINGS = {
  time: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/public/time`,
    rate: perTwoSeconds(20),
    permission: 'none',
    summary: 'Server time in milliseconds',
    request: {},
    response: {
      schema: Type.Integer({ description: 'Unix time in milliseconds' }),
      example: TIME_MS,
    },
    answer: (_services: Services, _values, { nowMs }) => String(nowMs),
  }),
  currencies: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/public/currencies`,
    rate: perTwoSeconds(20),
    permission: 'none',
    summary: 'Coins with their chains',
    request: {},
    response: listOf(COIN),
    answer: ({ live, coinAsHeld = (coin) => coin }: Services) =>
      jsonList(live.listings.assets.map(coinAsHeld), COIN.write),
  }),
  products: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/public/products`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'Every trading pair',
    request: {},
    response: listOf(PRODUCT),
    answer: ({ live }: Services) => writeProducts(live.listings.spot),
  }),
  product: publicEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/public/product`,
    rate: perSecond(20),
    permission: 'none',
    summary: 'One trading pair, in an array',
    request: { symbol: PAIR },
    response: listOf(PRODUCT),
    example: { request: { symbol: 'BTCUSDT' } },
    answer: (_services: Services, { symbol: pair }) => writeProducts([pair]),
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
