/** A position in the table of positions and its dialogs, with what its market is like. */
import type { TradedContract } from '../../model/contract.ts';
import type { Position } from '../../model/positions.ts';
import type { Instrument } from '../context.ts';

export interface Held {
  readonly position: Position;
  readonly contract: TradedContract;
  readonly instrument: Instrument;
}
