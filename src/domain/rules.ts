/**
 * The version of what commands do. It grows whenever the engine would make something else of a
 * command that an earlier release has applied; entries of the journal carry it, because replaying
 * them under other rules would rebuild another venue. 1: the first releases. 2: what an order
 * freezes covers it in any number of pieces, and all that came with it.
 */
export const RULES_VERSION = 2;
