/** What was owned when days began follows from the journal alone, however often it was stopped. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type AccountId, LIMITS } from '#domain';
import { ManualClock } from '#kernel';
import { Projection, verifyHistory } from '#venue';
import { historyOf } from '../support/history-files.ts';
import { LISTING_COMMANDS } from '../support/listings.ts';
import { logOf } from '../support/logs.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { accountSettings } from '../support/terms.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-03-01T12:00:00Z');
const FIRST_DAY_MS = Date.parse('2026-03-02T00:00:00Z');
const UNIT = 100_000_000n;
const QUIET = {
  onProgress: () => undefined,
  onWarning: (text: string) => assert.fail(text),
  onFault: (error: Error) => assert.fail(error),
  onRecovered: () => undefined,
};

const directory = scratchDirectory();
const file = join(directory, 'history.sqlite');
const clock = new ManualClock(START_MS);

/** The projector starts, from a snapshot if there is one, follows, and leaves a snapshot. */
async function project(seq: number): Promise<void> {
  const projection = new Projection(
    {
      log: { kind: 'sqlite', directory },
      history: { kind: 'sqlite', file },
      snapshotEveryCommands: 1_000_000,
      snapshotOnCloseAfterCommands: 1,
    },
    QUIET,
  );
  await projection.caughtUp();
  await projection.reach(seq);
  await projection.close();
}

async function deposit({ venue }: RealVenue, accountId: AccountId): Promise<void> {
  const { listings } = await venue.read(({ listings }) => ({ listings }));
  const [coin] = listings.assets;
  assert.ok(coin !== undefined);
  const money = { wallet: 'spot', assetId: coin.assetId, amount: UNIT } as const;
  const [event] = await venue.submit({ kind: 'deposit', accountId, ...money });
  assert.equal(event?.kind, 'balance_changed');
}

test('a history that was stopped between days has what one made at once has', async (t) => {
  const real = await RealVenue.open(t, directory, { clock });
  for (const command of LISTING_COMMANDS) await real.venue.submit(command);
  const settings = accountSettings('alice', {});
  const [created] = await real.venue.submit({ kind: 'create_account', settings });
  assert.ok(created?.kind === 'account_created');
  const { accountId } = created;
  for (const day of [0, 1, 2, 5]) {
    clock.set(START_MS + day * DAY_MS);
    await deposit(real, accountId);
    // In the middle of a day: what comes later is not the first of it.
    if (day !== 1) await project(real.venue.releasedSeq);
    await deposit(real, accountId);
  }
  await project(real.venue.releasedSeq);
  const reader = await historyOf(file).openReader();
  const days = await reader.equities({ accountId });
  await reader.close();
  assert.ok(days.length < LIMITS.openingDaysMax);
  // Before the first command of its day, be it a settlement: two deposits of each day before.
  assert.deepEqual(
    days.map(({ dayMs, equity }) => [(dayMs - FIRST_DAY_MS) / DAY_MS, equity / UNIT]),
    [
      [4, 6n],
      [3, 6n],
      [2, 6n],
      [1, 4n],
      [0, 2n],
    ],
  );
  const report = await verifyHistory(logOf(directory), historyOf(file), () => undefined);
  assert.deepEqual(report, { seq: real.venue.releasedSeq, differences: [] });
});
