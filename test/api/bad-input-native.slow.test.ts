/** Nonsense in every parameter of the house's own API. */
import { NATIVE_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(NATIVE_ENDPOINTS, 'v1.');
