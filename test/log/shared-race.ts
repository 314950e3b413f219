/**
 * A race for the lead: members that claim, append with many entries under way, crash and begin
 * again, while others follow. What was acknowledged, and to whom, is written down and judged in
 * the end by what the log holds.
 */
import assert from 'node:assert/strict';
import type { Prng } from '#kernel';
import { type Leadership, type SharedEntry, type SharedLog, SharedLogFault } from '#log';
import { assertChain, Follower, lead, readAll } from '../support/shared-hands.ts';
import type { Place, Way } from './shared-places.ts';

interface Acknowledged {
  readonly claim: number;
  readonly firstSeq: number;
  readonly payload: string;
}

export interface RaceTerms {
  /** How often each member begins. */
  readonly lives: number;
  /** Entries that a leader appends in one life, if nobody deposes it. */
  readonly entriesMax: number;
  /** A leader waits so long between entries, sometimes. */
  readonly pauseMsMax: number;
}

export class Race {
  readonly acknowledged: Acknowledged[] = [];
  readonly #place: Place;
  readonly #terms: RaceTerms;
  readonly #followers: Follower[] = [];
  /** The number of the newest claim that its maker knows to be won. */
  #newestClaim = 0;

  constructor(place: Place, terms: RaceTerms) {
    this.#place = place;
    this.#terms = terms;
  }

  follow(way: Way): void {
    this.#followers.push(new Follower(this.#place.open(way)));
  }

  /** One member's lives. What its own log throws ends a life, as a crash does. */
  async compete(name: string, random: Prng, way: Way): Promise<void> {
    for (let life = 1; life <= this.#terms.lives; life += 1) {
      const log = this.#place.open(way);
      await this.#place.sleep(random.below(this.#terms.pauseMsMax * 4));
      try {
        await this.#live(log, `${name}${life}`, random);
      } catch (error) {
        if (!(error instanceof SharedLogFault)) throw error;
      }
      await log.close();
    }
  }

  /** By somebody whose calls all arrive. Returns what the log holds. */
  async judge(): Promise<readonly SharedEntry[]> {
    const log = this.#place.open();
    const { head } = await lead(log, 'judge');
    // What is still under way somewhere has time to arrive.
    await this.#place.sleep(this.#terms.pauseMsMax * 20);
    const entries = await readAll(log);
    assert.equal((await log.head()).lastSeq, head.nextSeq - 1, 'nothing came after the last claim');
    assertChain(entries);
    this.#judgeEntries(entries);
    for (const follower of this.#followers) {
      await follower.reached(head.nextSeq - 1);
      assert.deepEqual(follower.entries, entries, 'a follower saw what is in the log');
      await follower.stop();
    }
    return entries;
  }

  async #live(log: SharedLog, name: string, random: Prng): Promise<void> {
    const leadership = await log.claim(await log.current(), name);
    if (leadership === undefined) return;
    this.#newestClaim = Math.max(this.#newestClaim, leadership.claim.number);
    const appends = this.#appendAll(log, leadership, name, random);
    // A crash in the middle; or the leader waits for all of it.
    if (random.chance(500_000)) await this.#place.sleep(random.below(this.#terms.pauseMsMax * 10));
    else await Promise.all(await appends);
    await log.close();
    await Promise.all(await appends);
  }

  /** Resolves when all are sent; each of the promises when its append has ended, either way. */
  async #appendAll(
    log: SharedLog,
    { claim, head }: Leadership,
    name: string,
    random: Prng,
  ): Promise<Promise<void>[]> {
    const appends: Promise<void>[] = [];
    let firstSeq = head.nextSeq;
    for (let number = 1; number <= 1 + random.below(this.#terms.entriesMax); number += 1) {
      const count = 1 + random.below(5);
      const payload = `${name} ${number}`;
      const newestClaim = this.#newestClaim;
      const entry = { firstSeq, count, rules: 3, format: 1, payload };
      const done = { claim: claim.number, firstSeq, payload };
      const noted = () => {
        assert.ok(claim.number >= newestClaim, 'none for what was sent after another claim');
        this.acknowledged.push(done);
      };
      appends.push(log.append(claim, entry).then(noted, onlyFaults));
      firstSeq += count;
      if (random.chance(300_000)) await this.#place.sleep(random.below(this.#terms.pauseMsMax));
    }
    return appends;
  }

  #judgeEntries(entries: readonly SharedEntry[]): void {
    const places = new Map(entries.map((entry) => [entry.payload, entry]));
    assert.equal(places.size, entries.length, 'nothing is in it twice');
    let last = { claim: 0, firstSeq: 0 };
    for (const { claim, firstSeq } of entries) {
      assert.ok(claim >= last.claim, 'claims follow one another');
      last = { claim, firstSeq };
    }
    const byClaim = new Map<number, number>();
    for (const { claim, firstSeq, payload } of this.acknowledged) {
      const entry = places.get(payload);
      assert.deepEqual([entry?.claim, entry?.firstSeq], [claim, firstSeq], `${payload} is there`);
      assert.ok(firstSeq > (byClaim.get(claim) ?? 0), 'acknowledged in order');
      byClaim.set(claim, firstSeq);
    }
  }
}

function onlyFaults(error: unknown): void {
  if (!(error instanceof SharedLogFault)) throw error;
}
