/** Nonsense in every parameter of the spot endpoints of the current interface. */
import { CURRENT_SPOT_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(CURRENT_SPOT_ENDPOINTS, 'v3.');
