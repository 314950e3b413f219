/** Nonsense in every parameter of the sandbox's endpoints. */
import { SANDBOX_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

attackEvery(SANDBOX_ENDPOINTS, 'sandbox.');
