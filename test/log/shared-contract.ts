/** What every shared log must do, wherever it is kept: one list for every store. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailed } from '#kernel';
import type { Claim, MemberRecord } from '#log';
import { assertChain, entryAt, Follower, faultOf, fill, lead, readAll } from './shared-hands.ts';
import { appendedSeq, lost, type Place } from './shared-places.ts';

type NewPlace = () => Place;

export function sharedLogContract(name: string, newPlace: NewPlace): void {
  describe(`shared log contract: ${name}`, () => {
    claiming(newPlace);
    appending(newPlace);
    refusing(newPlace);
    settling(newPlace);
    following(newPlace);
    followingFrom(newPlace);
    trimming(newPlace);
    beating(newPlace);
    registering(newPlace);
  });
}

function testAt(newPlace: NewPlace) {
  return (name: string, work: (place: Place) => Promise<void>): void => {
    test(name, () => {
      const place = newPlace();
      return place.run(() => work(place));
    });
  };
}

function claiming(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('claims are numbered, and one replaces only the claim it has seen', async (place) => {
    const [one, two] = [place.open(), place.open()];
    assert.equal(await one.current(), undefined);
    const first = (await one.claim(undefined, 'one'))?.claim;
    assert.deepEqual([first?.number, first?.holder], [1, 'one']);
    assert.equal(await two.claim(undefined, 'two'), undefined, 'there is one');
    assert.deepEqual(await two.current(), first);
    const second = (await two.claim(first, 'two'))?.claim;
    assert.deepEqual([second?.number, second?.holder], [2, 'two']);
    assert.equal(await one.claim(first, 'one'), undefined, 'the claim it has seen is replaced');
    assert.deepEqual(await one.current(), second);
    assert.notEqual(second?.token, first?.token);
  });

  at('of many that claim at once one wins', async (place) => {
    const logs = Array.from({ length: 5 }, () => place.open());
    const won = await Promise.all(logs.map((log, at) => log.claim(undefined, `member-${at}`)));
    const [winner, ...more] = won.filter((leadership) => leadership !== undefined);
    assert.deepEqual(more, []);
    assert.deepEqual(await logs[0]?.current(), winner?.claim);
  });

  at('a claim whose answers are lost is found to be won', async (place) => {
    let lostCount = 0;
    const log = place.open({
      back: async ({ write }) => {
        if (write.some(({ kind }) => kind === 'put') && lostCount++ < 2) lost();
      },
    });
    const leadership = await log.claim(undefined, 'one');
    assert.equal(leadership?.claim.number, 1);
    await fill(log, leadership, 3);
    assert.equal((await readAll(log)).length, 3);
  });

  at('who gives up the leadership leaves a claim without a holder', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim } = await lead(one);
    assert.equal(await one.release(claim), true);
    assert.equal(await one.release(claim), false);
    const vacant = await two.current();
    assert.deepEqual([vacant?.number, vacant?.holder], [1, '']);
    await assert.rejects(one.append(claim, entryAt(1)), faultOf('deposed'));
    assert.equal(await one.confirm(claim), false);
    assert.equal((await lead(two)).claim.number, 2);
  });

  at('a watch shows the claim in force, and each that comes', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const stop = new AbortController();
    const holders: (string | undefined)[] = [];
    let claim: Claim | undefined;
    for await (const seen of two.watchClaim(stop.signal)) {
      holders.push(seen?.holder);
      if (holders.length === 4) stop.abort();
      else claim = (await one.claim(claim, `member-${holders.length}`))?.claim;
    }
    assert.deepEqual(holders, [undefined, 'member-1', 'member-2', 'member-3']);
  });
}

function appending(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('what was appended is read as it was written, with claim and chain', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim, head } = await lead(one);
    assert.equal(head.nextSeq, 1);
    await one.append(claim, { firstSeq: 1, count: 3, rules: 2, format: 1, payload: 'a\nb' });
    await one.append(claim, { firstSeq: 4, count: 1, rules: 3, format: 2, payload: '' });
    const later = await lead(two, 'two');
    await two.append(later.claim, entryAt(5, 4_096, 'é€😀'));
    const entries = await readAll(one);
    assertChain(entries);
    assert.deepEqual(
      entries.map(({ hash: _, ...content }) => content),
      [
        { firstSeq: 1, count: 3, rules: 2, claim: 1, format: 1, payload: 'a\nb' },
        { firstSeq: 4, count: 1, rules: 3, claim: 1, format: 2, payload: '' },
        { firstSeq: 5, count: 4_096, rules: 3, claim: 2, format: 1, payload: 'é€😀' },
      ],
    );
    assert.deepEqual(await one.head(), { lastSeq: 4_100, hash: entries[2]?.hash });
    assert.deepEqual(two.acknowledged(later.claim), { nextSeq: 4_101, hash: entries[2]?.hash });
  });

  at('many under way are acknowledged in the order of the calls', async (place) => {
    const log = place.open({
      // The later one of two is sent first.
      there: async (transaction) => {
        if ((appendedSeq(transaction) ?? 0) % 2 === 1) await place.sleep(3);
      },
    });
    const { claim } = await lead(log);
    const order: number[] = [];
    const appends = Array.from({ length: 100 }, async (_, index) => {
      await log.append(claim, entryAt(index + 1));
      assert.ok(log.acknowledged(claim).nextSeq > index + 1);
      order.push(index + 1);
    });
    await Promise.all(appends);
    assert.deepEqual(
      order,
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    assertChain(await readAll(log));
  });

  at('an append whose answer is lost is acknowledged, and there once', async (place) => {
    const seen = new Set<number>();
    const isFirst = (seq: number | undefined) =>
      seq !== undefined && !seen.has(seq) && seen.add(seq).size > 0;
    const log = place.open({
      back: async (transaction) => {
        if (isFirst(appendedSeq(transaction))) lost();
      },
    });
    await fill(log, await lead(log), 40);
    const entries = await readAll(log);
    assertChain(entries);
    assert.equal(entries.length, 40);
  });

  at('the largest entry fits, and any text in any grouping survives', async (place) => {
    const log = place.open();
    const { claim } = await lead(log);
    await log.append(claim, entryAt(1, 1, 'x'.repeat(1024 * 1024 - 200)));
    const unit = fc.constantFrom('a', 'é', '€', '😀', '\n', '"', '\\', '\0', '\u2028');
    const text = fc.string({ unit, maxLength: 200 });
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 4_096 }), text), { maxLength: 10 });
    const written: (readonly [number, string])[] = [];
    const run = fc.asyncProperty(rows, async (given) => {
      for (const [count, payload] of given) {
        await log.append(claim, entryAt(log.acknowledged(claim).nextSeq, count, payload));
        written.push([count, payload]);
      }
      const entries = await readAll(log, 2);
      assert.deepEqual(
        entries.map(({ count, payload }) => [count, payload]),
        written,
      );
    });
    await fc.assert(run, { numRuns: 5 });
    assertChain(await readAll(log));
  });
}

function refusing(newPlace: NewPlace): void {
  const at = testAt(newPlace);
  const misused = [
    { what: 'a number left out', entry: entryAt(3) },
    { what: 'a number used twice', entry: entryAt(1) },
    { what: 'no command', entry: entryAt(2, 0) },
    { what: 'part of a command', entry: entryAt(2, 1.5) },
    { what: 'too many commands', entry: entryAt(2, 4_097) },
    { what: 'text that UTF-8 cannot store', entry: entryAt(2, 1, '\ud800') },
    { what: 'more than 1 MiB', entry: entryAt(2, 1, 'é'.repeat(512 * 1024)) },
  ];

  at('an entry that does not continue the log is a bug of the caller', async (place) => {
    const log = place.open();
    const { claim } = await lead(log);
    await log.append(claim, entryAt(1));
    for (const { what, entry } of misused) {
      assert.throws(() => log.append(claim, entry), AssertionFailed, what);
    }
    await log.append(claim, entryAt(2));
    assert.equal((await readAll(log)).length, 2);
  });

  at('only so many appends wait', async (place) => {
    const log = place.open({ there: (transaction) => never(appendedSeq(transaction)) });
    const { claim } = await lead(log);
    const appends: Promise<void>[] = [];
    assert.throws(() => {
      for (let seq = 1; ; seq += 1) appends.push(log.append(claim, entryAt(seq)));
    }, AssertionFailed);
    assert.equal(appends.length, 1_024);
    await log.close();
    const ends = await Promise.allSettled(appends);
    for (const end of ends) assert.ok(end.status === 'rejected' && faultOf('closed')(end.reason));
  });

  at(
    'nothing is acknowledged to a deposed leader, and nothing it sends is stored',
    async (place) => {
      const [one, two] = [place.open(), place.open()];
      const old = await lead(one);
      await fill(one, old, 5);
      const now = await lead(two, 'two');
      assert.deepEqual(now.head.nextSeq, 6);
      const appends = [6, 7, 8].map((seq) => one.append(old.claim, entryAt(seq, 1, 'too late')));
      for (const append of appends) await assert.rejects(append, faultOf('deposed'));
      await assert.rejects(one.append(old.claim, entryAt(9)), faultOf('deposed'));
      await assert.rejects(one.heartbeat(old.claim, beatOf(old.claim, 5)), faultOf('deposed'));
      await assert.rejects(one.agreeFormat(old.claim, 2), faultOf('deposed'));
      await assert.rejects(one.trim(old.claim, 3), faultOf('deposed'));
      assert.equal(await one.confirm(old.claim), false);
      assert.equal(await two.confirm(now.claim), true);
      await fill(two, now, 1);
      const payloads = (await readAll(two)).map(({ payload }) => payload);
      assert.deepEqual(
        payloads,
        [1, 2, 3, 4, 5, 6].map((seq) => `from ${seq}`),
      );
    },
  );
}

function settling(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('what a leader left behind a gap is deleted, what is before it adopted', async (place) => {
    const one = place.open({
      there: (transaction) => never(appendedSeq(transaction) === 4 ? 4 : undefined),
    });
    const [two, reader] = [place.open(), place.open()];
    const old = await lead(one);
    const follower = new Follower(reader);
    const acknowledged: number[] = [];
    const appends = Array.from({ length: 10 }, async (_, index) => {
      await one.append(old.claim, entryAt(index + 1, 1, 'old'));
      acknowledged.push(index + 1);
    });
    const ends = Promise.allSettled(appends);
    await follower.reached(3);
    await place.sleep(50);
    assert.deepEqual(acknowledged, [1, 2, 3], 'nothing passes the gap');
    const now = await lead(two, 'two');
    assert.equal(now.head.nextSeq, 4);
    await two.append(now.claim, entryAt(4, 3, 'new'));
    await two.append(now.claim, entryAt(7, 1, 'new'));
    await follower.reached(7);
    await one.close();
    await ends;
    assert.deepEqual(acknowledged, [1, 2, 3]);
    const entries = await readAll(two);
    assertChain(entries);
    const shown = entries.map(({ firstSeq, payload }) => `${firstSeq} ${payload}`);
    assert.deepEqual(shown, ['1 old', '2 old', '3 old', '4 new', '7 new']);
    assert.deepEqual(follower.entries, entries);
    await follower.stop();
  });

  at('an entry stored and never acknowledged is adopted', async (place) => {
    const one = place.open({
      back: async (transaction) => {
        if (appendedSeq(transaction) === 2) await never(2);
      },
    });
    const two = place.open();
    const old = await lead(one);
    await one.append(old.claim, entryAt(1));
    const append = one.append(old.claim, entryAt(2));
    const end = assert.rejects(append, faultOf('closed'));
    const follower = new Follower(two);
    await follower.reached(2);
    const { head } = await lead(two, 'two');
    assert.equal(head.nextSeq, 3);
    await one.close();
    await end;
    await follower.stop();
  });
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

function beating(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('heartbeats are seen by all, and are a contact with the quorum', async (place) => {
    const [one, two] = [place.open(), place.open()];
    assert.equal(one.contactMs, Number.NEGATIVE_INFINITY);
    const { claim } = await lead(one);
    const before = one.contactMs;
    assert.ok(before > Number.NEGATIVE_INFINITY);
    assert.equal(await two.lastHeartbeat(), undefined);
    await place.sleep(20);
    await one.heartbeat(claim, beatOf(claim, 0));
    assert.ok(one.contactMs >= before + 10);
    assert.deepEqual(await two.lastHeartbeat(), beatOf(claim, 0));
    const stop = new AbortController();
    const seen: (number | undefined)[] = [];
    for await (const beat of two.watchHeartbeat(stop.signal)) {
      seen.push(beat?.lastSeq);
      if (seen.length === 3) stop.abort();
      else {
        await fill(one, { claim, head: one.acknowledged(claim) }, 1);
        await one.heartbeat(claim, beatOf(claim, seen.length));
      }
    }
    assert.deepEqual(seen, [0, 1, 2]);
  });

  at('a log that ends before what its leader had acknowledged is not led', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim } = await lead(one);
    await one.append(claim, entryAt(1));
    await one.heartbeat(claim, beatOf(claim, 2));
    await assert.rejects(two.claim(claim, 'two'), faultOf('torn_tail'));
    await assert.rejects(two.head(), faultOf('torn_tail'));
  });
}

function registering(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('members are known while they are there', async (place) => {
    const [one, two, observer] = [place.open(), place.open(), place.open()];
    const alpha = await one.announce(memberOf('alpha'));
    await two.announce(memberOf('beta'));
    const names = async () => (await observer.members()).map(({ name }) => name);
    assert.deepEqual(await names(), ['alpha', 'beta']);
    await alpha.update({ ...memberOf('alpha'), formatMax: 7 });
    assert.equal((await observer.members())[0]?.formatMax, 7);
    await alpha.withdraw();
    assert.deepEqual(await names(), ['beta']);
    const stop = new AbortController();
    const counts: number[] = [];
    for await (const members of observer.watchMembers(stop.signal)) {
      counts.push(members.length);
      // Beta is gone without a word: its record ends with its lease.
      if (counts.length === 1) await two.close();
      else stop.abort();
    }
    assert.deepEqual(counts, [1, 0]);
  });

  at('what members report stays until it is replaced or withdrawn', async (place) => {
    const [one, observer] = [place.open(), place.open()];
    const seals = [{ seq: 100, stateHash: 'a' }];
    await one.report({ member: 'beta', heldSeq: 7, seals: [] });
    await one.report({ member: 'alpha', heldSeq: 5, seals: [] });
    await one.report({ member: 'alpha', heldSeq: 120, seals });
    await one.close();
    assert.deepEqual(await observer.reports(), [
      { member: 'alpha', heldSeq: 120, seals },
      { member: 'beta', heldSeq: 7, seals: [] },
    ]);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const reports of observer.watchReports(stop.signal)) {
      seen.push(reports.map(({ member }) => member).join());
      if (seen.length === 1) await observer.withdrawReport('beta');
      else stop.abort();
    }
    assert.deepEqual(seen, ['alpha,beta', 'alpha']);
  });

  at('the format is agreed by a leader, and never goes back', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim } = await lead(one);
    assert.equal(await two.format(), 1);
    await one.agreeFormat(claim, 3);
    await one.agreeFormat(claim, 2);
    assert.equal(await two.format(), 3);
  });
}

function memberOf(name: string): MemberRecord {
  const url = 'http://127.0.0.1:1';
  return { name, kind: 'member', isCandidate: true, url, release: '0.1.0', formatMax: 1 };
}

function beatOf(claim: Claim, lastSeq: number) {
  return { member: claim.holder, claim: claim.number, timeMs: 1_700_000_000_000, lastSeq };
}

/** Waits without end for a number, and not at all without one. */
function never(seq: number | undefined): Promise<void> {
  return seq === undefined ? Promise.resolve() : new Promise(() => undefined);
}
