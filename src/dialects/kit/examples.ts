/** Values that the examples of the documents have in common. */
import { formatId } from './ids.ts';

export const TIME_MS = 1_795_235_652_453;
export const ORDER_ID = formatId(28);
export const TRANSFER_ID = formatId(41);
