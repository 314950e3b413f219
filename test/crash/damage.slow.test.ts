/**
 * Files damaged while the server was stopped. It serves all that it had acknowledged, or it refuses
 * to start and says why; it never goes on with less or with something else. What else may happen to
 * each file is in corruption.slow.test.ts, which starts it in this process.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { randomOf } from '../../tools/random.ts';
import { gauge } from '../support/http-trader.ts';
import { pastRows } from '../support/past-rows.ts';
import { type Ended, READY_MAX_MS, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { compare } from './compare.ts';
import { DataDirectory } from './data-directory.ts';
import { Load } from './load.ts';

const ANSWERS_MIN = 150;
const CLIENTS_PER_ACCOUNT = 4;
const PAGE_BYTES = 4_096;
const JOURNAL_PAGE_BYTES = 16_384;

/** How the server ended before its files were damaged: then the log is full, or empty. */
type End = 'SIGKILL' | 'SIGTERM';
const dataAfter: Readonly<Record<End, DataDirectory>> = {
  SIGKILL: new DataDirectory(scratchDirectory()),
  SIGTERM: new DataDirectory(scratchDirectory()),
};

/** Works until there is something to lose, and until the history has all of it. */
async function workThenEnd(data: DataDirectory, end: End): Promise<void> {
  const { program, url, sides } = await data.start();
  const load = new Load(randomOf(7));
  for (const side of sides) load.start(side, CLIENTS_PER_ACCOUNT);
  await until('enough answers', () => load.answersCount >= ANSWERS_MIN);
  await load.end();
  await compare(url, sides);
  const lag = () => gauge(url, 'outcry_projection_lag_commands');
  await until('projected', async () => (await lag()) === 0);
  program.signal(end);
  await program.ended;
}

before(async () => {
  await workThenEnd(dataAfter.SIGKILL, 'SIGKILL');
  await workThenEnd(dataAfter.SIGTERM, 'SIGTERM');
});

interface Damage {
  readonly title: string;
  readonly end: End;
  readonly outcome: 'refused' | 'recovered';
  readonly harm: (directory: string) => void;
}

const journal = (directory: string) => join(directory, 'journal.sqlite');
const journalLog = (directory: string) => join(directory, 'journal.sqlite-wal');

function cut(file: string, keptBytes: (size: number) => number): void {
  truncateSync(file, Math.floor(keptBytes(statSync(file).size)));
}

/** Changes what one order says, wherever it is written. */
function forge(file: string): void {
  const text = readFileSync(file, 'latin1');
  const forged = text.replaceAll('"demo-20"', '"demo-XX"');
  assert.notEqual(forged, text);
  writeFileSync(file, forged, 'latin1');
}

const GARBAGE = Buffer.alloc(PAGE_BYTES, 'garbage ');

const DAMAGES: readonly Damage[] = [
  {
    title: 'half a write behind the end of the log, as a power cut leaves it',
    end: 'SIGKILL',
    outcome: 'recovered',
    harm: (directory) => appendFileSync(journalLog(directory), GARBAGE),
  },
  {
    title: 'the last byte of the log is missing',
    end: 'SIGKILL',
    outcome: 'refused',
    harm: (directory) => cut(journalLog(directory), (size) => size - 1),
  },
  {
    title: 'the last page of the journal is missing',
    end: 'SIGTERM',
    outcome: 'refused',
    harm: (directory) => cut(journal(directory), (size) => size - JOURNAL_PAGE_BYTES),
  },
  {
    title: 'an order in the journal says something else',
    end: 'SIGTERM',
    outcome: 'refused',
    harm: (directory) => forge(journal(directory)),
  },
];

/** Ends by itself, without ever saying that it is ready. */
async function refusal(data: DataDirectory): Promise<Ended> {
  const program = data.spawn();
  await program.until('decision', () => program.isOver || program.output !== '', READY_MAX_MS);
  assert.equal(program.output, '', 'it serves');
  const ended = await program.ended;
  assert.equal(ended.code, 2, ended.log);
  return ended;
}

