/**
 * The version of what commands do. It grows whenever the engine would make something else of a
 * command that an earlier release has applied; entries of the journal carry it, because replaying
 * them under other rules would rebuild another venue. 1: the first releases. 2: what an order
 * freezes covers it in any number of pieces, and all that came with it. 3: client ids of contract
 * orders are unique per account over all contracts, and no more in each of them alone. 4: every
 * order that opens is asked whether its position would stay above its threshold, and a contract
 * that netting leaves flat is not taken for all of its wallet. 5: a tick settles funding and
 * samples premiums in all contracts before it liquidates anything, a moved order keeps its presets
 * whatever the limit of them is by now, a fill is judged by the margin that its position takes, not
 * by what its order brings, and a wave of liquidations that is much goes on in later commands.
 * 6: so does a single liquidation that is deleveraged against many.
 */
export const RULES_VERSION = 6;

/** The first rules that the engine still goes by, for entries that were written under them. */
export const EARLIEST_RULES = 2;

export type Rules = 2 | 3 | 4 | 5 | 6;

/** Whether this release can apply what was written under these rules. */
export function isKnownRules(version: number): version is Rules {
  return version >= EARLIEST_RULES && version <= RULES_VERSION;
}
