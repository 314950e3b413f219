/** Entries that are what was written and yet nothing this release can apply: named, not a crash. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EARLIEST_RULES, encodeCommand, joinCommands, RULES_VERSION } from '#domain';
import { recoverEngine } from '#venue';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';

const START_MS = 1_700_000_000_000;
const PULSE = encodeCommand(START_MS, { kind: 'tick' });

for (const [what, text, says] of [
  [
    'a kind of a later release',
    `[${START_MS},6,{"kind":"launch_rocket","height":{"big":"7"}}]`,
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

test('an entry of later rules is refused, unless the release knows them', async (t) => {
  const directory = scratchDirectory(t);
  const journal = await logOf(directory).openWriter();
  await journal.append(1, 1, joinCommands([PULSE]));
  await journal.append(2, 1, joinCommands([PULSE]), RULES_VERSION + 1);
  await journal.close();
  const options = { log: logOf(directory), snapshotSeqMax: 0 };
  await assert.rejects(recoverEngine(options), {
    name: 'JournalFault',
    message:
      /^not_understood at seq 2 in .*: it was written under rules 2, and this release knows 1/,
  });
  const knows = { rulesMin: EARLIEST_RULES, rulesMax: RULES_VERSION + 1 };
  assert.equal((await recoverEngine({ ...options, knows })).seq, 2);
});
