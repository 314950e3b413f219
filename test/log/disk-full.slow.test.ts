/**
 * A full disk: the append that no longer fits is refused for good, nothing before it is lost, and a
 * restart goes on once there is space. The real thing needs root, to mount a file system of one
 * megabyte; a cap on the file size, which needs nothing, is tested in any case.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { JournalFault } from '#log';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { checkContent, entryAt } from './append-plan.ts';
import { faultOf } from './contract.ts';
import { closedInTheEnd } from './journals.ts';
import { acknowledgedSeq, startLoop } from './loop-process.ts';

const FILE_BLOCKS_MAX = 2_048;

/** Of the file, so that it is unmounted when it is removed. */
const SMALL_DISK = scratchDirectory();

/** Mounts a small file system of its own; false where that is not allowed. */
function mountSmall(t: TestContext, directory: string): boolean {
  const mounted = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory]);
  if (mounted.status !== 0) return false;
  t.after(() => spawnSync('/bin/umount', ['-l', directory]));
  return true;
}

/** Appends until the disk is full and gives the last number that was acknowledged. */
async function fillUp(directory: string): Promise<number> {
  const journal = await logOf(directory).openWriter().then(closedInTheEnd);
  try {
    for (let seq = journal.lastSeq + 1; ; ) {
      const { count, payload } = entryAt(seq);
      await journal.append(seq, count, payload);
      seq += count;
    }
  } catch (error) {
    assert.ok(error instanceof JournalFault, String(error));
    assert.equal(error.kind, 'disk');
    assert.match(error.message, /SQLITE_(FULL|IOERR)/);
  }
  const { lastSeq } = journal;
  await assert.rejects(journal.append(lastSeq + 1, 1, 'small'), faultOf('disk'));
  await journal.close();
  return lastSeq;
}

test('a full disk refuses, keeps what it has, and goes on when it has space again', async (t) => {
  const directory = SMALL_DISK;
  if (!mountSmall(t, directory)) {
    t.diagnostic('mounting is not allowed here: only the cap on the file size is tested');
    return;
  }
  const acknowledged = await fillUp(directory);
  assert.ok(acknowledged > 100, `${acknowledged} commands fit`);
  const kept = await checkContent(directory);
  assert.ok(kept >= acknowledged);
  assert.equal(spawnSync('/bin/mount', ['-o', 'remount,size=8m', directory]).status, 0);
  const journal = await logOf(directory).openWriter().then(closedInTheEnd);
  assert.equal(journal.lastSeq, kept);
  const { count, payload } = entryAt(kept + 1);
  await journal.append(kept + 1, count, payload);
  await journal.close();
  assert.equal(await checkContent(directory), kept + count);
});

test('a file that may not grow refuses, keeps what it has, and goes on when it may', async () => {
  const directory = scratchDirectory();
  const capped = startLoop(directory, FILE_BLOCKS_MAX);
  assert.equal(await capped.gone, 0);
  assert.deepEqual(capped.lines.slice(-3), ['fault disk', 'refused', 'closed']);
  const kept = await checkContent(directory);
  assert.ok(acknowledgedSeq(capped.lines) > 100);
  assert.ok(kept >= acknowledgedSeq(capped.lines));
  const free = startLoop(directory);
  await free.said('durable', 10);
  free.child.kill('SIGKILL');
  await free.gone;
  assert.equal(free.lines[0], `opened ${kept}`);
  assert.ok((await checkContent(directory)) >= acknowledgedSeq(free.lines));
});
