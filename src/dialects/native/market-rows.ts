/** What is listed: coins with their networks, and markets with what an order of them may be. */
import Type from 'typebox';
import type { Asset, Chain, Contract, RiskTier } from '#domain';
import { formatTrimmed } from '#kernel';
import {
  type Column,
  decimal,
  encoded,
  listedName,
  nullOr,
  oneOf,
  row,
  rows,
  text,
  truth,
  whole,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { isPair, type Market, moneyOf, type OfMarket, SYMBOL, sizeText } from './terms.ts';

const PPM_DECIMALS = 6;

const NETWORK = row<Chain>()({
  network: text('Name', 'ERC20', ({ chain }) => chain),
  needsTag: truth('Whether an address comes with a tag', false, ({ needTag }) => needTag),
  deposits: truth('Whether it can come by it', true, ({ rechargeable }) => rechargeable),
  withdrawals: truth('Whether it can leave by it', true, ({ withdrawable }) => withdrawable),
  depositMin: decimal('Smallest deposit', '1', ({ minDepositAmount }) => minDepositAmount),
  withdrawalMin: decimal('Smallest withdrawal', '5', (chain) => chain.minWithdrawAmount),
  withdrawalFee: decimal('Fee of a withdrawal', '1', ({ withdrawFee }) => withdrawFee),
  depositBlocks: whole('Blocks that confirm a deposit', 12, (chain) => chain.depositConfirm),
  withdrawalBlocks: whole('Blocks that confirm a withdrawal', 64, (chain) => chain.withdrawConfirm),
  explorer: text('How addresses of its explorer begin', 'https://explorer.example/tx/', (chain) => {
    return chain.browserUrl;
  }),
});

export const COIN_ROW = row<Asset>()({
  coin: listedName('Coin', 'USDT', ({ code }) => code),
  decimals: whole('Decimals of an amount', 8, ({ scale }) => scale),
  transferable: truth('Whether it moves between wallets', true, (coin) => coin.transferable),
  networks: rows(NETWORK, ({ chains }) => chains),
});

type MarketColumn<D = string> = Column<OfMarket, D>;

function share(description: string, example: string, of: (market: Market) => number): MarketColumn {
  return decimal(description, example, ({ market }) => formatTrimmed(of(market), PPM_DECIMALS));
}

/** A field of contracts; null of a pair. */
function ofContract<D>(
  description: string,
  column: Column<Extract<Market, { readonly kind: unknown }>, D>,
): MarketColumn<D | null> {
  const { schema: documented, example, json } = column;
  const known: MarketColumn<D> = {
    schema: documented,
    example,
    json: ({ market }) => (isPair(market) ? 'null' : json(market)),
  };
  return nullOr(description, known, ({ market }) => isPair(market));
}

const TIER = row<{ readonly contract: Contract; readonly tier: RiskTier }>()({
  sizeMax: decimal('Up to so many contracts', '50000', ({ contract, tier }) =>
    sizeText(tier.contractsMax, contract),
  ),
  maintenanceRate: decimal('Of the value, as a fraction', '0.005', ({ tier }) =>
    formatTrimmed(tier.maintenanceRatePpm, PPM_DECIMALS),
  ),
  leverageMax: whole('Highest leverage', 100, ({ tier }) => tier.leverageMax),
});

const KIND_WORDS = ['pair', 'linear', 'inverse'] as const;
const STATUS_WORDS = ['online', 'halt', 'offline', 'suspended'] as const;

export const MARKET_ROW = row<OfMarket>()({
  symbol: SYMBOL,
  kind: oneOf(KIND_WORDS, 'A pair, or how the margin of a contract is', 'pair', ({ market }) =>
    isPair(market) ? 'pair' : market.kind,
  ),
  status: oneOf(
    STATUS_WORDS,
    'online trades; halt and suspended take cancels only; offline is delisted',
    'online',
    ({ market }) => market.status,
  ),
  base: listedName('Coin that is traded', 'BTC', ({ market }) =>
    isPair(market) ? market.base.code : market.baseCode,
  ),
  quote: listedName('What prices are in', 'USDT', ({ market }) =>
    isPair(market) ? market.quote.code : market.quoteCode,
  ),
  money: listedName(
    'Coin of turnover, fees and profit',
    'USDT',
    ({ market }) => moneyOf(market).code,
  ),
  priceDecimals: whole('Decimals of a price', 2, ({ market }) => market.priceScale),
  sizeDecimals: whole('Decimals of a size', 4, ({ market }) => market.quantityScale),
  priceStep: decimal('Prices are multiples of it', '0.01', ({ market }) =>
    formatTrimmed(isPair(market) ? 1 : market.priceStepTicks, market.priceScale),
  ),
  sizeStep: decimal('Sizes are multiples of it', '0.0001', ({ market }) =>
    formatTrimmed(1, market.quantityScale),
  ),
  sizeMin: decimal('Smallest size of an order', '0.0001', ({ market }) =>
    sizeText(market.minLots, market),
  ),
  sizeMax: decimal('Largest size of an order', '100', ({ market }) =>
    sizeText(market.maxLots, market),
  ),
  valueMin: decimal('Smallest value of an order of a pair; 0 for none', '5', ({ market }) =>
    isPair(market) ? formatTrimmed(market.minNotional, market.quote.scale) : '0',
  ),
  takerFee: share('Of what is traded, as a fraction', '0.001', ({ takerFeePpm }) => takerFeePpm),
  makerFee: share('The same for resting orders', '0.001', ({ makerFeePpm }) => makerFeePpm),
  priceBand: share(
    'How far an order may be priced beyond the market, as a fraction; 0 for any price',
    '0.05',
    ({ priceBandPpm }) => priceBandPpm,
  ),
  contractValue: ofContract(
    'One contract in base coin (linear) or in quote currency (inverse); null of a pair',
    decimal('One contract', '0.001', ({ contractValue }) => contractValue),
  ),
  leverageMin: ofContract(
    'Lowest leverage; null of a pair',
    whole('Lowest leverage', 1, ({ leverageMin }) => leverageMin),
  ),
  leverageMax: ofContract(
    'Highest leverage; null of a pair',
    whole('Highest leverage', 100, ({ leverageMax }) => leverageMax),
  ),
  riskTiers: ofContract(
    'By the size of a position, the last one bounds it; null of a pair',
    rows(TIER, (contract) => contract.tiers.map((tier) => ({ contract, tier }))),
  ),
  fundingMinutes: ofContract(
    'Minutes of the UTC day at which funding is settled; null of a pair',
    encoded(
      { schema: Type.Array(schema.wholeNumber('Minute')), example: [0, 480, 960] },
      ({ fundingMinutes }) => JSON.stringify(fundingMinutes),
    ),
  ),
});
