/** A process that dies at any moment takes nothing with it that it has acknowledged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logOf } from '../support/logs.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { checkContent } from './append-plan.ts';
import { faultOf } from './contract.ts';
import { closedInTheEnd } from './journals.ts';
import { acknowledgedSeq, startLoop } from './loop-process.ts';

/** After how many acknowledgements each life ends. */
const LIVES = [1, 2, 3, 5, 8, 13, 40, 90, 150, 400, 700, 1_500];

test('everything acknowledged outlives kill -9, life after life on one journal', async () => {
  const directory = scratchDirectory();
  let lastSeq = 0;
  for (const acknowledgements of LIVES) {
    const loop = startLoop(directory);
    await loop.said('durable', acknowledgements);
    loop.child.kill('SIGKILL');
    assert.equal(await loop.gone, 'SIGKILL');
    assert.equal(loop.lines[0], `opened ${lastSeq}`, 'a life starts where the last one ended');
    lastSeq = await checkContent(directory);
    assert.ok(lastSeq >= acknowledgedSeq(loop.lines), `lost ${acknowledgedSeq(loop.lines)}`);
  }
});

test('a directory is not to be had from another process until that is killed', async () => {
  const directory = scratchDirectory();
  const loop = startLoop(directory);
  await loop.said('durable', 1);
  await assert.rejects(logOf(directory).openWriter().then(closedInTheEnd), faultOf('in_use'));
  await loop.said('durable', acknowledgedSeqCount(loop.lines) + 1);
  loop.child.kill('SIGKILL');
  await loop.gone;
  const journal = await logOf(directory).openWriter().then(closedInTheEnd);
  assert.ok(journal.lastSeq >= acknowledgedSeq(loop.lines));
  await journal.close();
});

function acknowledgedSeqCount(lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith('durable')).length;
}
