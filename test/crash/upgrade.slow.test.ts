/**
 * The data directory of the release before, written by its own program, is taken by this one: what
 * clients had is there, the journal proves, and a backup of before is restored as well.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { unpackEarlier } from '../../tools/earlier.ts';
import { DEMO, dataOf, MAKER, Trader } from '../support/http-trader.ts';
import { readyUrl, run, serve } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { until } from '../support/until.ts';
import { Load } from './load.ts';
import { randomOf } from './random.ts';

import { AccountRecord } from './record.ts';

/** The last commit of 0.1.0. */
const RELEASE_BEFORE = '49e0c548';
const CLIENTS = 2;
const ANSWERS = 150;

async function holdings(url: string): Promise<unknown> {
  const found: unknown[] = [];
  for (const credential of [DEMO, MAKER]) {
    const trader = new Trader(url, credential);
    found.push(dataOf(await trader.get('/account/assets')));
    found.push(dataOf(await trader.post('/trade/open-orders', { symbol: 'BTCUSDT_SPBL' })));
    found.push(dataOf(await trader.post('/trade/history', { symbol: 'BTCUSDT_SPBL', limit: 100 })));
  }
  return found;
}

test('a directory of the release before is upgraded, and so is its backup', async (t) => {
  const program = scratchDirectory(t);
  if (!unpackEarlier(RELEASE_BEFORE, program)) {
    return t.skip('this clone does not go back to the release before');
  }
  const home = scratchDirectory(t);
  const directory = join(home, 'data');
  const before = serve({ directory, main: join(program, 'src/app/main.ts') });
  const url = await readyUrl(before);
  const load = new Load(randomOf(17));
  for (const credential of [DEMO, MAKER]) {
    const name = credential === DEMO ? 'demo' : 'maker';
    load.start({ trader: new Trader(url, credential), record: new AccountRecord(name) }, CLIENTS);
  }
  await until('enough answers', () => load.answersCount >= ANSWERS);
  await load.end();
  const had = await holdings(url);
  before.signal('SIGTERM');
  assert.equal((await before.ended).code, 0);
  const copy = join(home, 'copy.tar.gz');
  const backedUp = await run('backup', copy, '--with-keys', '--data', directory);
  assert.equal(backedUp.code, 0, backedUp.log);
  const restored = join(home, 'restored');
  assert.equal((await run('restore', copy, '--data', restored)).code, 0);
  for (const place of [directory, restored]) {
    const after = serve({ directory: place });
    assert.deepEqual(await holdings(await readyUrl(after)), had, place);
    after.signal('SIGTERM');
    assert.equal((await after.ended).code, 0);
    for (const command of ['verify-journal', 'replay', 'audit', 'verify-history']) {
      const { code, log, output } = await run(command, '--data', place);
      assert.equal(code, 0, `${command}: ${log}${output}`);
    }
  }
});
