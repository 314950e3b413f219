/** Movements of money above a limit, and a higher limit, which a second operator has to approve. */

/** Carried out by whoever asked, by the same call once more, after somebody has approved them. */
export const CLEARED_KINDS = ['grant', 'competition'] as const;
export type ClearedKind = (typeof CLEARED_KINDS)[number];

export const APPROVAL_KINDS = [
  ...(['deposit', 'withdraw', 'insurance', 'limit'] as const),
  ...CLEARED_KINDS,
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/**
 * `approved` is one that has been decided and whose outcome was not written: it is being carried
 * out, or the process stopped meanwhile. It is never carried out again.
 */
export const APPROVAL_STATES = ['pending', 'approved', 'done', 'failed', 'refused'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What is to be moved. */
export interface MoneyMovement {
  readonly kind: ApprovalKind;
  /** 0 where no account has it. */
  readonly accountId: number;
  /** Empty where there is none. */
  readonly wallet: string;
  readonly coin: string;
  /** Decimal text. */
  readonly amount: string;
  /** The id of who asked for it, empty for none; of what is cleared, what is to be done. */
  readonly clientOid: string;
}

/** Asked for, and neither refused, over nor too old: what is to come of one id. */
export type OpenQuery = Pick<MoneyMovement, 'kind' | 'accountId' | 'clientOid'> & {
  readonly nowMs: number;
};

export interface NewApproval extends MoneyMovement {
  readonly approvalId: string;
  readonly askedById: string;
  readonly askedByName: string;
  readonly reason: string;
  readonly createdMs: number;
  readonly expiresMs: number;
}

export interface Approval extends NewApproval {
  readonly state: ApprovalState;
  /** Empty, and 0, until somebody decided. */
  readonly decidedById: string;
  readonly decidedByName: string;
  readonly decidedMs: number;
  /** The entry in the account's history, or why it failed or was refused. */
  readonly outcome: string;
}

export interface Decision {
  readonly to: 'approved' | 'refused';
  readonly byId: string;
  readonly byName: string;
  readonly nowMs: number;
  readonly outcome: string;
}

export interface ApprovalsStore {
  /** False with so many that are still pending. */
  addApproval(approval: NewApproval, pendingMax: number): Promise<boolean>;
  approval(approvalId: string): Promise<Approval | undefined>;
  /** One under this id that is pending, or approved and not carried out yet. */
  openApproval(query: OpenQuery): Promise<Approval | undefined>;
  /** Newest first, those before this one. */
  approvals(query: {
    readonly state: ApprovalState | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  }): Promise<readonly Approval[]>;
  /** Once: undefined when it is not pending any more. */
  decideApproval(approvalId: string, decision: Decision): Promise<Approval | undefined>;
  /** How one that was approved ended: undefined when that is written already. */
  endApproval(
    approvalId: string,
    state: 'done' | 'failed',
    outcome: string,
  ): Promise<Approval | undefined>;
  /** Deletes those that were made before. */
  pruneApprovals(beforeMs: number): Promise<void>;
}
