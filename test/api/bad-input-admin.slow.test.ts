/** Nonsense in every parameter of the operator's endpoints. */
import { ADMIN_ENDPOINTS } from '#wire';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(ADMIN_ENDPOINTS, 'admin.');
