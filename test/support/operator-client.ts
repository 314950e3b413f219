/** The typed client with the token of an operator, patient enough for a day of the clock. */
import { bearer, type OutcryClient, outcryClient } from '#client';

const CALL_MAX_MS = 30_000;

export function operatorClient(url: string, adminToken: string): OutcryClient {
  return outcryClient({ url, sign: bearer(adminToken), timeoutMs: CALL_MAX_MS });
}
