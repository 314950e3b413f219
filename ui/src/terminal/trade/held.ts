/** A side of a position in the table of positions and its dialogs. */
import type { TradedContract } from '../../model/contract.ts';
import type { ContractAccountRow, HoldingRow, PositionPair } from '../../model/positions.ts';
import type { Instrument } from '../context.ts';
/** A side that is held, with all that is shown of it. */
export interface Held {
  readonly holding: HoldingRow;
  readonly pair: PositionPair;
  readonly row: ContractAccountRow;
  readonly contract: TradedContract;
  readonly instrument: Instrument;
}
