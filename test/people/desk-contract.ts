/** What every store of people keeps for the desk: announcements, windows, imports, fee levels. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { accountId, instrumentId } from '#domain';
import type { Announcement, MaintenanceWindow, PeopleStore } from '#people';

const NOW_MS = 1_795_235_652_453;
const HOUR_MS = 3_600_000;

interface Opened {
  readonly now: PeopleStore;
}

function announcement(name: string, fromMs: number, untilMs: number): Announcement {
  const words = { en: name, zh: '公告' };
  const times = { createdMs: NOW_MS, fromMs, untilMs };
  return { announcementId: name, level: 'warning', title: words, text: words, ...times };
}

function window(name: string, fromMs: number, untilMs: number): MaintenanceWindow {
  return {
    windowId: name,
    text: { en: '', zh: '' },
    instrumentIds: [instrumentId(0), instrumentId(3)],
    state: 'planned',
    haltedIds: [],
    createdMs: NOW_MS,
    fromMs,
    untilMs,
  };
}

function noticeTests(stores: Opened): void {
  test('keeps announcements until they are over', async () => {
    const first = announcement('first', NOW_MS, NOW_MS + HOUR_MS);
    const second = announcement('second', NOW_MS + 1, NOW_MS + 2 * HOUR_MS);
    await stores.now.addAnnouncement(first);
    await stores.now.addAnnouncement(second);
    assert.deepEqual(await stores.now.announcements(NOW_MS, 10), [second, first]);
    assert.deepEqual(await stores.now.announcements(NOW_MS, 1), [second]);
    const changed = { ...second, level: 'critical', title: { en: 'Other', zh: '' } } as const;
    assert.equal(await stores.now.changeAnnouncement(changed), true);
    assert.deepEqual(await stores.now.announcements(NOW_MS + HOUR_MS, 10), [changed]);
    assert.equal(await stores.now.dropAnnouncement('second'), true);
    assert.equal(await stores.now.dropAnnouncement('second'), false);
    assert.equal(await stores.now.changeAnnouncement(changed), false);
  });

  test('windows do not overlap, and move from state to state once', async () => {
    const store = stores.now;
    const first = window('w1', NOW_MS, NOW_MS + HOUR_MS);
    assert.equal(await store.addWindow(first), true);
    const rows = [
      ['before it', NOW_MS - HOUR_MS, NOW_MS, true],
      ['into it', NOW_MS - HOUR_MS, NOW_MS + 1, false],
      ['within it', NOW_MS + 1, NOW_MS + 2, false],
      ['around it', NOW_MS - 2, NOW_MS + 2 * HOUR_MS, false],
      ['after it', NOW_MS + HOUR_MS, NOW_MS + 2 * HOUR_MS, true],
    ] as const;
    for (const [name, fromMs, untilMs, isTaken] of rows) {
      assert.equal(await store.addWindow(window(name, fromMs, untilMs)), isTaken, name);
    }
    const open = await store.openWindows(10);
    assert.deepEqual(
      open.map(({ windowId }) => windowId),
      ['before it', 'w1', 'after it'],
    );
    const haltedIds = [instrumentId(3)];
    assert.equal(await store.moveWindow('w1', 'planned', { state: 'beginning', haltedIds }), true);
    assert.equal(await store.moveWindow('w1', 'planned', { state: 'beginning' }), false);
    assert.equal(await store.dropWindow('w1'), false);
    assert.deepEqual(await store.window('w1'), { ...first, state: 'beginning', haltedIds });
    assert.equal(await store.moveWindow('w1', 'beginning', { state: 'over' }), true);
    assert.equal(await store.dropWindow('after it'), true);
    assert.equal((await store.windows(10)).length, 2);
    const [last] = await store.windows(1);
    assert.deepEqual(await store.windows(10, last?.windowId), (await store.windows(10)).slice(1));
    assert.deepEqual(await store.windows(10, 'unknown'), []);
    await store.pruneNotices(NOW_MS + 3 * HOUR_MS);
    assert.deepEqual(
      (await store.windows(10)).map(({ windowId }) => windowId),
      ['before it'],
      'a window that is not over stays however old it is',
    );
  });
}

function importTests(stores: Opened): void {
  test('an import is there once, and waits its turn', async () => {
    const store = stores.now;
    const made = { digest: 'd', content: 'account\na\n', state: 'waiting', fault: '' } as const;
    const counts = { linesCount: 1, doneCount: 0, createdMs: NOW_MS, updatedMs: NOW_MS };
    const first = { reference: 'course', ...made, ...counts };
    const second = { ...first, reference: 'another', createdMs: NOW_MS + 1 };
    assert.equal(await store.addImport(first), true);
    assert.equal(await store.addImport({ ...first, content: 'other' }), false);
    assert.equal(await store.addImport(second), true);
    assert.deepEqual(await store.nextImport(), first);
    assert.equal(await store.waitingImportsCount(), 2);
    const over = { state: 'done', fault: '', doneCount: 1, content: '' } as const;
    await store.moveImport('course', { ...over, updatedMs: NOW_MS + 5 });
    assert.deepEqual(await store.nextImport(), second);
    const listed = await store.imports(10);
    assert.deepEqual(listed[1], { ...first, ...over, updatedMs: NOW_MS + 5 });
    assert.deepEqual(await store.imports(10, listed[0]?.reference), listed.slice(1));
    assert.deepEqual(await store.imports(10, 'unknown'), []);
    await store.pruneImports(NOW_MS + 6);
    assert.equal(await store.accountImport('course'), undefined);
    assert.deepEqual(await store.accountImport('another'), second);
  });

  test('a fee level is replaced, and levels are paged by account', async () => {
    const store = stores.now;
    const none = { takerFeePpm: null, makerFeePpm: null };
    const rates = { takerFeePpm: 800, makerFeePpm: 0 };
    const level = (id: number, volume: bigint) => ({
      ...{ accountId: accountId(id), level: 1, volume, countedMs: NOW_MS },
      ...{ applied: none, wanted: rates },
    });
    await store.putFeeLevel(level(7, 10n ** 30n));
    await store.putFeeLevel(level(3, 5n));
    await store.putFeeLevel({ ...level(3, 6n), applied: rates });
    assert.deepEqual(await store.feeLevel(accountId(7)), level(7, 10n ** 30n));
    assert.equal(await store.feeLevel(accountId(8)), undefined);
    assert.deepEqual(await store.feeLevels(undefined, 1), [{ ...level(3, 6n), applied: rates }]);
    assert.deepEqual(await store.feeLevels(accountId(3), 5), [level(7, 10n ** 30n)]);
  });
}

export function deskTests(stores: Opened): void {
  noticeTests(stores);
  importTests(stores);
}
