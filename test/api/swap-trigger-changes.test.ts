/**
 * Triggers at the index price and changed triggers over the classic interface, for a linear and an
 * inverse contract, and what lists and the owner's stream show of them.
 */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import type { Trader } from '../support/house.ts';
import {
  INVERSE_SYMBOL,
  LINEAR_SYMBOL,
  OPEN_LONG,
  OPEN_SHORT,
  type Row,
  SwapDesk,
  UNKNOWN_ID,
} from '../support/swap-desk.ts';
import { SwapStream } from '../support/swap-stream.ts';

const desk = closedAtEnd(await SwapDesk.open());
const { house } = desk;
const CONTRACTS = [
  [LINEAR_SYMBOL, '10000'],
  [INVERSE_SYMBOL, '10'],
] as const;
let traders = 0;

/** Alice holds 10 long from 30000 against bob; both have money left. */
async function holders(symbol: string, money: string): Promise<[Trader, Trader]> {
  await desk.setIndex(30_000, symbol);
  traders += 1;
  const alice = await desk.funded(`alice${traders}`, money, symbol);
  const bob = await desk.funded(`bob${traders}`, money, symbol);
  await desk.place(bob, { ...OPEN_SHORT, symbol, price: '30000', size: '10' });
  await desk.place(alice, { ...OPEN_LONG, symbol, price: '30000', size: '10' });
  return [alice, bob];
}

function waiting(who: Trader, symbol: string): Promise<Row[]> {
  return desk.data<Row[]>(who, 'openPlans', { symbol });
}

function shown(row: Row | undefined) {
  const { direction_desc, trigger_price, trigger_type, execute_price, delegate_count } = row ?? {};
  return [direction_desc, trigger_price, trigger_type, execute_price, delegate_count].join(' ');
}

