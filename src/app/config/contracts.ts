/**
 * One contract of a configuration as a specification: decimal text becomes ticks, lots and ppm,
 * terms that are left out get their default, and what would not work together is complained about.
 */

import {
  type ContractSpec,
  type ContractTerms,
  contractSymbol,
  contractSymbolMeant,
  defaultTerms,
  INDEX_IMPACT_SCALE,
  type IndexSource,
  isOfContract,
  LIMITS,
  lots,
  marginCode,
  OPERATOR_SOURCE,
  PPM,
  type RiskTier,
  ticks,
  tierOf,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { Path } from './document.ts';
import type { Figures } from './figures.ts';
import type { ContractContent } from './schema.ts';
import { type Market, marketKey } from './simulation.ts';

/** Decimal places that a contract's value may have. */
const VALUE_SCALE = 18;
const SECOND_MS = 1_000;

type RateField = 'takerFee' | 'makerFee' | 'fundingInterest' | 'fundingClamp' | 'fundingCap';

export class ContractReader {
  readonly #figures: Figures;
  readonly #scaleByCoin: ReadonlyMap<string, number>;
  readonly #markets: ReadonlyMap<string, Market>;

  constructor(
    figures: Figures,
    scaleByCoin: ReadonlyMap<string, number>,
    markets: ReadonlyMap<string, Market>,
  ) {
    this.#figures = figures;
    this.#scaleByCoin = scaleByCoin;
    this.#markets = markets;
  }

  read(row: ContractContent, path: Path): ContractSpec {
    const { symbol, kind, base, quote, contractValue, priceScale, quantityScale = 0 } = row;
    const price = (field: 'priceStep' | 'referencePrice', fallback: number) =>
      ticks(this.#figures.positive([...path, field], row[field], priceScale, fallback));
    const priceStepTicks = price('priceStep', 1);
    const referencePriceTicks = price('referencePrice', 0);
    if (referencePriceTicks > 0 && referencePriceTicks < priceStepTicks) {
      this.#figures.complain([...path, 'referencePrice'], 'is below priceStep');
    }
    if (referencePriceTicks > LIMITS.indexTicksMax) {
      this.#figures.complain([...path, 'referencePrice'], 'is too large');
    }
    this.#checkCoins(row, path);
    return {
      symbol: contractSymbolMeant(symbol, base, quote) ?? contractSymbol(base, quote),
      kind,
      baseCode: base,
      quoteCode: quote,
      contractValue,
      priceScale,
      quantityScale,
      priceStepTicks,
      referencePriceTicks,
      ...this.#terms(row, path),
    };
  }

  #checkCoins(row: ContractContent, path: Path): void {
    const { kind, base, quote } = row;
    if (base === quote) this.#figures.complain([...path, 'quote'], 'is also the base');
    const margin = marginCode({ kind, baseCode: base, quoteCode: quote });
    const marginScale = this.#scaleByCoin.get(margin);
    if (marginScale === undefined) {
      const place = [...path, kind === 'linear' ? 'quote' : 'base'];
      this.#figures.complain(place, `${margin} is its margin coin and not among the assets`);
    } else if (!this.#isExact(row, path, marginScale)) {
      const sum = 'is too fine for priceScale, quantityScale and the scale of its margin coin';
      this.#figures.complain([...path, 'contractValue'], sum);
    }
  }

  /** Whether Contract.valueFactor is whole, so that values lose nothing but by the price. */
  #isExact(row: ContractContent, path: Path, marginScale: number): boolean {
    const { kind, contractValue, priceScale, quantityScale = 0 } = row;
    const place = [...path, 'contractValue'];
    const value = this.#figures.amount(place, contractValue, VALUE_SCALE);
    if (value === 0n) this.#figures.complain(place, 'must be above zero');
    const priceDigits = kind === 'linear' ? -priceScale : priceScale;
    const digits = VALUE_SCALE - (marginScale - quantityScale + priceDigits);
    return digits <= 0 || value % 10n ** BigInt(digits) === 0n;
  }

  #terms(row: ContractContent, path: Path): ContractTerms {
    const figures = this.#figures;
    const { quantityScale = 0, index } = row;
    const minLots = figures.positive([...path, 'minQuantity'], row.minQuantity, quantityScale, 1);
    const tiers = this.#tiers(row, path);
    const defaults = defaultTerms(tiers, lots(minLots));
    const size = (field: 'maxQuantity' | 'impactQuantity', fallback: number) =>
      lots(figures.positive([...path, field], row[field], quantityScale, fallback));
    const maxLots = size('maxQuantity', defaults.maxLots);
    if (row.maxQuantity !== undefined) {
      this.#checkCount([...path, 'maxQuantity'], maxLots, quantityScale);
    }
    const rate = (field: RateField, fallbackPpm: number) =>
      figures.rate([...path, field], row[field], fallbackPpm);
    const bound = (field: 'priceBand' | 'markClamp', fallbackPpm: number) =>
      figures.positiveRate([...path, field], row[field], fallbackPpm);
    const terms: ContractTerms = {
      minLots: lots(minLots),
      maxLots,
      takerFeePpm: rate('takerFee', defaults.takerFeePpm),
      makerFeePpm: rate('makerFee', defaults.makerFeePpm),
      status: row.status ?? defaults.status,
      leverageMin: row.minLeverage ?? defaults.leverageMin,
      leverageMax: row.maxLeverage ?? defaults.leverageMax,
      tiers,
      priceBandPpm: bound('priceBand', defaults.priceBandPpm),
      markClampPpm: bound('markClamp', defaults.markClampPpm),
      openOrdersMax: row.openOrdersMax ?? defaults.openOrdersMax,
      triggerOrdersMax: row.planOrdersMax ?? defaults.triggerOrdersMax,
      tpSlMax: row.presetsMax ?? defaults.tpSlMax,
      fundingMinutes: row.fundingTimes?.map(minuteOf) ?? defaults.fundingMinutes,
      fundingInterestPpm: rate('fundingInterest', defaults.fundingInterestPpm),
      fundingClampPpm: rate('fundingClamp', defaults.fundingClampPpm),
      fundingCapPpm: rate('fundingCap', defaults.fundingCapPpm),
      impactLots: size('impactQuantity', defaults.impactLots),
      indexSources: this.#sources(row, path),
      indexStaleMs:
        index?.staleSeconds === undefined ? defaults.indexStaleMs : index.staleSeconds * SECOND_MS,
      indexOutlierPpm: figures.positiveRate(
        [...path, 'index', 'outlier'],
        index?.outlier,
        defaults.indexOutlierPpm,
      ),
      indexImpact:
        index?.impactNotional === undefined
          ? defaults.indexImpact
          : figures.amount(
              [...path, 'index', 'impactNotional'],
              index.impactNotional,
              INDEX_IMPACT_SCALE,
            ),
      indexMovePpm: figures.rate(
        [...path, 'index', 'maxMove'],
        index?.maxMove,
        defaults.indexMovePpm,
      ),
    };
    this.#checkTerms(terms, path);
    return terms;
  }

  #tiers(row: ContractContent, path: Path): RiskTier[] {
    const tiers = row.tiers.map((tier, at): RiskTier => {
      const place = [...path, 'tiers', at];
      const { contracts, maintenanceRate, maxLeverage } = tier;
      const { quantityScale = 0 } = row;
      const size = this.#figures.positive([...place, 'contracts'], contracts, quantityScale);
      this.#checkCount([...place, 'contracts'], size, quantityScale);
      const ratePpm = this.#figures.positiveRate([...place, 'maintenanceRate'], maintenanceRate);
      return { contractsMax: lots(size), maintenanceRatePpm: ratePpm, leverageMax: maxLeverage };
    });
    for (const [at, tier] of tiers.entries()) {
      const before = tiers[at - 1];
      if (before !== undefined) this.#checkNextTier(before, tier, [...path, 'tiers', at]);
    }
    return tiers;
  }

  /** As the engine does: what all accounts hold of a contract has to stay one exact number. */
  #checkCount(path: Path, size: number, scale: number): void {
    if (size <= LIMITS.contractLotsMax) return;
    const most = formatTrimmed(BigInt(LIMITS.contractLotsMax), scale);
    this.#figures.complain(path, `must be at most ${most}`);
  }

  #checkNextTier(before: RiskTier, tier: RiskTier, path: Path): void {
    if (tier.contractsMax <= before.contractsMax) {
      this.#figures.complain([...path, 'contracts'], 'must be above the tier before it');
    }
    if (tier.maintenanceRatePpm < before.maintenanceRatePpm) {
      this.#figures.complain([...path, 'maintenanceRate'], 'is below the tier before it');
    }
    if (tier.leverageMax > before.leverageMax) {
      this.#figures.complain([...path, 'maxLeverage'], 'is above the tier before it');
    }
  }

  #sources(row: ContractContent, path: Path): IndexSource[] {
    const names = new Set<string>();
    return (row.index?.sources ?? []).map(({ spot, feed, weight = 1 }, at): IndexSource => {
      const place = [...path, 'index', 'sources', at];
      const complain = (message: string) => this.#figures.complain(place, message);
      if ((spot === undefined) === (feed === undefined)) complain('takes either spot or feed');
      const name = spot ?? feed ?? '';
      if (names.has(name)) complain(`${name} is there twice`);
      names.add(name);
      if (feed === OPERATOR_SOURCE) complain(`${OPERATOR_SOURCE} is reserved`);
      if (spot === undefined) return { kind: 'feed', name, weight };
      const pair = isOfContract(spot) ? undefined : this.#markets.get(marketKey(spot));
      if (pair === undefined) complain(`${spot} is not a listed pair`);
      return { kind: 'spot', symbol: pair?.symbol ?? spot, weight };
    });
  }

  #checkTerms(terms: ContractTerms, path: Path): void {
    const complain = (field: string, message: string) =>
      this.#figures.complain([...path, field], message);
    if (terms.minLots > terms.maxLots) complain('minQuantity', 'is above maxQuantity');
    if (terms.leverageMin > terms.leverageMax) complain('minLeverage', 'is above maxLeverage');
    if (terms.leverageMax > tierOf(terms, 0).leverageMax) {
      complain('maxLeverage', 'is above what any tier allows');
    }
    const minutes = terms.fundingMinutes;
    if (minutes.some((minute, at) => minute <= (minutes[at - 1] ?? -1))) {
      complain('fundingTimes', 'must be in order, each once');
    }
    for (const [at, tier] of terms.tiers.entries()) {
      if (hasRoom(tier, terms)) continue;
      const sum = '1 / maxLeverage must be above maintenanceRate + takerFee';
      this.#figures.complain([...path, 'tiers', at, 'maxLeverage'], sum);
    }
  }
}

/** Whether a position opened at the highest leverage is not liquidated at once. */
function hasRoom(tier: RiskTier, { takerFeePpm, leverageMax }: ContractTerms): boolean {
  const leverage = Math.min(tier.leverageMax, leverageMax);
  return leverage * (tier.maintenanceRatePpm + takerFeePpm) < PPM;
}

/** "07:30" as minutes of the day. */
function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}
