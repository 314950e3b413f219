/** The terms of a contract as texts that are being changed, and what is to be sent of them. */
import type { admin } from '#client';

type ContractTerms = admin.InstrumentsAnswer['contracts'][number];

export const TERM_NAMES = [
  'takerFee',
  'makerFee',
  'minQuantity',
  'maxQuantity',
  'minLeverage',
  'maxLeverage',
  'priceBand',
  'markClamp',
  'openOrdersMax',
  'planOrdersMax',
  'presetsMax',
  'impactQuantity',
  'fundingInterest',
  'fundingClamp',
  'fundingCap',
] as const;

/** One row of a table of texts. */
export type TextRow = readonly string[];

export interface ContractDraft {
  /** By the names of TERM_NAMES. */
  readonly terms: Readonly<Record<string, string>>;
  readonly fundingTimes: string;
  /** Contracts, maintenance rate, highest leverage. */
  readonly tiers: readonly TextRow[];
  /** Pair, feed, weight. */
  readonly sources: readonly TextRow[];
  readonly staleSeconds: string;
  readonly outlier: string;
}

export function draftOf(contract: ContractTerms): ContractDraft {
  const { tiers, index, fundingTimes } = contract;
  return {
    terms: Object.fromEntries(TERM_NAMES.map((name) => [name, String(contract[name])])),
    fundingTimes: fundingTimes.join(', '),
    tiers: tiers.map((row) => [row.contracts, row.maintenanceRate, String(row.maxLeverage)]),
    sources: index.sources.map(({ spot = '', feed = '', weight }) => [spot, feed, String(weight)]),
    staleSeconds: String(index.staleSeconds),
    outlier: index.outlier,
  };
}

/** The fields of the request: only what differs from what the draft began with. */
export function changesOf(base: ContractDraft, draft: ContractDraft): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const name of TERM_NAMES) {
    const text = draft.terms[name] ?? '';
    if (text !== base.terms[name]) changes[name] = text.trim();
  }
  if (draft.fundingTimes !== base.fundingTimes) changes.fundingTimes = listOf(draft.fundingTimes);
  if (isOther(base.tiers, draft.tiers)) changes.tiers = draft.tiers.map(tierOf);
  const index = indexChanges(base, draft);
  return Object.keys(index).length === 0 ? changes : { ...changes, index };
}

function indexChanges(base: ContractDraft, draft: ContractDraft): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  if (isOther(base.sources, draft.sources)) changes.sources = draft.sources.map(sourceOf);
  if (draft.staleSeconds !== base.staleSeconds) changes.staleSeconds = draft.staleSeconds.trim();
  if (draft.outlier !== base.outlier) changes.outlier = draft.outlier.trim();
  return changes;
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function tierOf([contracts = '', maintenanceRate = '', maxLeverage = '']: TextRow) {
  return { contracts, maintenanceRate, maxLeverage };
}

function sourceOf([spot = '', feed = '', weight = '']: TextRow) {
  return { ...(spot === '' ? { feed } : { spot }), ...(spot && feed ? { feed } : {}), weight };
}

function isOther(one: readonly TextRow[], other: readonly TextRow[]): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
