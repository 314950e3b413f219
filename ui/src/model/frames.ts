/**
 * What both streams push, in one shape: the spot stream says snapshot and update, the contract
 * stream partial and update. Everything in this folder folds a Push and knows no dialect.
 */

export interface PushFrame<Row> {
  readonly action: 'snapshot' | 'partial' | 'update';
  readonly data: readonly Row[];
  readonly seq: number;
}

export interface Push<Row> {
  /** True when the rows are all there is to know, false when they say what changed. */
  readonly isWhole: boolean;
  readonly rows: readonly Row[];
  /** Counts per channel: an update follows seq - 1. */
  readonly seq: number;
}

/** A push of either stream. */
export function readPush<Row>({ action, data, seq }: PushFrame<Row>): Push<Row> {
  return { isWhole: action !== 'update', rows: data, seq };
}
