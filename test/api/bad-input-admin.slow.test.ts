/**
 * Nonsense in every parameter of the operator's endpoints. What is decided about an approval needs
 * one that waits, and a second operator: test/people/operator-rules.test.ts has both.
 */
import { ADMIN_ENDPOINTS } from '#dialects';
import { attackEvery } from './bad-input-matrix.ts';

const { approve, refuseApproval, settleApproval, ...endpoints } = ADMIN_ENDPOINTS;

attackEvery(endpoints, 'admin.');