async function servesAll(data: DataDirectory): Promise<void> {
  const { program, url, sides } = await data.start();
  await compare(url, sides);
  program.signal('SIGTERM');
  await program.ended;
}

describe('a damaged journal', () => {
  for (const { title, end, outcome, harm } of DAMAGES) {
    test(`${title}: ${outcome}`, async (t) => {
      const data = dataAfter[end].copy(scratchDirectory(t));
      harm(data.directory);
      if (outcome === 'recovered') return servesAll(data);
      // The first start might have covered up what it found.
      for (const _ of ['first', 'second']) {
        assert.match((await refusal(data)).log, /verify-journal/);
      }
    });
  }
});

describe('a damaged history', () => {
  test('it is garbage: it is set aside, and rebuilt as it was', async (t) => {
    const data = dataAfter.SIGTERM.copy(scratchDirectory(t));
    const file = data.file('history.sqlite');
    const rows = pastRows(file);
    const garbage = Buffer.alloc(100_000, 'garbage ');
    writeFileSync(file, garbage);
    await servesAll(data);
    assert.deepEqual(pastRows(file), rows);
    assert.deepEqual(readFileSync(data.file('history.damaged-1.sqlite')), garbage);
  });

  test('it cannot be opened: refused in one line', async (t) => {
    const data = dataAfter.SIGTERM.copy(scratchDirectory(t));
    const file = data.file('history.sqlite');
    rmSync(file);
    mkdirSync(file, { mode: 0o700 });
    const { log } = await refusal(data);
    assert.match(log, /^the data directory .* cannot be used: .*history\.sqlite.*\n$/);
  });
});

describe('a data directory that cannot be written', () => {
  test('is refused in one line before the venue is ready', async (t) => {
    const data = dataAfter.SIGTERM.copy(scratchDirectory(t));
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) lend(data.directory);
    chmodSync(data.directory, 0o500);
    const program = serve({ directory: data.directory, user });
    const { code, output, log } = await program.ended;
    chmodSync(data.directory, 0o700);
    assert.equal(output, '');
    assert.equal(code, 2, log);
    assert.match(log, /^the data directory .* cannot be used: E(ACCES|ROFS).*\n$/);
  });

  test('is refused when a file in it cannot', async (t) => {
    const data = dataAfter.SIGTERM.copy(scratchDirectory(t));
    const isRoot = process.getuid?.() === 0;
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    if (isRoot) lend(data.directory);
    chmodSync(data.file('journal.sqlite'), 0o400);
    const { code, log } = await serve({ directory: data.directory, user }).ended;
    assert.equal(code, 2, log);
    assert.match(log, /^the data directory .* cannot be used: E(ACCES|ROFS).*journal\.sqlite.*\n$/);
  });
});

/** Root may write everywhere: the server runs as somebody else, who owns the directory. */
const NOBODY = 65_534;

function lend(directory: string): void {
  chownSync(directory, NOBODY, NOBODY);
  for (const name of readdirSync(directory, { recursive: true })) {
    chownSync(join(directory, String(name)), NOBODY, NOBODY);
  }
}

/** Names, the directory itself first, with modes that let others in. */
const LOOSE = [
  ['', 0o755],
  ['journal.sqlite', 0o644],
  ['history.sqlite', 0o640],
  ['journal.head', 0o604],
] as const;

test('a data file that others can read is refused with the command that mends it', async (t) => {
  const data = new DataDirectory(scratchDirectory(t));
  const once = await data.start();
  once.program.signal('SIGTERM');
  assert.equal((await once.program.ended).code, 0);
  const command = `chmod -R go= ${data.directory}`;
  for (const [name, mode] of LOOSE) {
    const file = name === '' ? data.directory : data.file(name);
    chmodSync(file, mode);
    const { code, log, output } = await data.spawn().ended;
    const said = `${output}${log}`.trimEnd();
    assert.equal(code, 2, said);
    assert.ok(said.endsWith(`${file} can be read by others: run ${command}`), said);
    assert.equal(said.split('\n').length, 1, said);
    execFileSync('sh', ['-c', command]);
  }
  const again = await data.start();
  again.program.signal('SIGTERM');
  assert.equal((await again.program.ended).code, 0);
});
