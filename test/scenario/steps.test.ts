/** The steps that no shipped scenario takes, on a market that trades by itself. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import { readScenario, shippedScenarios } from '#scenario';
import { ACTIONS } from '#scenario/testing';
import { scenario, scratchFile } from './program.ts';

const LIVE = `name: A market that trades by itself
description: Every step the shipped scenarios have no use for.
clock: live
venue: { participants: true, insurance: { USDT: 5 } }
accounts:
  ann: { deposits: { BTC-USDT-PERP: { USDT: 1000 } }, takerFee: 0 }
steps:
  - note: the market maker quotes around the price of the coin
  - wait: { for: { market: { is: BTC-USDT-PERP, bid: above 29000, ask: not none } }, at_most: 9s }
  - insurance: { USDT: 2.5 }
  - expect: { insurance: { USDT: 7.5 } }
  - deposit: { as: ann, coin: USDT, amount: 500 }
  - withdraw: { as: ann, coin: USDT, amount: 100 }
  - transfer: { as: ann, coin: USDT, amount: 400, from: spot, to: BTC-USDT-PERP }
  - terms: { BTC-USDT-PERP: { minQuantity: 5 }, BTC-USDT: { minNotional: 10 } }
  - order: { as: ann, market: BTC-USDT-PERP, side: buy, size: 4, answer: quantity_below_minimum }
  - order: { as: ann, market: BTC-USDT-PERP, side: buy, size: 5, save: taken }
  - expect:
      order: { is: taken, status: full_fill, fee: 0 }
      position: { as: ann, market: BTC-USDT-PERP, side: long, size: 5, entry: at least 29000 }
  - order: { as: ann, market: BTC-USDT-PERP, side: buy, size: 5, price: 20000 }
  - trigger:
      { as: ann, market: BTC-USDT-PERP, side: sell, reduce_only: true, size: 5, trigger: 40000,
        direction: rise, save: exit }
  - expect: { order: { is: exit, status: waiting, price: 40000, size: 5 } }
  - cancel: { order: exit }
  - expect: { order: { is: exit, status: cancelled } }
  - cancel_all: ann
  - expect: { orders: { as: ann, market: BTC-USDT-PERP, open: 0, waiting: 0, cancelled: 1 } }
  - price: { BTC: 33000 }
  - wait: { for: { market: { is: BTC-USDT, bid: above 32000 } }, at_most: 10s }
  - clock: 100x
  - wait: { for: { market: { is: BTC-USDT-PERP, index: above 32000 } }, at_most: 10s }
  - clock: pause
  - leap: 9h
  - pass: 2s
  - expect: { funding: { market: BTC-USDT-PERP, rate: not none } }
  - clock: run
  - idle: 1s
  - wait: { for: { market: { is: BTC-USDT-PERP, mark: above 99999 } }, at_most: 200ms }
`;

test('each does what it says, and waiting ends', async () => {
  const file = scratchFile('live.yaml', LIVE);
  const lines = LIVE.split('\n');
  const { code, stdout, stderr } = await scenario('run', file, '--assert');
  const [failure = '', ...others] = stdout.split('\n').filter((line) => line.startsWith(file));
  const waited = `${file}:${lines.length - 1}: wait.for.market.mark: expected above 99999, got `;
  assert.ok(failure.startsWith(waited), stdout + stderr);
  assert.deepEqual(others, []);
  assert.equal(code, 1);
});

test('between this file and the shipped ones every step is taken', () => {
  const here = readScenario(scratchFile('live.yaml', LIVE), CLASSIC_SPELLING);
  const all = [here, ...shippedScenarios(CLASSIC_SPELLING).map(({ scenario: read }) => read)];
  const taken = new Set(all.flatMap(({ steps }) => steps.map(({ action }) => action.name)));
  assert.deepEqual([...taken].toSorted(), ACTIONS.map(({ name }) => name).toSorted());
});
