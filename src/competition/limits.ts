/** The bounds of competitions. */
export const COMPETITION_LIMITS = {
  competitionsMax: 200,
  entriesMax: 500,
  roundsMax: 100,
  /** Samples of a round, the first not counted: a long round has a longer interval. */
  samplesMax: 500,
  /** The same of a round that the operator makes longer while it runs: its interval stands. */
  samplesLongerMax: 1_000,
  sampleMsMin: 1_000,
  durationMsMin: 10_000,
  durationMsMax: 366 * 86_400_000,
  moneyMax: 10,
  nameLengthMax: 40,
  descriptionLengthMax: 500,
  /** Codes of a competition, used up and expired ones counted. */
  codesMax: 50,
  /** Points of a curve as it is shown. */
  curvePointsMax: 150,
  /** Curves in one answer. */
  curvesMax: 10,
} as const;

/** Accounts are made equal from so long before a round starts. */
export const PREPARE_MS = 15_000;

/** The interval asked for, or as much more as the bound on samples wants, in whole seconds. */
export function intervalOf(sampleMs: number, durationMs: number): number {
  const least = Math.ceil(durationMs / COMPETITION_LIMITS.samplesMax / 1_000) * 1_000;
  return Math.max(sampleMs, least);
}
