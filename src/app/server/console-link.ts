/**
 * The link that opens the console of a demo: whoever started it has no token at hand. It is printed
 * where it was started, works once and for ten minutes, and what it gives is the admin token, which
 * the page keeps as one that was typed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const CODE_BYTES = 32;
const LINK_MS = 10 * 60_000;
/** Guesses find nothing; who makes so many ends the link. */
const TRIES_MAX = 20;

/** Of a clock that no sandbox sets. */
type SteadyNow = () => number;

export class ConsoleLink {
  readonly #token: string;
  readonly #nowMs: SteadyNow;
  #made: { readonly hash: Buffer; readonly endMs: number } | undefined;
  #triesLeft = 0;

  constructor(token: string, nowMs: SteadyNow) {
    this.#token = token;
    this.#nowMs = nowMs;
  }

  /** A new one; the one before works no more. In the part of an address that is not sent. */
  make(): string {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    this.#made = { hash: hashOf(code), endMs: this.#nowMs() + LINK_MS };
    this.#triesLeft = TRIES_MAX;
    return `/ops#enter=${code}`;
  }

  /** The admin token, once; undefined for a code that is wrong, used or too old. */
  take(code: string): string | undefined {
    const made = this.#made;
    if (made === undefined) return undefined;
    this.#triesLeft -= 1;
    const isOver = this.#nowMs() >= made.endMs;
    const isRight = timingSafeEqual(made.hash, hashOf(code));
    if (isOver || isRight || this.#triesLeft === 0) this.#made = undefined;
    return isRight && !isOver ? this.#token : undefined;
  }
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
