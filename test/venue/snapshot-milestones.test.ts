/** Where processes that follow the same entries take their snapshots: by commands and by hours. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeCommand, joinCommands } from '#domain';
import { Projection } from '#venue';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const HOUR_MS = 3_600_000;
const START_MS = 500_000 * HOUR_MS;
/** So many begin another hour of the venue's. */
const TICKS_AN_HOUR = 1_800;
const TICKS_PER_ENTRY = 10;

test('a snapshot is taken at a multiple, and in a quiet hour if it is worth one', async () => {
  const directory = scratchDirectory();
  const journal = await logOf(directory).openWriter();
  const ticks = 3 * TICKS_AN_HOUR + TICKS_PER_ENTRY;
  for (let seq = 1; seq <= ticks; seq += TICKS_PER_ENTRY) {
    const texts = Array.from({ length: TICKS_PER_ENTRY }, (_, at) => {
      const timeMs = START_MS + Math.floor(((seq + at - 1) * HOUR_MS) / TICKS_AN_HOUR);
      return encodeCommand(timeMs, { kind: 'tick' });
    });
    await journal.append(seq, texts.length, joinCommands(texts));
  }
  const taken: number[] = [];
  const projection = new Projection(
    {
      log: { kind: 'sqlite', directory },
      history: { kind: 'sqlite', file: join(directory, 'history.sqlite') },
      snapshotEveryCommands: 2_500,
      snapshotsAtMultiples: true,
      snapshotOnCloseAfterCommands: Number.MAX_SAFE_INTEGER,
    },
    {
      onProgress: () => undefined,
      onWarning: (text) => assert.fail(text),
      onFault: (error) => assert.fail(error),
      onRecovered: () => assert.fail('there was no fault'),
      onSnapshot: ({ seq }) => taken.push(seq),
    },
  );
  try {
    await projection.caughtUp();
    // The first entry begins an hour, too, and the last one only 410 commands after a multiple.
    assert.deepEqual(taken, [1_810, 2_500, 3_610, 5_000]);
  } finally {
    await projection.close();
    await journal.close();
  }
});
