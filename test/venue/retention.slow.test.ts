/**
 * `journal.keepDays`: a venue forgets commands that are older, once snapshots that were read back
 * have them, and everything that reads a journal goes on from there.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { accountId, assetId } from '#domain';
import { ManualClock } from '#kernel';
import { verifyJournal } from '#log';
import { logOf } from '../support/logs.ts';
import { Operator } from '../support/operator.ts';
import { ADMIN_TOKEN, run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 10, 24);
/** The smallest interval that the configuration takes. */
const SNAPSHOT_COMMANDS = 1_000;
const KEEP_DAYS = 2;
const DAYS = 6;

const CONFIG = `snapshotIntervalCommands: ${SNAPSHOT_COMMANDS}
journal: { keepDays: ${KEEP_DAYS} }
assets:
  - { code: USDT, coinId: 1, scale: 2 }
accounts:
  - { name: alice }
`;

/** Days of deposits, each with a snapshot at its end. */
class Venue {
  readonly directory: string;
  readonly here: ServerHere;
  readonly clock = new ManualClock(START_MS);
  readonly #file: string;
  days = 0;

  constructor(context: TestContext, config = CONFIG) {
    const home = scratchDirectory(context);
    this.directory = join(home, 'data');
    this.#file = join(home, 'venue.yaml');
    writeFileSync(this.#file, config);
    this.here = new ServerHere(this.directory, this.clock);
    context.after(() => this.here.stop());
  }

  async start(): Promise<this> {
    await this.here.start({ config: this.#file });
    return this;
  }

  async day(): Promise<void> {
    const deposit = { kind: 'deposit', accountId: accountId(1), wallet: 'spot' } as const;
    const money = { assetId: assetId(0), amount: 100n };
    const { venue } = this.here;
    const done: Promise<unknown>[] = [];
    for (let at = 0; at < SNAPSHOT_COMMANDS; at += 1) {
      done.push(venue.submit({ ...deposit, ...money }));
      if (done.length % 100 === 0) await Promise.all(done);
    }
    await Promise.all(done);
    this.days += 1;
    const seq = venue.releasedSeq;
    await until('a snapshot of the day', () => newestSnapshot(this.directory) >= seq);
    this.clock.advance(DAY_MS);
  }

  firstSeq(): Promise<number> {
    return this.#figure(/^outcry_journal_first_seq ([0-9]+)$/m);
  }

  removedRows(): Promise<number> {
    return this.#figure(/^outcry_history_removed_rows ([0-9]+)$/m);
  }

  async #figure(line: RegExp): Promise<number> {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const text = await (await fetch(`${this.here.url}/metrics`, { headers })).text();
    return Number(line.exec(text)?.[1]);
  }

  async balance(): Promise<unknown> {
    const operator = new Operator(this.here.url, ADMIN_TOKEN);
    const { data } = await operator.done('account', '/accounts/alice');
    return data.balances;
  }
}

function newestSnapshot(directory: string): number {
  return logOf(directory).snapshots.newestSeq();
}

test('what is older than the days to keep goes, and no younger command', async (context) => {
  const venue = await new Venue(context).start();
  for (let day = 1; day <= DAYS; day += 1) {
    await venue.day();
    if (day <= KEEP_DAYS) assert.equal(await venue.firstSeq(), 1, `day ${day}`);
  }
  const perDay = SNAPSHOT_COMMANDS;
  const oldestKept = (DAYS - KEEP_DAYS - 1) * perDay;
  await until('it is trimmed', async () => (await venue.firstSeq()) > oldestKept - perDay);
  const balances = await venue.balance();
  const lastSeq = venue.here.venue.releasedSeq;
  await venue.here.close();
  const place = ['--data', venue.directory];
  const verified = await run('verify-journal', ...place);
  assert.equal(verified.code, 0, verified.log);
  const firstSeq = Number(/^it begins with command ([0-9]+): /m.exec(verified.output)?.[1]);
  assert.ok(firstSeq <= oldestKept + 20, `${firstSeq}: younger commands are there`);
  assert.ok(firstSeq > oldestKept - perDay, `${firstSeq}: older ones are gone`);
  const replayed = await run('replay', ...place);
  assert.equal(replayed.code, 0, replayed.log);
  assert.match(replayed.output, /^from +the snapshot of command [0-9]+\n/);
  assert.match(replayed.output, new RegExp(`^commands  ${lastSeq}$`, 'm'));
  assert.match(replayed.output, /^snapshot {2}matches$/m);
  const rows = await run('verify-history', ...place);
  assert.equal(rows.code, 2);
  assert.match(rows.log, new RegExp(`it begins with command ${firstSeq}`));
  const copy = join(scratchDirectory(context), 'copy');
  assert.equal((await run('backup', copy, '--with-keys', ...place)).code, 0);
  const restored = await run('restore', copy, '--data', join(copy, '../restored'));
  assert.equal(restored.code, 0, restored.log);
  await venue.start();
  assert.deepEqual(await venue.balance(), balances);
  await venue.here.close();
});

test('a history is made again as far as the journal goes, and no further', async (context) => {
  const venue = await new Venue(context).start();
  for (let day = 1; day <= DAYS; day += 1) await venue.day();
  await until('it is trimmed', async () => (await venue.firstSeq()) > 1);
  const balances = await venue.balance();
  await venue.here.close();
  for (const file of globSync(join(venue.directory, 'history.sqlite*'))) rmSync(file);
  await venue.start();
  assert.deepEqual(await venue.balance(), balances);
  const said = venue.here.lines.map(({ msg }) => msg).join('\n');
  assert.match(said, /begins after command [0-9]+, as the journal does: rows of before are in/);
  await venue.here.close();
});

test('snapshots that are damaged keep the journal as it is', async (context) => {
  const venue = await new Venue(context).start();
  await venue.day();
  await venue.day();
  await venue.here.close();
  const files = globSync(join(venue.directory, 'snapshots/*.ndjson'));
  for (const file of files)
    writeFileSync(file, readFileSync(file, 'utf8').replace('alice', 'alicf'));
  await venue.start();
  for (let day = 1; day <= KEEP_DAYS; day += 1) await venue.day();
  const { kind } = await verifyJournal(logOf(venue.directory, keyOf(venue)), () => undefined);
  assert.equal(kind, 'sound');
  assert.equal(await venue.firstSeq(), 1, 'one sound snapshot is not enough');
  await venue.here.close();
});

test('a journal without days to keep makes a short history again', async (t) => {
  const config = CONFIG.replace(/^journal.*$/m, `history: { keepDays: ${KEEP_DAYS} }`);
  const venue = await new Venue(t, config).start();
  for (let day = 1; day <= DAYS; day += 1) await venue.day();
  assert.equal(await venue.firstSeq(), 1);
  // The time of the venue is that of its last command.
  const old = (DAYS - 1 - KEEP_DAYS) * SNAPSHOT_COMMANDS;
  await until('old rows are gone', async () => (await venue.removedRows()) >= old);
  assert.equal(await venue.removedRows(), old);
  await venue.here.close();
  const place = ['--data', venue.directory];
  const kept = await run('verify-history', ...place);
  assert.equal(kept.code, 0, kept.output + kept.log);
  for (const file of globSync(join(venue.directory, 'history.sqlite*'))) rmSync(file);
  await venue.start();
  await until('they go again', async () => (await venue.removedRows()) >= old);
  await venue.here.close();
  const again = await run('verify-history', ...place);
  assert.equal(again.code, 0, again.output + again.log);
});

function keyOf({ directory }: Venue) {
  const text = readFileSync(join(directory, 'master.key'), 'utf8').trim();
  return { masterKey: Buffer.from(text, 'base64') };
}
