/** Snapshots: written all or nothing, believed only when whole, and never needed. */
import assert from 'node:assert/strict';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { AssertionFailed } from '#kernel';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { faultOf } from './contract.ts';

const NEWEST = Number.MAX_SAFE_INTEGER;

function folderOf(directory: string): string {
  return join(directory, 'snapshots');
}

function fileOf(directory: string, seq: number): string {
  return join(folderOf(directory), `snapshot-${String(seq).padStart(16, '0')}.ndjson`);
}

/** A directory with snapshots of 100 rows each. */
function withSnapshots(...seqs: readonly number[]): string {
  const directory = scratchDirectory();
  for (const seq of seqs) logOf(directory).snapshots.write(seq, rowsAt(seq));
  return directory;
}

function rowsAt(seq: number): string[] {
  return Array.from({ length: 100 }, (_, at) => `{"row":${at},"seq":${seq}}`);
}

interface Read {
  readonly seq: number | undefined;
  readonly rows: readonly string[];
  readonly damaged: readonly string[];
}

function read(directory: string, seqMax = NEWEST): Read {
  const damaged: string[] = [];
  const found = logOf(directory).snapshots.newest(seqMax, (reason) => damaged.push(reason));
  return { seq: found?.seq, rows: [...(found?.rows ?? [])], damaged };
}

describe('a snapshot', () => {
  test('gives back its rows, as often as they are read', () => {
    const directory = withSnapshots(7);
    const found = logOf(directory).snapshots.newest(NEWEST, assert.fail);
    assert.equal(found?.seq, 7);
    assert.deepEqual([...found.rows], rowsAt(7));
    assert.deepEqual([...found.rows], rowsAt(7));
  });

  test('gives back any rows byte for byte, however many and however long', () => {
    const row = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 900_000, max: 1_200_000 }).map((length) => 'é'.repeat(length)),
    );
    const rows = fc.array(
      row.filter((text) => !text.includes('\n')),
      { maxLength: 8 },
    );
    const directory = scratchDirectory();
    fc.assert(
      fc.property(rows, (written) => {
        logOf(directory).snapshots.write(1, written);
        assert.deepEqual(read(directory).rows, written);
      }),
      { numRuns: 25 },
    );
  });

  test('reading may stop halfway', () => {
    const found = logOf(withSnapshots(7)).snapshots.newest(NEWEST, assert.fail);
    const [first, second] = found?.rows ?? [];
    assert.deepEqual([first, second], rowsAt(7).slice(0, 2));
  });

  test('has a hash that only equal rows share', () => {
    const directory = scratchDirectory();
    const hashes = [['a', 'b'], ['a', 'b'], ['ab'], ['a', 'b', ''], []].map(
      (rows) => logOf(directory).snapshots.write(1, rows).hash,
    );
    assert.equal(hashes[0], hashes[1]);
    assert.equal(new Set(hashes).size, 4);
  });

  test('of a row that is two lines is a bug', () => {
    const directory = withSnapshots(1);
    assert.throws(() => logOf(directory).snapshots.write(2, ['two\nlines']), AssertionFailed);
    assert.equal(read(directory).seq, 1);
  });
});

describe('several snapshots', () => {
  test('only the newest three are kept', () => {
    const directory = withSnapshots(10, 20, 30, 40, 50);
    const kept = readdirSync(folderOf(directory)).map((name) => join(folderOf(directory), name));
    assert.deepEqual(
      kept.toSorted(),
      [30, 40, 50].map((seq) => fileOf(directory, seq)),
    );
  });

  const asked = [
    { seqMax: 9, found: undefined },
    { seqMax: 10, found: 10 },
    { seqMax: 19, found: 10 },
    { seqMax: 29, found: 20 },
    { seqMax: NEWEST, found: 30 },
  ];
  for (const { seqMax, found } of asked) {
    test(`up to ${seqMax} the newest is ${found ?? 'none'}`, () => {
      assert.equal(read(withSnapshots(10, 20, 30), seqMax).seq, found);
    });
  }

  test('without any, there is none and nothing to report', () => {
    assert.deepEqual(read(scratchDirectory()), { seq: undefined, rows: [], damaged: [] });
  });
});

