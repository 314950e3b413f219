/** Nonsense in every parameter of the spot endpoints. */
import { SPOT_ENDPOINTS } from '#wire';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(SPOT_ENDPOINTS);
