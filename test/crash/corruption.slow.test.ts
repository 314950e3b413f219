/**
 * Every file of a data directory harmed in every way. The venue starts and has lost nothing that
 * it had acknowledged, or it refuses in one line that names the file; a stack trace is no answer.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { present } from '#kernel';
import { verifyJournal } from '#log';
import { randomOf } from '../../tools/random.ts';
import { historyOf } from '../support/history-files.ts';
import { gauge } from '../support/http-trader.ts';
import { logOf } from '../support/logs.ts';
import { pastRows } from '../support/past-rows.ts';
import { ROUNDS } from '../support/rounds.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';
import { until } from '../support/until.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const ANSWERS = 80;
const CLIENTS_PER_ACCOUNT = 2;
/** More than the history of this test needs for a pass. */
const SCRUB_STEPS = 200;
const NEWEST = 'newest snapshot';

/** One story at three moments: a first life stopped, a second stopped, a third killed. */
type Moment = 'early' | 'stopped' | 'killed';
const moments: Readonly<Record<Moment, string>> = {
  early: scratchDirectory(),
  stopped: scratchDirectory(),
  killed: scratchDirectory(),
};

const pasts = new Map<Moment, Map<string, unknown[]>>();

before(async () => {
  const data = new DataDirectory(scratchDirectory());
  for (const [moment, end] of [
    ['early', 'SIGTERM'],
    ['stopped', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const) {
    const { program, url, sides } = await data.start();
    const load = new Load(randomOf(11));
    for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
    await until('enough answers', () => load.answersCount >= ANSWERS);
    await load.end();
    const lag = () => gauge(url, 'outcry_projection_lag_commands');
    await until('projected', async () => (await lag()) === 0);
    program.signal(end);
    await program.ended;
    cpSync(data.directory, moments[moment], { recursive: true });
    // Reading a log empties it: the past is read from a copy.
    const copy = scratchDirectory();
    cpSync(data.directory, copy, { recursive: true });
    pasts.set(moment, everything(copy));
  }
});

type Harm = (directory: string, file: string) => void;

function size(file: string): number {
  return statSync(file).size;
}

const HARMS = {
  'is missing': (_, file) => rmSync(file),
  'is empty': (_, file) => truncateSync(file, 0),
  'is cut in half': (_, file) => truncateSync(file, Math.floor(size(file) / 2)),
  'is garbage': (_, file) => writeFileSync(file, Buffer.alloc(50_000, 'garbage ')),
  'begins with zeros': (_, file) => zero(file, 0),
  'has zeros in the middle': (_, file) => zero(file, 0.5),
  'has a flipped bit': (_, file) => flip(file, 0.5),
  'is a directory': (_, file) => {
    rmSync(file);
    mkdirSync(file, { mode: 0o700 });
  },
} satisfies Record<string, Harm>;
const harmNames = [
  'is missing',
  'is empty',
  'is cut in half',
  'is garbage',
  'begins with zeros',
  'has zeros in the middle',
  'has a flipped bit',
  'is a directory',
] as const;

function zero(file: string, part: number): void {
  const bytes = readFileSync(file);
  const start = Math.floor(bytes.length * part);
  const end = start + Math.ceil(bytes.length / 20);
  writeFileSync(file, bytes.fill(0, start, Math.min(end, bytes.length)));
}

function flip(file: string, part: number): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length * part);
  if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

function change(file: string, sql: string): void {
  const database = new Sqlite(file);
  database.exec(sql);
  database.close();
}

/** The files of another moment in place of these. */
function from(moment: Moment, name: string): Harm {
  return (directory) => {
    for (const end of ['', '-wal', '-shm']) {
      rmSync(join(directory, `${name}${end}`), { force: true });
      const other = join(moments[moment], `${name}${end}`);
      if (existsSync(other)) copyFileSync(other, join(directory, `${name}${end}`));
    }
  };
}

/** Every row that was there is there. Instruments, candles and totals may have grown. */
const GROWING = ['candles', 'sqlite_stat1', 'sqlite_stat4'];

/** Rows of the past before and after, and every entry of the journal, none of them changed. */
function everything(directory: string): Map<string, unknown[]> {
  const tables = pastRows(join(directory, 'history.sqlite'));
  for (const name of GROWING) tables.delete(name);
  const journal = new Sqlite(join(directory, 'journal.sqlite'));
  const entries = journal.prepare('select first_seq, payload, hash from entries').raw().all();
  journal.close();
  return tables.set(
    'entries',
    entries.map((row) => JSON.stringify(row)),
  );
}

function requireKept(moment: Moment, directory: string): void {
  const now = everything(directory);
  for (const [table, rows] of present(pasts.get(moment), 'past')) {
    const left = new Set(now.get(table));
    const lost = rows.filter((row) => !left.has(row));
    assert.deepEqual(lost.slice(0, 3), [], `lost from ${table}`);
  }
}

/** 'found' is for harm that may lie where nobody looks at a start: a verification names it then. */
type Outcome = 'opens' | 'refused' | 'found';

async function outcomeOf(here: ServerHere): Promise<{ outcome: Outcome; line: string }> {
  try {
    await here.start();
    return { outcome: 'opens', line: '' };
  } catch (error) {
    assert(error instanceof Error);
    return { outcome: 'refused', line: error.message };
  }
}

async function check(t: TestContext, one: Case): Promise<void> {
  const { moment, name, harm, outcome, naming = name } = one;
  const directory = scratchDirectory(t);
  cpSync(moments[moment], directory, { recursive: true });
  harm(directory, join(directory, name === NEWEST ? newest(directory) : name));
  const here = ServerHere.still(t, directory);
  const found = await outcomeOf(here);
  if (outcome !== 'found') assert.equal(found.outcome, outcome, found.line);
  const errors = here.errors;
  assert.deepEqual(errors, [], 'a start says what is wrong once, and not as a crash');
  if (found.outcome === 'refused') {
    assert.ok(!found.line.includes('\n') && found.line.includes(naming), found.line);
    return;
  }
  await here.stop();
  if (outcome === 'found' && (await isFound(directory))) return;
  requireKept(moment, directory);
}

async function isFound(directory: string): Promise<boolean> {
  const masterKey = Buffer.from(readFileSync(join(directory, 'master.key'), 'utf8'), 'base64');
  const result = await verifyJournal(logOf(directory, { masterKey }), () => undefined);
  if (result.kind === 'faulty') return true;
  const history = new Sqlite(join(directory, 'history.sqlite'));
  const says: unknown = history.pragma('integrity_check', { simple: true });
  history.close();
  return says !== 'ok' || (await scrubFinds(join(directory, 'history.sqlite')));
}

/** Whether a pass over all rows finds one that does not fit its checksum. */
async function scrubFinds(file: string): Promise<boolean> {
  const scrub = await historyOf(file).openScrub();
  let found = 0;
  for (let step = 0; step < SCRUB_STEPS; step += 1) found += (await scrub.step()).length;
  await scrub.close();
  return found > 0;
}

/** Puts a row in and closes the file with a seal that is right. */
function reseal(file: string, row: string): void {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const { seq } = JSON.parse(lines.pop() ?? '');
  const rows = [...lines, row].map((line) => `${line}\n`);
  const sha256 = createHash('sha256').update(rows.join('')).digest('hex');
  const seal = JSON.stringify({ seq, rows: rows.length, sha256 });
  writeFileSync(file, `${rows.join('')}${seal}\n`);
}

function newest(directory: string): string {
  const name = readdirSync(join(directory, 'snapshots')).toSorted().at(-1);
  assert(name !== undefined);
  return join('snapshots', name);
}

/** Bytes at random in a file at random: so many times, and more with `--rounds`. */
const STRIKES = 8 * ROUNDS;
const BYTES_MAX = 4_096;
/** What a refusal names instead of the file. */
const NAMED_INSTEAD: readonly (readonly [end: RegExp, name: string])[] = [
  [/-(wal|shm)$/, ''],
  [/^snapshots\/.*/, 'snapshot-'],
];

/** The file of terms is the operator's. */
function isStruck(file: string): boolean {
  const found = statSync(file);
  return found.isFile() && found.size > 0 && !file.endsWith('.yaml');
}

function strike(t: TestContext, seed: number): Promise<void> {
  const random = randomOf(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const moment = present((['early', 'stopped', 'killed'] as const)[below(3)], 'moment');
  const names = readdirSync(moments[moment], { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => isStruck(join(moments[moment], name)));
  const name = present(files.toSorted()[below(files.length)], 'file');
  const isFlip = random() < 0.5;
  const from = below(size(join(moments[moment], name)));
  const length = isFlip ? 1 : 1 + below(BYTES_MAX);
  t.diagnostic(`${moment} ${name}: ${isFlip ? 'a bit' : `${length} bytes`} at ${from}`);
  const harm: Harm = (_, file) => {
    const bytes = readFileSync(file);
    for (let at = from; at < Math.min(from + length, bytes.length); at += 1) {
      bytes[at] = isFlip ? (bytes[at] ?? 0) ^ (1 << below(8)) : below(256);
    }
    writeFileSync(file, bytes);
  };
  const naming = NAMED_INSTEAD.reduce((text, [end, other]) => text.replace(end, other), name);
  return check(t, { moment, name, what: 'struck', harm, outcome: 'found', naming });
}

interface Case {
  readonly moment: Moment;
  /** The file in the directory. */
  readonly name: string;
  readonly what: string;
  readonly harm: Harm;
  readonly outcome: Outcome;
  /** What the refusal names, where it is not this file. */
  readonly naming?: string | undefined;
}

interface Target {
  readonly moment: Moment;
  readonly name: string;
  /** What becomes of it, whatever happens to this file, */
  readonly outcome: Outcome;
  /** but for these. */
  readonly except?: Partial<Record<keyof typeof HARMS, Outcome>>;
  readonly naming?: string;
}

const INSIDE = { 'has zeros in the middle': 'found', 'has a flipped bit': 'found' } as const;
const NO_FILE = { 'is a directory': 'refused' } as const;

const TARGETS: readonly Target[] = [
  { moment: 'stopped', name: 'journal.sqlite', outcome: 'refused', except: INSIDE },
  {
    moment: 'killed',
    name: 'journal.sqlite',
    outcome: 'refused',
    // Its log may hold that page anew, or not: then it is refused.
    except: { ...INSIDE, 'begins with zeros': 'found' },
  },
  { moment: 'killed', name: 'journal.sqlite-wal', outcome: 'refused', naming: 'journal.sqlite' },
  { moment: 'killed', name: 'journal.head', outcome: 'opens', except: NO_FILE },
  {
    moment: 'stopped',
    name: 'history.sqlite',
    outcome: 'opens',
    except: { ...NO_FILE, ...INSIDE },
  },
  { moment: 'killed', name: 'history.sqlite-wal', outcome: 'opens', except: NO_FILE },
  { moment: 'stopped', name: NEWEST, outcome: 'opens', except: NO_FILE, naming: 'snapshot-' },
  {
    moment: 'stopped',
    name: 'venue.lock',
    outcome: 'opens',
    except: { ...NO_FILE, 'is garbage': 'refused' },
  },
  { moment: 'stopped', name: 'master.key', outcome: 'refused' },
];

function casesOf({ moment, name, outcome, except, naming }: Target): Case[] {
  return harmNames.map((what) => ({
    moment,
    name,
    what,
    harm: HARMS[what],
    outcome: except?.[what] ?? outcome,
    naming,
  }));
}

const journal = { name: 'journal.sqlite', naming: 'journal.sqlite' } as const;
const history = { name: 'history.sqlite', naming: 'history.sqlite' } as const;

const CASES: readonly Case[] = [
  ...TARGETS.flatMap(casesOf),
  {
    ...journal,
    moment: 'stopped',
    what: 'is behind',
    harm: from('early', 'journal.sqlite'),
    outcome: 'refused',
  },
  {
    ...journal,
    moment: 'early',
    what: 'is ahead',
    harm: from('stopped', 'journal.sqlite'),
    outcome: 'opens',
  },
  {
    ...journal,
    moment: 'stopped',
    what: 'has another version',
    harm: (_, file) => change(file, 'pragma user_version = 99'),
    outcome: 'refused',
  },
  {
    ...journal,
    moment: 'stopped',
    what: 'has lost a table',
    harm: (_, file) => change(file, 'drop table entries'),
    outcome: 'refused',
  },
  {
    ...journal,
    moment: 'stopped',
    what: 'does not say whose it is',
    harm: (_, file) => change(file, 'delete from meta'),
    outcome: 'refused',
  },
  {
    ...history,
    moment: 'stopped',
    what: 'is behind',
    harm: from('early', 'history.sqlite'),
    outcome: 'opens',
  },
  {
    ...history,
    moment: 'early',
    what: 'is ahead',
    harm: from('stopped', 'history.sqlite'),
    outcome: 'refused',
  },
  {
    ...history,
    moment: 'stopped',
    what: 'has a newer version',
    harm: (_, file) => change(file, 'pragma user_version = 99'),
    outcome: 'refused',
  },
  {
    ...history,
    moment: 'stopped',
    what: 'does not say whose it is',
    harm: (_, file) => change(file, 'delete from meta'),
    outcome: 'opens',
  },
  {
    ...history,
    moment: 'stopped',
    what: 'says that it is behind',
    harm: (_, file) => change(file, 'update meta set projected_seq = 100'),
    outcome: 'opens',
  },
  {
    ...history,
    moment: 'stopped',
    what: 'has lost a table',
    harm: (_, file) => change(file, 'drop table trades'),
    outcome: 'opens',
  },
  {
    name: NEWEST,
    moment: 'stopped',
    what: 'is sealed and has an unknown row',
    harm: (_, file) => reseal(file, '["chickens",1]'),
    outcome: 'opens',
  },
];

for (let seed = 1; seed <= STRIKES; seed += 1) {
  test(`random harm is found or does none (${seed})`, (t) => strike(t, seed));
}

describe('a data directory', () => {
  for (const one of CASES) {
    test(`${one.moment}: ${one.name} ${one.what}: ${one.outcome}`, (t) => check(t, one));
  }
});
