/** Nonsense in every parameter of the operator's endpoints. */
import { ADMIN_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(ADMIN_ENDPOINTS, 'admin.');
