/**
 * Tokens of sessions: random, and closed by a code under the master key. So a text that somebody
 * made up is told from a token that was given out without a look into the store.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { isToken } from './tokens.ts';

const KEY_BYTES = 32;
/** 192 bits nobody guesses. */
const RANDOM_BYTES = 24;
/** A made-up token passes once in 2^64, and is looked up then. */
const CODE_BYTES = 8;

export class SessionTokens {
  readonly #key: Uint8Array;

  constructor(masterKey: Uint8Array) {
    const key = hkdfSync('sha256', masterKey, '', 'outcry session tokens 1', KEY_BYTES);
    this.#key = new Uint8Array(key);
  }

  make(): string {
    const random = randomBytes(RANDOM_BYTES);
    return Buffer.concat([random, this.#codeOf(random)]).toString('base64url');
  }

  /** Whether this venue has given the token out, for a session that may have ended. */
  isOurs(token: string): boolean {
    if (!isToken(token)) return false;
    const bytes = Buffer.from(token, 'base64url');
    const code = this.#codeOf(bytes.subarray(0, RANDOM_BYTES));
    return timingSafeEqual(code, bytes.subarray(RANDOM_BYTES));
  }

  #codeOf(random: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(random).digest().subarray(0, CODE_BYTES);
  }
}
