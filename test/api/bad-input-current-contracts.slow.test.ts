/** Nonsense in every parameter of the contract endpoints of the current interface. */
import { CURRENT_CONTRACT_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(CURRENT_CONTRACT_ENDPOINTS, 'capi.');
