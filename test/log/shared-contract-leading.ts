/** What every shared log does for its leaders: claims, appends, and an end of either. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AssertionFailed } from '#kernel';
import type { Claim } from '#log';
import {
  assertChain,
  beatOf,
  entryAt,
  Follower,
  faultOf,
  fill,
  lead,
  readAll,
  reportOf,
} from '../support/shared-hands.ts';
import { appendedSeq, lost, type NewPlace, never, testAt } from './shared-places.ts';

export function leadingContract(newPlace: NewPlace): void {
  claiming(newPlace);
  appending(newPlace);
  surviving(newPlace);
  refusing(newPlace);
  settling(newPlace);
  repeating(newPlace);
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
        { ...entryAt(5, 4_096, 'é€😀'), claim: 2 },
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
}

function surviving(newPlace: NewPlace): void {
  const at = testAt(newPlace);

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
      await assert.rejects(one.heartbeat(old.claim, beatOf(old.claim)), faultOf('deposed'));
      await assert.rejects(one.agree(old.claim, { format: 2, rules: 3 }), faultOf('deposed'));
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

function repeating(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at('a write that arrives a second time, and late, changes nothing', async (place) => {
    const one = place.open({
      there: (transaction) => never(appendedSeq(transaction) === 2 ? 2 : undefined),
    });
    const old = await lead(one);
    const end = Promise.allSettled([1, 2, 3].map((seq) => one.append(old.claim, entryAt(seq))));
    await place.sleep(50);
    const copied: (() => void)[] = [];
    const two = place.open({
      again: ({ write }) => {
        if (write.every(({ kind }) => kind === 'get')) return undefined;
        return new Promise((resolve) => copied.push(resolve));
      },
    });
    const { claim } = await lead(two, 'two');
    for (const firstSeq of [2, 3, 4, 5]) await two.append(claim, entryAt(firstSeq, 1, 'new'));
    await two.trim(claim, 3);
    for (const format of [2, 3]) await two.agree(claim, { format, rules: 3 });
    for (const heldSeq of [3, 4]) await two.report(reportOf('two', heldSeq));
    assert.ok(copied.length >= 12, 'claim, orphans, appends, trim, formats and reports');
    for (const arrive of copied) arrive();
    await place.sleep(50);
    assert.deepEqual(await two.current(), claim);
    assert.deepEqual(
      (await readAll(two, 3)).map(({ firstSeq, payload }) => `${firstSeq} ${payload}`),
      ['3 new', '4 new', '5 new'],
    );
    assert.deepEqual([(await two.base()).nextSeq, (await two.agreed())?.format], [3, 3]);
    assert.equal((await two.reports())[0]?.heldSeq, 4);
    await one.close();
    await end;
  });
}
