/**
 * The power goes at a random moment between two syncs of the disk: the venue starts on whatever may
 * be left, without a word of complaint, and nothing that a client had been answered is missing.
 */
import { strict as assert } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { before, test } from 'node:test';
import { present } from '#kernel';
import type { JournalEntry } from '#log';
import { endWithUs } from '../../tools/lifeline.ts';
import { randomOf } from '../../tools/random.ts';
import { gauge } from '../support/http-trader.ts';
import { logOf, readAll } from '../support/logs.ts';
import { run } from '../support/program.ts';
import { ROUNDS } from '../support/rounds.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';
import { cutAfter, recorder, type Step, stepsOf } from './power-cut.ts';

const CUTS = 5 * ROUNDS;
const ANSWERS = 400;
const CLIENTS_PER_ACCOUNT = 3;
/** Of every fifth cut: while the data directory is made. */
const EARLY_EVERY = 5;
const SHOWN = [
  /"orderId":"\d{16}","clientOrderId":"([^"]+)"/g,
  /"client_oid":"([^"]+)","order_id":"\d{16}"/g,
];
const NAMED = /"((?:[cp]-)?(?:demo|maker)-\d+)"/g;

const hasRecorder = spawnSync('strace', ['-V']).status === 0;
const skip = hasRecorder ? false : 'strace is not there to record what is written';
const recorded = join(scratchDirectory(), 'recording');
const data = new DataDirectory(scratchDirectory());

let steps: Step[] = [];
let entries: JournalEntry[] = [];
/** How many steps were done when it was ready. */
let readyCount = 0;

before(async () => {
  if (!hasRecorder) return;
  const words = ['src/app/main.ts', 'serve', '--port', '0', '--json', '--data', data.directory];
  const flags = ['--config', data.file('often.yaml'), '--no-participants', '--rate-limits', 'off'];
  const program = [process.execPath, ...words, ...flags];
  const child = spawn('strace', [...recorder(recorded), ...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  const { url, pid } = JSON.parse(String(line));
  const load = new Load(randomOf(5));
  for (const side of data.sides(url)) load.start(side, CLIENTS_PER_ACCOUNT);
  await until('enough answers', () => load.answersCount >= ANSWERS);
  await load.end();
  await until('projected', async () => (await gauge(url, 'outcry_projection_lag_commands')) === 0);
  process.kill(pid, 'SIGKILL');
  await once(child, 'exit');
  steps = stepsOf(readFileSync(recorded, 'latin1'), data.directory);
  readyCount = steps.findIndex(({ kind }) => kind === 'sent');
  entries = await entriesIn(data.directory);
});

async function entriesIn(directory: string): Promise<JournalEntry[]> {
  const masterKey = Buffer.from(readFileSync(join(directory, 'master.key'), 'utf8'), 'base64');
  return readAll(logOf(directory, { masterKey }));
}

/** The last entry with an order that a client had been shown; -1 without one. */
function lastShown(sent: string): number {
  const shown = new Set(SHOWN.flatMap((row) => [...sent.matchAll(row)].map(([, id]) => id)));
  return entries.findLastIndex(({ payload }) =>
    [...payload.matchAll(NAMED)].some(([, id]) => shown.has(id)),
  );
}

for (let cut = 1; cut <= CUTS; cut += 1) {
  test(`what a power cut leaves is served (${cut})`, { skip }, async (t) => {
    const random = randomOf(cut);
    const end = cut % EARLY_EVERY === 0 ? readyCount : steps.length;
    const stepsCount = Math.floor(random() * end);
    const directory = scratchDirectory(t);
    const sent = cutAfter(steps, stepsCount, data.directory, directory, random);
    const shownCount = lastShown(sent) + 1;
    t.diagnostic(`after ${stepsCount} of ${steps.length} steps, ${shownCount} entries shown`);

    const here = new ServerHere(directory);
    t.after(() => here.stop());
    await here.start({ config: data.file('often.yaml') });
    const audit = await here.venue.read((state) => state.audit());
    await here.close();
    assert.ok(audit.balanced, 'the books balance');
    const found = await entriesIn(directory);
    for (const [at, { hash }] of entries.slice(0, shownCount).entries()) {
      assert.equal(present(found[at], `entry ${at}`).hash, hash);
    }
    const { code, output, log } = await run('verify-history', '--data', directory);
    assert.equal(code, 0, output + log);
  });
}
