/** What a list of plan orders is not asked for: each parameter beyond its bounds, over HTTP. */
import { strict as assert } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LIMITS } from '#domain';
import type { Trader } from '../support/house.ts';
import { SwapDesk, SYMBOL } from '../support/swap-desk.ts';

describe('lists that are refused', () => {
  let desk: SwapDesk;
  let alice: Trader;

  before(async () => {
    desk = await SwapDesk.open();
    alice = await desk.trader('alice');
  });
  after(() => desk.house.close());

  const BAD: readonly [changes: object, code: string][] = [
    [{ symbol: '' }, '40017'],
    [{ symbol: 'cmt_dogeusdt' }, '40102'],
    [{ delegateType: '0' }, '40017'],
    [{ delegateType: '5' }, '40017'],
    [{ delegateType: 'open_long' }, '40017'],
    [{ side: '5' }, '40017'],
    [{ pageIndex: '0' }, '40017'],
    [{ pageIndex: 'x' }, '40017'],
    [{ pageIndex: LIMITS.contractPageIndexMax + 1 }, '40303'],
    [{ pageSize: '0' }, '40017'],
    [{ pageSize: '-1' }, '40017'],
    [{ startTime: 'now' }, '40017'],
    [{ startTime: '-1' }, '40017'],
    [{ endTime: '1.5' }, '40017'],
    [{ startTime: '1795235652454', endTime: '1795235652453' }, '40707'],
  ];
  for (const name of ['openPlans', 'planHistory'] as const) {
    for (const [changes, code] of BAD) {
      test(`${name} with ${JSON.stringify(changes)} is refused with ${code}`, async () => {
        const fields = { ...SYMBOL, ...changes };
        assert.deepEqual(await desk.refusal(alice, name, fields), [400, code]);
      });
    }
  }
});
