/** The check of the operator's calls: one bearer token opens them all. */

import { hash, timingSafeEqual } from 'node:crypto';
import {
  type AnswerHead,
  type ApiRequest,
  FailedChecks,
  networkOf,
  refuseSaying,
  retryAfter,
} from '#api';
import { type Refused, refuse } from '#domain';

/** Wrong tokens of one network that are answered as such; beyond that it hears to wait. */
const WRONG_TOKENS = { limit: 10, windowMs: 1_000 };

export class OperatorToken {
  readonly #digest: Buffer;
  readonly #wrongTokens: FailedChecks | undefined;

  /** Without rate limits wrong tokens are not counted. */
  constructor(token: string, rateLimits: boolean) {
    this.#digest = hash('sha256', token, 'buffer');
    this.#wrongTokens = rateLimits ? new FailedChecks(WRONG_TOKENS) : undefined;
  }

  /**
   * Why the request is not the operator's; undefined when it is. Compares digests: neither content
   * nor length of the token shows in the time it takes. The right one is never kept out by what
   * others of the network show: it has 32 characters or more, which nobody guesses.
   */
  refuse({ headers, address }: ApiRequest, head: AnswerHead): Refused | undefined {
    const given = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    // A page elsewhere can make a browser call, but not show a bearer token: that is no guess.
    if (given === undefined) return refuse('admin_token_wrong');
    if (timingSafeEqual(hash('sha256', given, 'buffer'), this.#digest)) return undefined;
    const network = networkOf(address);
    const waitMs = this.#wrongTokens?.waitMs(network) ?? 0;
    if (waitMs > 0) {
      retryAfter(head, waitMs);
      return refuseSaying('rate_exceeded', 'wrong admin tokens');
    }
    this.#wrongTokens?.note(network);
    return refuse('admin_token_wrong');
  }
}
