/** The terms of a contract whose listing leaves them out, in a file and at run time alike. */
import { type ContractTerms, INDEX_IMPACT_SCALE, type RiskTier } from './contract.ts';
import { LIMITS } from './limits.ts';
import { type Lots, lots } from './units.ts';

/**
 * Terms for these tiers and this smallest order. The lister of a contract must choose the tiers:
 * they bound its positions and its leverage, and orders too unless more is said.
 */
export function defaultTerms(tiers: readonly RiskTier[], minLots: Lots): ContractTerms {
  return {
    minLots,
    maxLots: tiers.at(-1)?.contractsMax ?? lots(0),
    takerFeePpm: 600,
    makerFeePpm: 400,
    status: 'online',
    leverageMin: 1,
    leverageMax: tiers[0]?.leverageMax ?? 0,
    tiers,
    priceBandPpm: 50_000,
    markClampPpm: 30_000,
    openOrdersMax: LIMITS.accountOpenOrdersMax,
    triggerOrdersMax: 100,
    tpSlMax: 100,
    fundingMinutes: [7 * 60, 15 * 60, 23 * 60],
    fundingInterestPpm: 100,
    fundingClampPpm: 500,
    fundingCapPpm: 3_750,
    impactLots: minLots,
    indexSources: [],
    indexStaleMs: 60_000,
    indexOutlierPpm: 50_000,
    indexImpact: 10_000n * 10n ** BigInt(INDEX_IMPACT_SCALE),
    indexMovePpm: 500,
  };
}
