/** A leader that appends without a pause, and what it and its followers have seen in the end. */
import assert from 'node:assert/strict';
import type { Leadership, SharedLog } from '#log';
import { assertChain, entryAt, type Follower, readAll } from '../support/shared-hands.ts';

/** As many as the log sends at once. */
const UNDER_WAY = 16;

export class SteadyLeader {
  /** When each append was acknowledged, in order. */
  readonly ackedMs: number[] = [];
  readonly #log: SharedLog;
  readonly #leadership: Leadership;
  #isStopped = false;
  readonly #ended: Promise<unknown>;

  constructor(log: SharedLog, leadership: Leadership) {
    this.#log = log;
    this.#leadership = leadership;
    let next = leadership.head.nextSeq;
    const hand = async () => {
      while (!this.#isStopped) {
        const seq = next;
        next += 1;
        await log.append(leadership.claim, entryAt(seq));
        this.ackedMs.push(performance.now());
      }
    };
    this.#ended = Promise.all(Array.from({ length: UNDER_WAY }, hand));
    this.#ended.catch(() => undefined);
  }

  /** Resolves when so many more are acknowledged; rejects when an append does. */
  async more(count: number): Promise<void> {
    const wanted = this.ackedMs.length + count;
    while (this.ackedMs.length < wanted) {
      await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, 5))]);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }

  /** The longest that no append was acknowledged. */
  get pauseMs(): number {
    return Math.max(...this.ackedMs.map((ms, at) => ms - (this.ackedMs[at - 1] ?? ms)));
  }

  /** What was acknowledged is in the log, once and in order, and the followers saw just that. */
  async judge(followers: readonly Follower[]): Promise<void> {
    const entries = await readAll(this.#log);
    assertChain(entries);
    const first = this.#leadership.head.nextSeq;
    assert.equal(entries.length, first - 1 + this.ackedMs.length);
    const { lastSeq } = await this.#log.head();
    for (const follower of followers) {
      await follower.reached(lastSeq);
      assert.deepEqual(follower.entries, entries);
      await follower.stop();
    }
  }
}
