/** Nonsense in every parameter of the spot endpoints. */
import { SPOT_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(SPOT_ENDPOINTS);
