/** What every shared log does for those who follow it, and when it is trimmed. */
import assert from 'node:assert/strict';
import { AssertionFailed } from '#kernel';
import {
  assertChain,
  entryAt,
  Follower,
  faultOf,
  fill,
  lead,
  readAll,
} from '../support/shared-hands.ts';
import { type NewPlace, testAt } from './shared-places.ts';

export function followingContract(newPlace: NewPlace): void {
  following(newPlace);
  fallingBehind(newPlace);
  followingFrom(newPlace);
  trimming(newPlace);
}

function following(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('a follower gets what is there and what comes, in order', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const leadership = await lead(one);
    await fill(one, leadership, 100);
    const followers = [new Follower(two), new Follower(two, 101), new Follower(one, 51)];
    await followers[0]?.reached(100);
    await fill(one, leadership, 100);
    await Promise.all(followers.map((follower) => follower.reached(200)));
    const entries = await readAll(two);
    assert.deepEqual(followers[0]?.entries, entries);
    assert.deepEqual(followers[1]?.entries, entries.slice(100));
    assert.deepEqual(followers[2]?.entries, entries.slice(50));
    await Promise.all(followers.map((follower) => follower.stop()));
  });

  at('reading and following start at the entry that contains the number', async (place) => {
    const log = place.open();
    const { claim } = await lead(log);
    for (const [firstSeq, count] of [
      [1, 10],
      [11, 4_096],
      [4_107, 1],
    ] as const) {
      await log.append(claim, entryAt(firstSeq, count));
    }
    for (const [fromSeq, starts] of [
      [1, 1],
      [10, 1],
      [11, 11],
      [4_106, 11],
      [4_107, 4_107],
      [4_108, undefined],
      [9_999, undefined],
    ] as const) {
      const [first] = await readAll(log, fromSeq);
      assert.equal(first?.firstSeq, starts, `read from ${fromSeq}`);
      const follower = new Follower(log, fromSeq);
      if (starts !== undefined) await follower.reached(4_107);
      assert.equal(follower.entries[0]?.firstSeq, starts, `follow from ${fromSeq}`);
      await follower.stop();
    }
  });
}

function fallingBehind(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('a follower that the store has compacted away from goes on', async (place) => {
    const gate = Promise.withResolvers<void>();
    const reader = place.open({ watching: () => gate.promise });
    const one = place.open();
    const leadership = await lead(one);
    await fill(one, leadership, 40);
    const follower = new Follower(reader);
    await follower.reached(40);
    await fill(one, leadership, 40);
    await one.trim(leadership.claim, 30);
    gate.resolve();
    await follower.reached(80);
    await fill(one, leadership, 5);
    await follower.reached(85);
    assertChain(follower.entries);
    await follower.stop();
  });

  at('a follower far behind catches up with the largest entries', async (place) => {
    const gate = Promise.withResolvers<void>();
    const reader = place.open({ watching: () => gate.promise });
    const one = place.open();
    const { claim } = await lead(one);
    await one.append(claim, entryAt(1));
    const follower = new Follower(reader);
    await follower.reached(1);
    for (const seq of [2, 3, 4, 5, 6, 7]) {
      await one.append(claim, entryAt(seq, 1, `${seq}`.repeat(1_000_000)));
    }
    gate.resolve();
    await follower.reached(7);
    assertChain(follower.entries);
    await follower.stop();
  });

  at('one that the log was trimmed away from is told where it starts', async (place) => {
    const gate = Promise.withResolvers<void>();
    const reader = place.open({ watching: () => gate.promise });
    const one = place.open();
    const leadership = await lead(one);
    await fill(one, leadership, 10);
    const follower = new Follower(reader);
    await follower.reached(10);
    await fill(one, leadership, 40);
    await one.trim(leadership.claim, 30);
    gate.resolve();
    await assert.rejects(follower.ended(), (error: unknown) => {
      faultOf('trimmed')(error);
      assert.ok(error instanceof Error && 'detail' in error);
      assert.deepEqual(error.detail, { ...Object(error.detail), kind: 'trimmed', firstSeq: 30 });
      return true;
    });
    await assert.rejects(readAll(one, 29), faultOf('trimmed'));
    await assert.rejects(new Follower(one, 1).ended(), faultOf('trimmed'));
    assert.equal((await readAll(one, 30)).length, 21);
  });
}

function followingFrom(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('a follower that knows the entry before notices another log', async (place) => {
    const log = place.open();
    await fill(log, await lead(log), 3);
    const [first, second] = await readAll(log);
    const follower = new Follower(log, 2, first?.hash);
    await follower.reached(3);
    await follower.stop();
    await assert.rejects(new Follower(log, 3, first?.hash).ended(), faultOf('hash_mismatch'));
    await assert.rejects(new Follower(log, 4, second?.hash).ended(), faultOf('hash_mismatch'));
    await assert.rejects(new Follower(log, 5, second?.hash).ended(), faultOf('torn_tail'));
  });

  at('an empty log goes on where a journal has ended', async (place) => {
    const [log, two] = [place.open(), place.open()];
    const { claim } = await lead(log);
    const base = { nextSeq: 1_001, hash: 'ab'.repeat(32) };
    await log.seed(claim, base);
    await log.append(claim, entryAt(1_001, 2));
    assert.deepEqual(await two.base(), base);
    assert.equal((await two.head()).lastSeq, 1_002);
    const follower = new Follower(two, 1_001, base.hash);
    await follower.reached(1_002);
    await follower.stop();
    await assert.rejects(new Follower(two, 1_000).ended(), faultOf('trimmed'));
    assert.equal((await lead(two, 'two')).head.nextSeq, 1_003);
  });
}

function trimming(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('trimming removes what ends before, and the rest goes on', async (place) => {
    const [log, two] = [place.open(), place.open()];
    const { claim } = await lead(log);
    for (const firstSeq of [1, 11, 21, 31]) await log.append(claim, entryAt(firstSeq, 10));
    const follower = new Follower(two);
    await follower.reached(40);
    for (const [beforeSeq, starts] of [
      [1, 1],
      [10, 1],
      [11, 11],
      [25, 21],
      [25, 21],
      [11, 21],
      [41, 41],
    ] as const) {
      await log.trim(claim, beforeSeq);
      const base = await two.base();
      assert.equal(base.nextSeq, starts, `before ${beforeSeq}`);
      assert.equal((await two.head()).lastSeq, 40);
      assert.deepEqual((await readAll(two, starts))[0]?.firstSeq, starts > 40 ? undefined : starts);
    }
    await assert.rejects(log.trim(claim, 42), AssertionFailed);
    await log.append(claim, entryAt(41, 5));
    await follower.reached(45);
    assertChain(follower.entries);
    const later = await lead(two, 'two');
    assert.equal(later.head.nextSeq, 46);
    await follower.stop();
  });

  at('trimming under load takes nothing from those who follow', async (place) => {
    const [log, two] = [place.open(), place.open()];
    const leadership = await lead(log);
    const follower = new Follower(two);
    for (let round = 1; round <= 10; round += 1) {
      const filling = fill(log, leadership, 60);
      await log.trim(leadership.claim, Math.max(1, follower.lastSeq - 20));
      await filling;
      await follower.reached(round * 60);
    }
    assertChain(follower.entries);
    assert.equal(follower.entries.length, 600);
    await follower.stop();
  });
}
