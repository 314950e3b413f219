/** What a simulated venue lists: coins of several scales, pairs, and contracts of every kind. */
import {
  type AssetSpec,
  type ContractSpec,
  type ContractTerms,
  contractSymbol,
  lots,
  type SpotSpec,
  ticks,
  USUAL_FUND_BUDGET,
} from '#domain';

export const START_MS = 1_795_392_000_000;

/** A coin without networks. */
export function coin(coinId: number, code: string, scale: number, transferable = true): AssetSpec {
  return { coinId, code, scale, transferable, chains: [], fundBudget: USUAL_FUND_BUDGET };
}

export const COINS: readonly AssetSpec[] = [
  coin(1, 'USDT', 8),
  coin(2, 'BTC', 8),
  coin(3, 'ETH', 12),
  coin(4, 'LOCKED', 2, false),
];

const PAIR = {
  minLots: lots(1),
  maxLots: lots(50_000_000),
  minNotional: 0n,
  takerFeePpm: 1_000,
  makerFeePpm: 800,
  status: 'online',
  referencePriceTicks: ticks(0),
  priceBandPpm: 0,
} as const;

export const PAIRS: readonly SpotSpec[] = [
  {
    ...PAIR,
    symbol: 'BTC-USDT',
    baseCode: 'BTC',
    quoteCode: 'USDT',
    priceScale: 1,
    quantityScale: 4,
    referencePriceTicks: ticks(300_000),
    priceBandPpm: 200_000,
  },
  {
    ...PAIR,
    symbol: 'ETH-BTC',
    baseCode: 'ETH',
    quoteCode: 'BTC',
    priceScale: 5,
    quantityScale: 3,
    minLots: lots(2),
    maxLots: lots(40_000),
    minNotional: 100n,
    takerFeePpm: 333,
    makerFeePpm: 0,
    referencePriceTicks: ticks(6_000),
  },
];

const TIERS = [
  { contractsMax: lots(20), maintenanceRatePpm: 5_000, leverageMax: 100 },
  { contractsMax: lots(60), maintenanceRatePpm: 10_000, leverageMax: 50 },
  { contractsMax: lots(200), maintenanceRatePpm: 25_000, leverageMax: 20 },
  { contractsMax: lots(900), maintenanceRatePpm: 50_000, leverageMax: 10 },
] as const;

const TERMS: ContractTerms = {
  minLots: lots(1),
  maxLots: lots(600),
  takerFeePpm: 600,
  makerFeePpm: 400,
  status: 'online',
  leverageMin: 1,
  leverageMax: 100,
  tiers: TIERS,
  priceBandPpm: 500_000,
  markClampPpm: 30_000,
  openOrdersMax: 20,
  triggerOrdersMax: 6,
  tpSlMax: 4,
  fundingMinutes: [420, 900, 1_380],
  fundingInterestPpm: 100,
  fundingClampPpm: 500,
  fundingCapPpm: 3_750,
  impactLots: lots(20),
  indexSources: [{ kind: 'feed', name: 'feed', weight: 1 }],
  indexStaleMs: 0,
  indexOutlierPpm: 900_000,
  indexImpact: 0n,
  indexMovePpm: 0,
};

export const CONTRACTS: readonly ContractSpec[] = [
  {
    ...TERMS,
    symbol: contractSymbol('BTC', 'USDT'),
    kind: 'linear',
    baseCode: 'BTC',
    quoteCode: 'USDT',
    contractValue: '0.001',
    priceScale: 1,
    priceStepTicks: ticks(5),
    quantityScale: 0,
    referencePriceTicks: ticks(300_000),
  },
  {
    ...TERMS,
    symbol: contractSymbol('ETH', 'USDT'),
    kind: 'linear',
    baseCode: 'ETH',
    quoteCode: 'USDT',
    contractValue: '0.07',
    priceScale: 2,
    priceStepTicks: ticks(1),
    quantityScale: 0,
    referencePriceTicks: ticks(180_000),
    takerFeePpm: 37,
    makerFeePpm: 0,
    fundingMinutes: [0, 480, 960],
    indexStaleMs: 600_000,
  },
  {
    ...TERMS,
    symbol: contractSymbol('BTC', 'USD'),
    kind: 'inverse',
    baseCode: 'BTC',
    quoteCode: 'USD',
    contractValue: '1',
    priceScale: 1,
    priceStepTicks: ticks(5),
    quantityScale: 0,
    referencePriceTicks: ticks(300_000),
  },
  {
    ...TERMS,
    symbol: contractSymbol('COARSE', 'USDT'),
    kind: 'linear',
    baseCode: 'COARSE',
    quoteCode: 'USDT',
    contractValue: '0.00000001',
    priceScale: 0,
    priceStepTicks: ticks(50),
    quantityScale: 0,
    referencePriceTicks: ticks(400),
    markClampPpm: 500_000,
  },
  {
    ...TERMS,
    symbol: contractSymbol('ETH', 'BTC'),
    kind: 'linear',
    baseCode: 'ETH',
    quoteCode: 'BTC',
    contractValue: '0.01',
    priceScale: 5,
    priceStepTicks: ticks(1),
    quantityScale: 0,
    referencePriceTicks: ticks(6_000),
    indexSources: [{ kind: 'spot', symbol: 'ETH-BTC', weight: 1 }],
    indexStaleMs: 600_000,
    indexMovePpm: 500,
  },
];

/** Where an index may come from: feeds, pairs of the venue, or both, with their weights. */
export const SOURCES: readonly ContractTerms['indexSources'][] = [
  [{ kind: 'feed', name: 'feed', weight: 1 }],
  [
    { kind: 'feed', name: 'feed', weight: 2 },
    { kind: 'spot', symbol: 'BTC-USDT', weight: 1 },
  ],
  [
    { kind: 'feed', name: 'feed', weight: 1 },
    { kind: 'feed', name: 'other', weight: 3 },
    { kind: 'spot', symbol: 'ETH-BTC', weight: 2 },
  ],
];
