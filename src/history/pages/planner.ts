/** What a database's planner has to be told beside the query. */
import type { RawBuilder } from 'kysely';

export interface Planner {
  /** A column that is looked at row by row: no index may be chosen for its sake. */
  rowByRow<Value extends number | string>(column: string): RawBuilder<Value>;
}
