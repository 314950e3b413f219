/**
 * The version of what commands do. It grows whenever the engine would make something else of a
 * command that an earlier release has applied; entries of the journal carry it, because replaying
 * them under other rules would rebuild another venue.
 */
export const RULES_VERSION = 1;

/** The first rules that the engine still goes by, for entries that were written under them. */
export const EARLIEST_RULES = 1;

/** Which rules a release can apply. */
export interface KnownRules {
  readonly rulesMin: number;
  readonly rulesMax: number;
}

export const KNOWN_RULES: KnownRules = { rulesMin: EARLIEST_RULES, rulesMax: RULES_VERSION };
