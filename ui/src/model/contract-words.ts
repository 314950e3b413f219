/** Words of the contract endpoints and streams that the pages go by. */
export type MarginMode = 'fixed' | 'crossed';
export type PlanPurpose = 'plan' | 'take_profit' | 'stop_loss';
export type PlanStatus = 'waiting' | 'triggered' | 'failed' | 'cancelled';
