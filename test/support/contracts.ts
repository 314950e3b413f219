/** Contract terms that tests share: one linear, one inverse, small figures a reader can follow. */
import { type ContractSpec, type ContractTerms, lots, ticks } from '#domain';

export const TERMS: ContractTerms = {
  minLots: lots(1),
  maxLots: lots(1_000_000),
  takerFeePpm: 600,
  makerFeePpm: 400,
  status: 'online',
  leverageMin: 1,
  leverageMax: 100,
  tiers: [
    { contractsMax: lots(10_000), maintenanceRatePpm: 5_000, leverageMax: 100 },
    { contractsMax: lots(50_000), maintenanceRatePpm: 10_000, leverageMax: 50 },
    { contractsMax: lots(200_000), maintenanceRatePpm: 25_000, leverageMax: 20 },
    { contractsMax: lots(1_000_000), maintenanceRatePpm: 50_000, leverageMax: 10 },
  ],
  priceBandPpm: 500_000,
  markClampPpm: 30_000,
  openOrdersMax: 1_000,
  triggerOrdersMax: 100,
  tpSlMax: 100,
  fundingMinutes: [420, 900, 1_380],
  fundingInterestPpm: 100,
  fundingClampPpm: 500,
  fundingCapPpm: 3_750,
  impactLots: lots(100),
  indexSources: [{ kind: 'feed', name: 'test', weight: 1 }],
  indexStaleMs: 0,
  indexOutlierPpm: 900_000,
  indexImpact: 0n,
  indexMovePpm: 0,
};

/** One contract is 0.001 BTC, margin in USDT: 1 contract at 30,000.0 is worth 30 USDT. */
export const LINEAR: ContractSpec = {
  ...TERMS,
  symbol: 'BTC-USDT-PERP',
  kind: 'linear',
  baseCode: 'BTC',
  quoteCode: 'USDT',
  contractValue: '0.001',
  priceScale: 1,
  priceStepTicks: ticks(5),
  quantityScale: 0,
  referencePriceTicks: ticks(300_000),
};

/** One contract is 1 USD, margin in BTC: 30,000 contracts at 30,000.0 are worth 1 BTC. */
export const INVERSE: ContractSpec = {
  ...TERMS,
  symbol: 'BTC-USD-PERP',
  kind: 'inverse',
  baseCode: 'BTC',
  quoteCode: 'USD',
  contractValue: '1',
  priceScale: 1,
  priceStepTicks: ticks(5),
  quantityScale: 0,
  referencePriceTicks: ticks(300_000),
};