/** Ways to spoil a snapshot; `other` is a sound one of another number. */
const DAMAGES: readonly { what: string; spoil: (file: string, other: string) => void }[] = [
  { what: 'one letter changed', spoil: rewritten((text) => text.replace('"row":50', '"row":51')) },
  { what: 'a row removed', spoil: rewritten((text) => text.replace('{"row":50,"seq":20}\n', '')) },
  { what: 'a row added', spoil: rewritten((text) => `{"row":-1}\n${text}`) },
  {
    what: 'another row count',
    spoil: rewritten((text) => text.replace('"rows":100', '"rows":99')),
  },
  { what: 'another hash', spoil: rewritten((text) => text.replace(/.(?="\}\n$)/, 'x')) },
  { what: 'no last line', spoil: rewritten((text) => text.replace(/\{"seq":20,"rows".*\n$/, '')) },
  { what: 'no last line feed', spoil: rewritten((text) => text.replace(/\n$/, '')) },
  { what: 'cut off in the middle', spoil: (file) => truncateSync(file, 1_000) },
  { what: 'nothing left', spoil: (file) => truncateSync(file, 0) },
  { what: 'the content of another one', spoil: (file, other) => copyFileSync(other, file) },
  { what: 'a folder in its place', spoil: intoFolder },
];

function rewritten(change: (text: string) => string): (file: string) => void {
  return (file) => {
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    assert.notEqual(changed, text, 'the damage is done');
    writeFileSync(file, changed);
  };
}

function intoFolder(file: string): void {
  renameSync(file, `${file}.tmp`);
  mkdirSync(file);
}

describe('a damaged snapshot is reported, and the one before it is used', () => {
  for (const { what, spoil } of DAMAGES) {
    test(what, () => {
      const directory = withSnapshots(10, 20);
      spoil(fileOf(directory, 20), fileOf(directory, 10));
      const { seq, rows, damaged } = read(directory);
      assert.equal(seq, 10);
      assert.deepEqual(rows, rowsAt(10));
      assert.equal(damaged.length, 1);
      assert.ok(damaged[0]?.includes(fileOf(directory, 20)), damaged[0]);
    });
  }

  test('cut off at any length', () => {
    const directory = scratchDirectory();
    logOf(directory).snapshots.write(20, rowsAt(20).slice(0, 10));
    const whole = readFileSync(fileOf(directory, 20));
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(fileOf(directory, 20), whole.subarray(0, length));
      assert.equal(read(directory).seq, undefined, `${length} of ${whole.length} bytes`);
    }
  });

  test('when all are damaged there is none', () => {
    const directory = withSnapshots(10, 20, 30);
    for (const seq of [10, 20, 30]) truncateSync(fileOf(directory, seq), 100);
    const { seq, damaged } = read(directory);
    assert.deepEqual([seq, damaged.length], [undefined, 3]);
  });
});

describe('a snapshot that cannot be written', () => {
  test('because its rows fail leaves no trace, and the older ones stay', () => {
    const directory = withSnapshots(10);
    function* failing(): Generator<string> {
      yield 'first';
      throw new Error('the state cannot be read');
    }
    assert.throws(
      () => logOf(directory).snapshots.write(20, failing()),
      /the state cannot be read/,
    );
    assert.deepEqual(readdirSync(folderOf(directory)), [fileOf(directory, 10).split('/').at(-1)]);
    assert.equal(read(directory).seq, 10);
  });

  test('because its folder cannot be made is a fault of the disk', () => {
    const directory = scratchDirectory();
    writeFileSync(folderOf(directory), 'a file in the way');
    assert.throws(() => logOf(directory).snapshots.write(1, []), faultOf('disk'));
  });

  test('because the process died leaves a rest that the next one removes', () => {
    const directory = withSnapshots(10);
    writeFileSync(`${fileOf(directory, 20)}.tmp`, 'half a snapsh');
    assert.equal(read(directory).seq, 10);
    logOf(directory).snapshots.write(30, rowsAt(30));
    const names = readdirSync(folderOf(directory));
    assert.deepEqual(
      names.filter((name) => name.endsWith('.tmp')),
      [],
    );
    assert.equal(names.length, 2);
  });
});
