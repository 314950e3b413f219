/** What every shared log says of the processes that use it. */
import assert from 'node:assert/strict';
import type { MemberRecord } from '#log';
import { beatOf, entryAt, faultOf, fill, lead, reportOf } from '../support/shared-hands.ts';
import { appendedSeq, type NewPlace, never, testAt } from './shared-places.ts';

export function membersContract(newPlace: NewPlace): void {
  beating(newPlace);
  registering(newPlace);
  placing(newPlace);
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
    await one.heartbeat(claim, beatOf(claim));
    assert.ok(one.contactMs >= before + 10);
    assert.deepEqual(await two.lastHeartbeat(), { ...beatOf(claim), lastSeq: 0 });
    const stop = new AbortController();
    const seen: (number | undefined)[] = [];
    for await (const beat of two.watchHeartbeat(stop.signal)) {
      seen.push(beat?.lastSeq);
      if (seen.length === 3) stop.abort();
      else {
        await fill(one, { claim, head: one.acknowledged(claim) }, 1);
        await one.heartbeat(claim, beatOf(claim));
      }
    }
    assert.deepEqual(seen, [0, 1, 2]);
  });

  at('a heartbeat says what is acknowledged, and not what is under way', async (place) => {
    const one = place.open({
      back: (transaction) => never(appendedSeq(transaction) === 3 ? 3 : undefined),
    });
    const { claim, head } = await lead(one);
    await fill(one, { claim, head }, 2);
    const end = assert.rejects(one.append(claim, entryAt(3)), faultOf('closed'));
    await one.heartbeat(claim, beatOf(claim));
    assert.equal((await one.lastHeartbeat())?.lastSeq, 2);
    await one.close();
    await end;
  });

  at('a log that ends before what its leader had acknowledged is not led', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim, head } = await lead(one);
    await fill(one, { claim, head }, 2);
    await one.heartbeat(claim, beatOf(claim));
    await place.lose(2);
    await assert.rejects(two.claim(claim, 'two'), faultOf('torn_tail'));
    await assert.rejects(two.head(), faultOf('torn_tail'));
    await assert.rejects(one.head(), faultOf('torn_tail'));
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
    await alpha.update({ ...memberOf('alpha'), release: '0.2.0' });
    assert.equal((await observer.members())[0]?.release, '0.2.0');
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

  at('what holds the log is known while its process is there', async (place) => {
    const [one, two, observer] = [place.open(), place.open(), place.open()];
    const [alpha, beta] = [7, 9].map((fromSeq) => ({ name: `from-${fromSeq}`, fromSeq }));
    assert.ok(alpha !== undefined && beta !== undefined);
    const hold = await one.hold(alpha);
    await two.hold(beta);
    assert.equal((await observer.holds()).length, 2);
    await hold.withdraw();
    assert.deepEqual(await observer.holds(), [beta]);
    await two.close();
    while ((await observer.holds()).length > 0) await place.sleep(100);
  });

  at('what members report stays until it is replaced or withdrawn', async (place) => {
    const [one, observer] = [place.open(), place.open()];
    const seals = [{ seq: 100, stateHash: 'a' }];
    await one.report(reportOf('beta', 7));
    await one.report(reportOf('alpha', 5));
    await one.report(reportOf('alpha', 120, seals));
    await one.close();
    assert.deepEqual(await observer.reports(), [
      reportOf('alpha', 120, seals),
      reportOf('beta', 7),
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

  at('the versions are agreed by a leader, and never go back', async (place) => {
    const [one, two] = [place.open(), place.open()];
    const { claim } = await lead(one);
    assert.equal(await two.agreed(), undefined);
    await one.agree(claim, { format: 3, rules: 2 });
    await one.agree(claim, { format: 2, rules: 4 });
    assert.deepEqual(await two.agreed(), { format: 3, rules: 4 });
  });
}

function memberOf(name: string): MemberRecord {
  const url = 'http://127.0.0.1:1';
  return { name, kind: 'member', isCandidate: true, url, release: '0.1.0' };
}

function placing(newPlace: NewPlace): void {
  const at = testAt(newPlace);

  at(
    'a cluster has so many places, and one that is free goes on as another life',
    async (place) => {
      const [one, two, three] = [place.open(), place.open(), place.open()];
      const wanted = (name: string) => ({ name, placesMax: 2, onLost: () => undefined });
      const [alpha, beta] = await Promise.all([
        one.takePlace(wanted('alpha')),
        two.takePlace(wanted('beta')),
      ]);
      assert.ok(alpha !== undefined && beta !== undefined);
      assert.deepEqual([alpha.life, beta.life, alpha.place + beta.place], [1, 1, 1]);
      assert.equal(await three.takePlace(wanted('gamma')), undefined, 'both are held');
      await alpha.withdraw();
      const gamma = await three.takePlace(wanted('gamma'));
      assert.deepEqual([gamma?.place, gamma?.life], [alpha.place, 2]);
      // Beta is gone without a word: its place is free when its lease is over.
      const waiting = one.takePlace(wanted('delta'));
      await two.close();
      const delta = await waiting;
      assert.deepEqual([delta?.place, delta?.life], [beta.place, 2]);
    },
  );

  at('a process that comes back has the place that it had', async (place) => {
    const one = place.open();
    const wanted = (name: string) => ({ name, placesMax: 4, onLost: () => undefined });
    const lives: (readonly [number | undefined, number | undefined])[] = [];
    const other = await one.takePlace(wanted('other'));
    for (let life = 0; life < 3; life += 1) {
      const taken = await one.takePlace(wanted('alpha'));
      lives.push([taken?.place, taken?.life]);
      await taken?.withdraw();
      if (life === 0) await other?.withdraw();
    }
    assert.deepEqual(lives, [
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
  });
}
