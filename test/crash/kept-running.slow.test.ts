/** A directory copied from a running venue of today's format goes on with all that it answered. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { present } from '#kernel';
import { historyOf } from '../support/history-files.ts';
import { DEMO, dataOf, MAKER, Trader } from '../support/http-trader.ts';
import { keptRunning, layDown } from '../support/kept.ts';
import { ADMIN_TOKEN, run } from '../support/program.ts';
import { scratchDirectory } from '../support/scratch.ts';
import { ServerHere } from '../support/server-here.ts';

/** What a start or the question itself changes, and fields that answers have had since. */
const CHANGED = new Set([
  ...['requestTime', 'seq', 'wallets', 'trigger_type'],
  ...['paymentsHolding', 'paymentsFees'],
]);

/** What the owner has done and has: nothing that prices change. */
const OWN = /^(demo|maker)-key .*\/(assets|bills|transferRecords|trade|order|settings)/;

function withoutChanged(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) => (CHANGED.has(name) ? undefined : value)),
  );
}

/** The body of the answer to a call of the kept directory, asked again. */
async function ask(url: string, nowMs: () => number, call: string): Promise<unknown> {
  const words = call.split(' ');
  if (words[0] === 'GET') {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
    return (await fetch(url + present(words[1], 'path'), { headers })).json();
  }
  const trader = new Trader(url, words[0] === DEMO.key ? DEMO : MAKER, nowMs);
  const [, method, path = '', body = ''] = words;
  if (method === 'POST') return (await trader.post(path, JSON.parse(body))).body;
  const swap = '/api/swap/v3';
  const isSwap = path.startsWith(swap);
  return (await (isSwap ? trader.swapGet(path.slice(swap.length)) : trader.get(path))).body;
}

async function assertAllSaid(url: string, nowMs: () => number): Promise<void> {
  for (const [call, said] of Object.entries(keptRunning.said)) {
    const now = await ask(url, nowMs, call);
    assert.deepEqual(withoutChanged(now), withoutChanged(said), call);
  }
}

for (const history of ['kept', 'made anew']) {
  test(`every answer is what it was, with the history ${history}`, async (t) => {
    const directory = scratchDirectory(t);
    layDown('running', directory);
    if (history === 'made anew') {
      for (const end of ['', '-wal']) rmSync(join(directory, `history.sqlite${end}`));
    }
    const here = ServerHere.still(t, directory, keptRunning.nowMs);
    const { url, venue } = await here.start({ sandbox: true });
    assert.ok(venue.releasedSeq >= keptRunning.seq);
    await assertAllSaid(url, () => here.clock.nowMs());
    await here.stop();
    assert.deepEqual(here.errors, []);
    const scrub = await historyOf(join(directory, 'history.sqlite')).openScrub();
    assert.deepEqual(await scrub.step(), []);
    await scrub.close();
    for (const command of ['verify-journal', 'verify-history', 'audit']) {
      const { code, output, log } = await run(command, '--data', directory);
      assert.equal(code, 0, output + log);
    }
  });
}

test('it trades on, and is the same after another start', async (t) => {
  const directory = scratchDirectory(t);
  layDown('running', directory);
  const here = ServerHere.still(t, directory, keptRunning.nowMs);
  const first = await here.start({ sandbox: true });
  const nowMs = () => here.clock.nowMs();
  const [demo, maker] = [DEMO, MAKER].map((who) => new Trader(first.url, who, nowMs));
  const order = { order_type: '0', match_price: '0', price: '30000', size: '3' };
  for (const symbol of ['cmt_btcusdt', 'cmt_btcusd', 'cmt_short']) {
    dataOf(
      await present(maker, 'maker').swapPost('/order/placeOrder', { ...order, symbol, type: '2' }),
    );
    dataOf(
      await present(demo, 'demo').swapPost('/order/placeOrder', { ...order, symbol, type: '1' }),
    );
  }
  const calls = Object.keys(keptRunning.said).filter((call) => OWN.test(call));
  const before = new Map<string, unknown>();
  for (const call of calls) before.set(call, withoutChanged(await ask(first.url, nowMs, call)));
  await here.stop();
  const second = await here.start({ sandbox: true });
  for (const call of calls) {
    assert.deepEqual(withoutChanged(await ask(second.url, nowMs, call)), before.get(call), call);
  }
  await here.stop();
  const { code, output, log } = await run('verify-history', '--data', directory);
  assert.equal(code, 0, output + log);
});
