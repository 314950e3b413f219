/** The tables of what operators move alone: movements of a day, limits that owners have set. */

export interface MovementTables {
  readonly operator_movements: {
    movement_id: string;
    operator_id: string;
    coin: string;
    amount: string;
    account_id: number;
    time_ms: number;
  };
  readonly operator_limits: {
    coin: string;
    amount: string;
    changed_by: string;
    changed_ms: number;
  };
}
