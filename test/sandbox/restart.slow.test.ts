/** A sandbox that ends and starts again: clock, checkpoints and state are still there. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import type { OutcryClient } from '#client';
import { ManualClock } from '#kernel';
import { DemoHere } from '../support/demo-here.ts';
import { operatorClient } from '../support/operator-client.ts';
import { pastRows } from '../support/past-rows.ts';
import { ADMIN_TOKEN, Program, readyUrl, run } from '../support/program.ts';

const NOON_MS = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;

async function restart(house: DemoHere): Promise<void> {
  await house.stop();
  await house.start({ sandbox: true });
}

test('a paused venue stands where it stood', async (t) => {
  const system = new ManualClock(NOON_MS);
  const house = new DemoHere(t, system);
  await house.start({ sandbox: true });
  await house.sandbox.pauseClock();
  await house.sandbox.stepClock({ ms: HOUR_MS });
  const before = await house.sandbox.state();
  system.advance(24 * HOUR_MS);
  await restart(house);
  const { clock } = await house.sandbox.state();
  assert.deepEqual(clock, before.clock);
  assert.equal(clock.time, NOON_MS + HOUR_MS);
});

test('a fast venue goes on as fast, and no time passes while it is down', async (t) => {
  const system = new ManualClock(NOON_MS);
  const house = new DemoHere(t, system);
  await house.start({ sandbox: true });
  await house.sandbox.runClock({ speed: 60 });
  system.advance(10_000);
  await house.trade('30000');
  await house.stop();
  system.advance(24 * HOUR_MS);
  await house.start({ sandbox: true });
  const stoodMs = NOON_MS + 600_000;
  assert.deepEqual((await house.sandbox.state()).clock, {
    time: stoodMs,
    controlled: true,
    speed: '60',
  });
  system.advance(1_000);
  assert.equal(await house.lookAtClock(), stoodMs + 60_000);
});

test('what was reset stays reset, and the history can be made anew', async (t) => {
  const house = new DemoHere(t, new ManualClock(NOON_MS));
  await house.start({ sandbox: true });
  await house.sandbox.pauseClock();
  await house.trade('30000');
  await house.sandbox.saveCheckpoint({ name: 'one' });
  await house.sandbox.stepClock({ ms: HOUR_MS });
  await house.trade('31000');
  await house.sandbox.saveCheckpoint({ name: 'two' });
  await house.sandbox.resetToCheckpoint({ name: 'one' });
  await house.trade('29000');
  const fills = await house.fills();
  assert.deepEqual(
    fills.map(({ fillPrice }) => fillPrice),
    ['29000.00', '30000.00'],
  );
  await restart(house);
  assert.deepEqual(await house.fills(), fills);
  const { checkpoints } = await house.sandbox.state();
  assert.deepEqual(
    checkpoints.map(({ name }) => name),
    ['one', 'two'],
  );
  await house.sandbox.resetToCheckpoint({ name: 'two' });
  assert.deepEqual(
    (await house.fills()).map(({ fillPrice }) => fillPrice),
    ['30000.00'],
    'what a reset took from the history does not come back with a later checkpoint',
  );
  await house.stop();
  const replayed = await run('replay', '--data', house.directory);
  assert.equal(replayed.code, 0, replayed.output + replayed.log);
});

test('a venue with a clock of its own starts as a sandbox only', async (t) => {
  const house = new DemoHere(t, new ManualClock(NOON_MS));
  await house.start({ sandbox: true });
  await house.sandbox.saveCheckpoint({ name: 'fresh' });
  await house.stop();
  await house.start({ sandbox: false });
  await house.stop();
  await house.start({ sandbox: true });
  await house.sandbox.runClock();
  await house.stop();
  await assert.rejects(house.start({ sandbox: false }), {
    message: new RegExp(`the clock of ${house.directory} was set in a sandbox: serve it with`),
  });
  await house.start({ sandbox: true });
  assert.equal((await house.sandbox.state()).checkpoints.length, 1);
});

interface Life {
  readonly program: Program;
  readonly sandbox: OutcryClient['sandbox'];
}

async function live(directory: string, ...words: string[]): Promise<Life> {
  const place = ['--port', '0', '--data', directory, '--admin-token', ADMIN_TOKEN];
  const program = new Program(['serve', '--sandbox', ...place, ...words]);
  const { sandbox } = operatorClient(await readyUrl(program), ADMIN_TOKEN);
  return { program, sandbox };
}

/** What the history says when nobody trades. */
async function lookAtHistory(directory: string): Promise<Map<string, unknown[]>> {
  const { program } = await live(directory, '--no-participants');
  const rows = pastRows(`${directory}/history.sqlite`);
  program.signal('SIGTERM');
  const ended = await program.ended;
  assert.equal(ended.code, 0, ended.log);
  return rows;
}

test('kill -9 around resets: what is left is what the journal makes again', async (t) => {
  const { directory } = new DemoHere(t);
  for (let round = 0; round < 3; round += 1) {
    const { program, sandbox } = await live(directory);
    if (round === 0) await sandbox.saveCheckpoint({ name: 'seeded' });
    else assert.equal((await sandbox.resetToCheckpoint({ name: 'seeded' })).name, 'seeded');
    // The next one is cut off wherever it is.
    const cut = sandbox.resetToCheckpoint({ name: 'seeded' }).catch(() => undefined);
    if (round % 2 === 0) await sandbox.state();
    await program.kill();
    await cut;
  }
  const rows = await lookAtHistory(directory);
  for (const end of ['', '-wal', '-shm']) {
    rmSync(`${directory}/history.sqlite${end}`, { force: true });
  }
  assert.deepEqual(await lookAtHistory(directory), rows);
  for (const words of [['replay'], ['audit']]) {
    const ended = await run(...words, '--data', directory);
    assert.equal(ended.code, 0, ended.output + ended.log);
  }
});
