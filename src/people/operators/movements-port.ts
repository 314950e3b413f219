/** Money that operators have moved alone within a day, and the limits of that which owners set. */

export interface AloneMovement {
  readonly movementId: string;
  readonly operatorId: string;
  /** 0 where no account has it. */
  readonly accountId: number;
  readonly coin: string;
  /** Decimal text. */
  readonly amount: string;
  readonly timeMs: number;
}

export interface OperatorLimit {
  readonly coin: string;
  /** Decimal text; empty for none. */
  readonly amount: string;
  readonly changedBy: string;
  readonly changedMs: number;
}

export interface MovementsStore {
  /** False when there is one with this id. */
  addMovement(movement: AloneMovement): Promise<boolean>;
  dropMovement(movementId: string): Promise<void>;
  /** Of a coin, by this operator or of this account, since then; at most so many. */
  movements(query: {
    readonly coin: string;
    readonly operatorId: string;
    readonly accountId: number;
    readonly sinceMs: number;
    readonly limit: number;
  }): Promise<readonly AloneMovement[]>;
  pruneMovements(beforeMs: number): Promise<void>;

  /** Those that an owner has set in place of the configuration's. */
  operatorLimits(): Promise<readonly OperatorLimit[]>;
  setOperatorLimit(limit: OperatorLimit): Promise<void>;
}
