/** What every store of people keeps of competitions, on whatever database. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { CompetingPeople, CompetitionTerms, Entry, Round } from '#competition';
import { accountId } from '#domain';

const NOW_MS = 1_795_235_652_453;

const TERMS: CompetitionTerms = {
  name: 'Autumn cup',
  description: '',
  joinBy: 'code',
  coin: 'USDT',
  money: [{ coin: 'USDT', wallet: 'spot', amount: '10000' }],
  sampleMs: 1_000,
  rankBy: 'return',
  holdsAccounts: true,
  isPublic: true,
};

let count = 0;

async function made(store: CompetingPeople): Promise<string> {
  count += 1;
  const competitionId = `competition-${count}`;
  const createdMs = NOW_MS + count;
  await store.addCompetition({ competitionId, terms: TERMS, createdMs, cancelledMs: undefined });
  return competitionId;
}

function entry(competitionId: string, number: number, name = `Trader ${number}`): Entry {
  const entryId = `${competitionId}-${number}-${name}`;
  const about = { team: '', isHeld: false, joinedMs: NOW_MS + number };
  return { entryId, competitionId, accountId: accountId(number), name, ...about };
}

function round(competitionId: string, number = 1): Round {
  return {
    roundId: `${competitionId}-round-${number}`,
    ...{ competitionId, number, name: 'First', state: 'scheduled' },
    ...{ prepareMs: NOW_MS, startMs: NOW_MS, durationMs: 60_000, sampleMs: 1_000 },
    ...{ scenario: undefined, isForced: false, startedMs: undefined, endMs: undefined },
    ...{ seats: [], board: '', note: '', madeBy: { id: 'ada', name: 'ada@example.com' } },
  };
}

interface Opened {
  readonly now: CompetingPeople;
}

export function competitionTests(stores: Opened): void {
  entryTests(stores);
  takingPartTests(stores);
  roundTests(stores);
}

function entryTests(stores: Opened): void {
  test('keeps a competition, its terms and when it was cancelled', async () => {
    const store = stores.now;
    const id = await made(store);
    assert.deepEqual((await store.competition(id))?.terms, TERMS);
    assert.equal(await store.competition('none'), undefined);
    assert.equal((await store.competitions(10))[0]?.competitionId, id);
    const terms = { ...TERMS, name: 'Winter cup' };
    assert.equal(await store.changeCompetition(id, { terms }), true);
    assert.equal(await store.changeCompetition(id, { cancelledMs: NOW_MS }), true);
    const changed = await store.competition(id);
    assert.deepEqual([changed?.terms.name, changed?.cancelledMs], ['Winter cup', NOW_MS]);
    assert.equal(await store.changeCompetition('none', { terms }), false);
  });

  test('counts the uses of a code to join by, apart from codes to sign up with', async () => {
    const store = stores.now;
    const [id, other] = [await made(store), await made(store)];
    const times = { createdMs: NOW_MS, expiresMs: NOW_MS + 1_000 };
    const madeBy = { id: '', name: '' };
    const named = { invitationId: `code of ${id}`, label: 'group A', madeBy };
    const code = { ...named, uses: 2, used: 0, ...times };
    await store.addCode(id, code, `hash of ${id}`);
    await store.addInvitation({ ...code, invitationId: `sign-up ${id}` }, `sign-up hash of ${id}`);
    assert.deepEqual(await store.codesOf(id), [code]);
    assert.equal(await store.ownerOfCode(`hash of ${id}`, NOW_MS), id);
    assert.equal(await store.ownerOfCode(`sign-up hash of ${id}`, NOW_MS), undefined);
    assert.equal(await store.ownerOfCode(`hash of ${id}`, NOW_MS + 1_000), undefined);
    assert.equal(await store.takeInvitation(`hash of ${id}`, NOW_MS), undefined);
    assert.equal(await store.takeCode(`sign-up hash of ${id}`, NOW_MS), false);
    assert.equal(await store.takeCode(`hash of ${id}`, NOW_MS + 1_000), false);
    const three = await Promise.all([1, 2, 3].map(() => store.takeCode(`hash of ${id}`, NOW_MS)));
    assert.deepEqual(three.sort(), [false, true, true]);
    await store.giveCodeBack(`hash of ${id}`);
    assert.equal((await store.codesOf(id))[0]?.used, 1);
    assert.ok(
      (await store.invitations(500)).every((one) => one.invitationId !== code.invitationId),
    );
    assert.equal(await store.dropInvitation(code.invitationId), false);
    assert.equal(await store.dropCode(other, code.invitationId), false);
    assert.equal(await store.dropCode(id, code.invitationId), true);
    assert.deepEqual(await store.codesOf(id), []);
    assert.equal(await store.dropInvitation(`sign-up ${id}`), true);
  });
}

function takingPartTests(stores: Opened): void {
  test('takes an account and a name once in a competition, also of two at once', async () => {
    const store = stores.now;
    const [id, other] = [await made(store), await made(store)];
    const twice = await Promise.all([
      store.addEntry(entry(id, 1)),
      store.addEntry(entry(id, 1, 'Ada')),
    ]);
    assert.deepEqual(twice.sort(), ['account_in', 'added']);
    const own = [accountId(1), accountId(3)];
    assert.equal(await store.addEntry(entry(id, 3), own), 'person_in');
    const name = (await store.entries(id))[0]?.name ?? '';
    assert.equal(await store.addEntry(entry(id, 2, name)), 'name_taken');
    assert.equal(await store.addEntry(entry(other, 1, name)), 'added');
    assert.equal(await store.addEntry(entry(id, 2, 'Bob')), 'added');
    const alike = ['Воb', 'B0B'].map((look, at) => store.addEntry(entry(id, 20 + at, look)));
    assert.deepEqual(await Promise.all(alike), ['name_taken', 'name_taken']);
    const second = entry(id, 2, 'Bob').entryId;
    assert.equal(await store.changeEntry(second, { name }), false);
    assert.equal(await store.changeEntry(second, { name: 'Bob', team: 'Reds' }), true);
    assert.equal(await store.changeEntry(second, { isHeld: true }), true);
    const found = (await store.entries(id)).find(({ entryId }) => entryId === second);
    assert.deepEqual([found?.team, found?.isHeld], ['Reds', true]);
    assert.ok((await store.heldEntries()).some(({ entryId }) => entryId === second));
    assert.equal(await store.removeEntry(other, second), false);
    assert.equal(await store.removeEntry(id, second), true);
    assert.equal((await store.entries(id)).length, 1);
  });

  test('takes accounts that are gone out of competitions', async () => {
    const store = stores.now;
    const id = await made(store);
    for (const number of [7_001, 7_002]) await store.addEntry(entry(id, number));
    const shown = (await store.accountsWithAccess()).filter((one) => one > 7_000 && one < 7_003);
    assert.deepEqual(shown, [7_001, 7_002]);
    await store.dropAccounts([accountId(7_001)]);
    assert.deepEqual(
      (await store.entries(id)).map((one) => one.accountId),
      [7_002],
    );
  });
}

function roundTests(stores: Opened): void {
  test('brings a round on from the states that are named alone', async () => {
    const store = stores.now;
    const id = await made(store);
    const first = round(id);
    assert.equal(await store.addRound(first), true);
    assert.equal(await store.addRound({ ...first, roundId: 'again' }), false);
    assert.deepEqual(await store.round(id, 1), first);
    const seats = [{ entryId: 'one', accountId: 1, name: 'Ada', team: '' }];
    const both = await Promise.all(
      [1, 2].map(() =>
        store.changeRound(first.roundId, ['scheduled'], { state: 'preparing', seats }),
      ),
    );
    assert.deepEqual(both.sort(), [false, true]);
    assert.deepEqual((await store.round(id, 1))?.seats, seats);
    const preparing = await store.roundsIn(['preparing', 'running']);
    assert.ok(preparing.some(({ roundId }) => roundId === first.roundId));
    const times = { startedMs: NOW_MS, endMs: NOW_MS + 60_000, isForced: true, note: 'goes' };
    assert.equal(await store.changeRound(first.roundId, ['ended'], times), false);
    const running = { ...times, state: 'running' } as const;
    assert.equal(await store.changeRound(first.roundId, ['preparing'], running), true);
    assert.deepEqual(await store.round(id, 1), { ...first, ...running, seats });
    const {
      seats: _seats,
      board: _board,
      note: _note,
      madeBy: _by,
      ...brief
    } = {
      ...first,
      ...running,
    };
    const listed = (await store.roundSummaries()).find((one) => one.roundId === first.roundId);
    assert.deepEqual(listed, { ...brief, seatsCount: 1 });
  });

  test('keeps samples of a round while it runs, each once', async () => {
    const store = stores.now;
    const id = await made(store);
    const { roundId } = round(id);
    await store.addRound(round(id));
    const sample = { number: 0, timeMs: NOW_MS, values: '[["1",0]]', lastId: 7 };
    await store.addSample(roundId, sample, 'early');
    assert.deepEqual(await store.samples(roundId), []);
    await store.changeRound(roundId, ['scheduled'], { state: 'running' });
    await store.addSample(roundId, sample, 'first');
    await store.addSample(roundId, { ...sample, number: 1 }, 'second');
    await store.addSample(roundId, { ...sample, values: 'again' }, 'first again');
    assert.deepEqual(await store.samples(roundId), [sample, { ...sample, number: 1 }]);
    assert.equal((await store.round(id, 1))?.board, 'second');
    await store.changeRound(roundId, ['running'], { state: 'cancelled' });
    await store.addSample(roundId, { ...sample, number: 2 }, 'late');
    assert.equal((await store.round(id, 1))?.board, 'second');
    await store.addEntry(entry(id, 1));
    assert.equal(await store.removeCompetition(id), true);
    assert.deepEqual([await store.samples(roundId), await store.entries(id)], [[], []]);
    assert.deepEqual(await store.rounds(id), []);
    assert.equal(await store.removeCompetition(id), false);
  });
}
