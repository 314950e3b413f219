/** A log that is no file does what every log must, and a venue starts from it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCommand, joinCommands } from '#domain';
import { logAt } from '#log';
import { recoverEngine, replayJournal, stateHash } from '#venue';
import { Floor } from '../support/floor.ts';
import { MemoryLog } from '../support/memory-log.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { logContract } from './contract.ts';

logContract('memory', () => new MemoryLog());

test('a venue recovers from any log alike', async () => {
  const venue = Floor.listed();
  const alice = venue.open('alice', { USDT: '1000', BTC: '10' });
  const bob = venue.open('bob', { USDT: '1000', BTC: '10' });
  for (let number = 0; number < 20; number += 1) {
    venue.limit(alice, 'buy', '100', '0.01');
    venue.limit(bob, 'sell', '100', '0.005');
  }
  const logs = [new MemoryLog(), logAt({ kind: 'sqlite', directory: scratchDirectory() })];
  for (const log of logs) {
    const journal = await log.openWriter();
    for (const { command, timeMs } of venue.commands) {
      await journal.append(journal.lastSeq + 1, 1, joinCommands([encodeCommand(timeMs, command)]));
    }
    await journal.close();
    const engine = await recoverEngine({ log, snapshotSeqMax: 0 });
    assert.equal(stateHash(engine), stateHash(venue.engine));
    log.snapshots.write(engine.seq, engine.dump());
    const report = await replayJournal(log, () => undefined);
    assert.deepEqual([report.seq, report.snapshot], [engine.seq, 'matches']);
  }
});
