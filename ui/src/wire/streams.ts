/** The two connections of the page, one per dialect. */
import { SPOT_DIALECT } from './spot-dialect.ts';
import { StreamClient } from './stream-client.ts';
import { SWAP_DIALECT } from './swap-dialect.ts';

export type { StreamState } from './stream-client.ts';

export const spotStream = new StreamClient(SPOT_DIALECT);
export const swapStream = new StreamClient(SWAP_DIALECT);
