/** An entry that rots in a running venue's journal is heard of before anybody needs it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { scratch } from './house.ts';
import { layDown } from './kept.ts';
import { ServerHere } from './server-here.ts';
import { until } from './server-process.ts';
import { gauge } from './trader.ts';

const DEMO_CONFIG = resolve(import.meta.dirname, '../../config/demo.yaml');
/** More than the time in which a pass over this journal would end. */
const SCRUBS_AWAITED_MS = 2_500;

/** A digit in an old entry, behind the back of the venue. */
function rot(directory: string): void {
  const journal = new Sqlite(join(directory, 'journal.sqlite'));
  journal.exec("update entries set payload = payload || ' ' where first_seq = 1");
  journal.close();
}

test('the scrub finds a changed entry, and health, metrics and log say so', async (t) => {
  const directory = scratch(t);
  layDown('stopped', directory);
  const here = new ServerHere(directory);
  t.after(() => here.stop());
  const { url } = await here.start();
  assert.equal(await gauge(url, 'outcry_journal_damaged'), 0);
  rot(directory);
  await until('found', async () => (await gauge(url, 'outcry_journal_damaged')) === 1);
  const health = await (await fetch(`${url}/health/ready`)).text();
  assert.match(health, /journal_damaged.*hash_mismatch at seq 1 in .*journal\.sqlite/);
  const told = here.lines.filter(({ msg }) => msg.includes('the scrub found: hash_mismatch'));
  assert.equal(told.length, 1);
});

test('it looks at nothing when it is turned off', async (t) => {
  const directory = scratch(t);
  layDown('stopped', directory);
  const file = join(directory, 'quiet.yaml');
  writeFileSync(file, `${readFileSync(DEMO_CONFIG, 'utf8')}scrub: false\n`);
  const here = new ServerHere(directory);
  t.after(() => here.stop());
  const { url } = await here.start(file);
  rot(directory);
  const startMs = performance.now();
  await until('time to scrub', () => performance.now() - startMs > SCRUBS_AWAITED_MS);
  assert.equal(await gauge(url, 'outcry_journal_damaged'), 0);
});
