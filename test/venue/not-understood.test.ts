/** Entries that are what was written and yet nothing this release can apply: named, not a crash. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCommand, joinCommands } from '#domain';
import { recoverEngine } from '#venue';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const START_MS = 1_700_000_000_000;
const PULSE = encodeCommand(START_MS, { kind: 'tick' });

for (const [what, text, says] of [
  [
    'a kind of a later release',
    `[${START_MS},0,{"kind":"launch_rocket","height":{"big":"7"}}]`,
    /^not_understood at seq 3 in .*journal\.sqlite: a command of kind launch_rocket, which this/,
  ],
  [
    'a form of a later release',
    `[${START_MS},99,1,2,3]`,
    /^not_understood at seq 3 in .*journal\.sqlite: a command with tag 99, which this release does/,
  ],
  [
    'a time before the last one',
    encodeCommand(START_MS - 1, { kind: 'tick' }),
    /^not_understood at seq 3 in .*journal\.sqlite: the engine fails at a command of kind tick: /,
  ],
] as const) {
  test(`${what} is refused with its sequence number`, async (t) => {
    const directory = scratchDirectory(t);
    const journal = await logOf(directory).openWriter();
    await journal.append(1, 1, joinCommands([PULSE]));
    await journal.append(2, 3, joinCommands([PULSE, text, PULSE]));
    await journal.close();
    await assert.rejects(recoverEngine({ log: logOf(directory), snapshotSeqMax: 0 }), {
      name: 'JournalFault',
      message: says,
    });
  });
}