for (const [symbol, money] of CONTRACTS) {
  describe(symbol, () => {
    test('a plan order at the index brings presets, and fires with the index', async () => {
      const [alice, bob] = await holders(symbol, money);
      await desk.data(alice, 'placePlan', {
        ...{ symbol, size: '3', type: '1', holdSide: '1', match_type: '0' },
        ...{ trigger_price: '30500', execute_price: '30600', trigger_type: 'index' },
        ...{ presetTakeProfitPrice: '32000', presetTakeProfitTriggerType: 'index' },
        ...{ presetStopLossPrice: '30100', presetStopLossTriggerType: 'mark' },
      });
      const plans = await waiting(alice, symbol);
      assert.deepEqual(plans.map(shown), ['open long 30500.0 index 30600.0 3']);
      await desk.place(bob, { ...OPEN_SHORT, symbol, price: '30550', size: '3' });
      await desk.setIndex(30_500, symbol);
      const armed = await waiting(alice, symbol);
      assert.deepEqual(armed.map(shown).sort(), [
        'close long (stop loss) 30100.0 mark 0 3',
        'close long (take profit) 32000.0 index 0 3',
      ]);
      const [fired] = await desk.data<Row[]>(alice, 'planHistory', { symbol });
      assert.deepEqual([fired?.trigger_type, fired?.status], ['index', '2']);
    });

    test('presets of an order look at the index', async () => {
      const [alice, bob] = await holders(symbol, money);
      await desk.place(bob, { ...OPEN_SHORT, symbol, price: '30000', size: '2' });
      await desk.place(alice, {
        ...{ ...OPEN_LONG, symbol, price: '30000', size: '2' },
        ...{ presetStopLossPrice: '29000', presetStopLossTriggerType: 'index' },
      });
      const [armed] = await waiting(alice, symbol);
      assert.equal(shown(armed), 'close long (stop loss) 29000.0 index 0 2');
      await desk.place(bob, { ...OPEN_LONG, symbol, price: '28900', size: '2' });
      await desk.setIndex(29_000, symbol);
      assert.deepEqual(await waiting(alice, symbol), []);
    });

    test('a preset is put on a position, whole or part, and changed', async () => {
      const [alice] = await holders(symbol, money);
      const preset = { symbol, holdSide: '1', preset_type: 'stop_loss', trigger_price: '29000' };
      const placed = await desk.data(alice, 'placePreset', { ...preset, trigger_type: 'index' });
      const profit = { ...preset, preset_type: 'take_profit', trigger_price: '31000' };
      await desk.data(alice, 'placePreset', { ...profit, size: '4', execute_price: '31100' });
      const rows = await waiting(alice, symbol);
      assert.deepEqual(rows.map(shown), [
        'close long (take profit) 31000.0 last 31100.0 4',
        'close long (stop loss) 29000.0 index 0 0',
      ]);
      const { order_id: orderId } = placed;
      const moved = await desk.data(alice, 'movePlan', {
        ...{ symbol, orderId, trigger_price: '28500', trigger_type: 'mark' },
        ...{ size: '5', execute_price: '28400' },
      });
      assert.deepEqual(moved, placed);
      const after = (await waiting(alice, symbol)).find(({ order_id }) => order_id === orderId);
      assert.equal(shown(after), 'close long (stop loss) 28500.0 mark 28400.0 5');
      await desk.data(alice, 'movePlan', {
        ...{ symbol, orderId, trigger_price: '28500', size: '0', execute_price: '0' },
      });
      const whole = (await waiting(alice, symbol)).find(({ order_id }) => order_id === orderId);
      assert.equal(shown(whole), 'close long (stop loss) 28500.0 mark 0 0');
    });

    test('a refused change says why, and the order stays as it was', async () => {
      const [alice, bob] = await holders(symbol, money);
      const plan = { symbol, size: '3', type: '2', holdSide: '1', match_type: '1' };
      const placed = await desk.data(alice, 'placePlan', { ...plan, trigger_price: '29000' });
      const { order_id: orderId } = placed;
      const asked = { symbol, orderId, trigger_price: '28500' };
      const refusal = (who: Trader, fields: object) =>
        desk.refusal(who, 'movePlan', { ...asked, ...fields });
      assert.deepEqual(await refusal(bob, {}), [400, '40109']);
      assert.deepEqual(await refusal(alice, { orderId: UNKNOWN_ID }), [400, '40109']);
      assert.deepEqual(await refusal(alice, { trigger_price: '' }), [400, '40017']);
      assert.deepEqual(await refusal(alice, { trigger_price: '28500.3' }), [400, '40706']);
      assert.deepEqual(await refusal(alice, { trigger_type: 'best' }), [400, '40017']);
      assert.deepEqual(await refusal(alice, { size: 'x' }), [400, '40108']);
      assert.deepEqual(await refusal(alice, { size: '0' }), [400, '40108']);
      const past = await refusal(alice, { trigger_price: '30500' });
      assert.equal(past[0], 400, 'a stop does not become a take-profit');
      const [row] = await waiting(alice, symbol);
      assert.equal(shown(row), 'close long 29000.0 last 0 3');
      await desk.data(alice, 'cancelPlan', { symbol, orderId });
      assert.deepEqual(await refusal(alice, {}), [400, '40400']);
    });

    test('the owner’s stream shows it as it is now', async () => {
      const [alice] = await holders(symbol, money);
      const plan = { symbol, size: '3', type: '2', holdSide: '1', match_type: '1' };
      const placed = await desk.data(alice, 'placePlan', { ...plan, trigger_price: '29000' });
      const stream = await SwapStream.open(await house.port());
      try {
        await stream.login(house, alice);
        await stream.subscribe(`swap/currentPlan:${symbol}`);
        const rows = () => stream.rows('swap/currentPlan');
        await stream.until('the snapshot', () => rows().length > 0);
        const change = { trigger_price: '28500', trigger_type: 'index', size: '2' };
        await desk.data(alice, 'movePlan', { symbol, orderId: placed.order_id, ...change });
        await stream.until('the change', () => rows().at(-1)?.trigger_price === '28500.0');
        const last = rows().at(-1);
        const { order_id, trigger_type, delegate_count } = last ?? {};
        assert.deepEqual([order_id, trigger_type, delegate_count], [placed.order_id, 'index', '2']);
      } finally {
        await stream.close();
      }
    });
  });
}
