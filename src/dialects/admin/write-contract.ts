/** What the operator's endpoints answer about contracts: terms, prices, funds and liquidations. */
import {
  type Asset,
  type Contract,
  type ContractPrices,
  INDEX_IMPACT_SCALE,
  type IndexReported,
  type IndexSource,
  type InsuranceFunded,
  type Liquidated,
  type Listings,
  type RiskTier,
  type StateReader,
} from '#domain';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import { formatFundingRate, formatRate, formatSize } from '../classic/swap-format.ts';
import { MARGIN_MODE_WORDS } from '../classic/swap-terms.ts';

const SECOND_MS = 1_000;

/** Every term under its name in the configuration file, and the margin coin. */
export function contractData(contract: Contract) {
  const { priceScale, quantityScale } = contract;
  return {
    symbol: contract.symbol,
    kind: contract.kind,
    base: contract.baseCode,
    quote: contract.quoteCode,
    margin: contract.margin.code,
    contractValue: contract.contractValue,
    priceScale,
    priceStep: formatTrimmed(contract.priceStepTicks, priceScale),
    quantityScale,
    minQuantity: formatSize(contract, contract.minLots),
    maxQuantity: formatSize(contract, contract.maxLots),
    takerFee: formatRate(contract.takerFeePpm),
    makerFee: formatRate(contract.makerFeePpm),
    minLeverage: contract.leverageMin,
    maxLeverage: contract.leverageMax,
    tiers: contract.tiers.map((tier) => tierData(contract, tier)),
    priceBand: formatRate(contract.priceBandPpm),
    markClamp: formatRate(contract.markClampPpm),
    openOrdersMax: contract.openOrdersMax,
    planOrdersMax: contract.triggerOrdersMax,
    presetsMax: contract.tpSlMax,
    fundingTimes: contract.fundingMinutes.map(timeOfDay),
    fundingInterest: formatRate(contract.fundingInterestPpm),
    fundingClamp: formatRate(contract.fundingClampPpm),
    fundingCap: formatRate(contract.fundingCapPpm),
    impactQuantity: formatSize(contract, contract.impactLots),
    insuranceBudget: formatRate(contract.insuranceBudgetPpm),
    index: {
      sources: contract.indexSources.map(sourceData),
      staleSeconds: contract.indexStaleMs / SECOND_MS,
      outlier: formatRate(contract.indexOutlierPpm),
      impactNotional: formatTrimmed(contract.indexImpact, INDEX_IMPACT_SCALE),
      maxMove: formatRate(contract.indexMovePpm),
    },
    referencePrice: formatTrimmed(contract.referencePriceTicks, priceScale),
    status: contract.status,
    suspendedReason: contract.suspendedReason ?? '',
  };
}

function tierData(contract: Contract, { contractsMax, maintenanceRatePpm, leverageMax }: RiskTier) {
  return {
    contracts: formatSize(contract, contractsMax),
    maintenanceRate: formatRate(maintenanceRatePpm),
    maxLeverage: leverageMax,
  };
}

function sourceData(source: IndexSource) {
  const { weight } = source;
  return source.kind === 'spot' ? { spot: source.symbol, weight } : { feed: source.name, weight };
}

/** 450 is "07:30". */
function timeOfDay(minute: number): string {
  const hours = String(Math.floor(minute / 60)).padStart(2, '0');
  return `${hours}:${String(minute % 60).padStart(2, '0')}`;
}

/** Terms and prices; the prices are null until the contract is priced for the first time. */
export function contractStateData(contract: Contract, prices: ContractPrices | undefined) {
  return { ...contractData(contract), prices: pricesData(contract, prices) };
}

function pricesData(contract: Contract, prices: ContractPrices | undefined) {
  if (prices === undefined) return null;
  const { priceScale, margin } = contract;
  return {
    index: formatTrimmed(prices.indexTicks, priceScale),
    indexStale: prices.indexStale,
    mark: formatTrimmed(prices.markTicks, priceScale),
    highest: formatTrimmed(prices.highestTicks, priceScale),
    lowest: formatTrimmed(prices.lowestTicks, priceScale),
    openInterest: formatSize(contract, prices.openInterestLots),
    fundingRate: formatFundingRate(prices.fundingRatePpb),
    nextFundingTime: String(prices.nextFundingMs),
    insuranceFund: formatDecimal(prices.insuranceFund, margin.scale),
    time: String(prices.timeMs),
  };
}

/** The price a source reported, and the prices the contract has with it. */
export function indexReportData(
  { source, priceTicks }: IndexReported,
  contract: Contract,
  prices: ContractPrices | undefined,
) {
  return {
    symbol: contract.symbol,
    source,
    price: formatTrimmed(priceTicks, contract.priceScale),
    prices: pricesData(contract, prices),
  };
}

export function insuranceFundsData(state: Pick<StateReader, 'listings' | 'insuranceFund'>) {
  return state.listings.assets.map(({ assetId, code, scale }) => {
    return { coin: code, fund: formatDecimal(state.insuranceFund(assetId), scale) };
  });
}

export function insuranceFundedData({ amount }: InsuranceFunded, { code, scale }: Asset) {
  return { coin: code, amount: formatDecimal(amount, scale) };
}

export function liquidationData(
  liquidated: Omit<Liquidated, 'kind'> & { readonly timeMs: number },
  listings: Listings,
) {
  const contract = present(listings.contractById(liquidated.instrumentId), 'contract');
  const { priceScale, margin } = contract;
  return {
    symbol: contract.symbol,
    accountId: String(liquidated.accountId),
    marginMode: MARGIN_MODE_WORDS[liquidated.mode],
    side: liquidated.side,
    mark: formatTrimmed(liquidated.markTicks, priceScale),
    bankruptcy: formatTrimmed(liquidated.bankruptcyTicks, priceScale),
    contracts: formatSize(contract, liquidated.sizeLots),
    deleveraged: formatSize(contract, liquidated.deleveragedLots),
    fundDelta: formatDecimal(liquidated.fundDelta, margin.scale),
    time: String(liquidated.timeMs),
  };
}
