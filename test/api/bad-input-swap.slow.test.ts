/** Nonsense in every parameter of the contract endpoints. */
import { SWAP_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';
import { CONTRACTS } from './bad-input-values.ts';

attackEvery(SWAP_ENDPOINTS, CONTRACTS);
