/** Which commands a process of an earlier release could not read. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  accountId,
  assetId,
  type Command,
  FORMAT_VERSION,
  formatOf,
  instrumentId,
  lots,
  orderId,
  ticks,
  type WorkingPrice,
} from '#domain';

const OWNER = { accountId: accountId(1), instrumentId: instrumentId(2) };
const AT = { triggerTicks: ticks(9) };

/** Every command that says which price it looks at. */
function saying(working: WorkingPrice): Command[] {
  const trigger = {
    kind: 'place_trigger_order',
    ...OWNER,
    ...AT,
    type: 'market',
    action: 'open_long',
    sizeLots: lots(1),
  } as const;
  const order = {
    kind: 'place_contract_order',
    ...OWNER,
    type: 'market',
    action: 'open_long',
    force: 'ioc',
    sizeLots: lots(1),
  } as const;
  return [
    { ...order, takeProfitTicks: ticks(9), takeProfitWorking: working },
    { ...order, stopLossTicks: ticks(9), stopLossWorking: working },
    { ...trigger, workingPrice: working },
    { ...trigger, takeProfitTicks: ticks(9), takeProfitWorking: working },
    { ...trigger, stopLossTicks: ticks(9), stopLossWorking: working },
    {
      kind: 'place_tp_sl',
      ...OWNER,
      ...AT,
      type: 'market',
      side: 'long',
      purpose: 'stop_loss',
      workingPrice: working,
      sizeLots: lots(0),
    },
    { kind: 'modify_tp_sl', ...OWNER, ...AT, orderId: orderId(3), workingPrice: working },
  ];
}

test('an earlier release reads keys that stay and have a secret', () => {
  const record = {
    ...{ key: 'bot-key', accountId: OWNER.accountId, label: '', permissions: ['read'] as const },
    ...{ ipAllowList: [], sealedSecret: 'sealed', passphraseHash: 'hash' },
  };
  const formatWith = (changes: object) =>
    formatOf({ kind: 'create_key', record: { ...record, ...changes } });
  assert.equal(formatWith({ strictReplay: true }), 1);
  assert.equal(formatWith({ expiresTimeMs: 1 }), 3);
  assert.equal(formatWith({ publicKey: 'base64' }), 3);
});

test('an earlier release reads all but triggers at the index, their changes and transfers', () => {
  const formats = (working: WorkingPrice) => saying(working).map(formatOf);
  assert.deepEqual(new Set(formats('last')), new Set([1]));
  assert.deepEqual(new Set(formats('mark')), new Set([1]));
  assert.deepEqual(new Set(formats('index')), new Set([2]));
  assert.equal(formatOf({ kind: 'modify_trigger_order', ...OWNER, ...AT, orderId: orderId(3) }), 2);
  assert.equal(formatOf({ kind: 'tick' }), 1);
  const money = { assetId: assetId(0), amount: 1n };
  const moved = { accountId: OWNER.accountId, toAccountId: accountId(2), ...money };
  assert.equal(formatOf({ kind: 'transfer_between_accounts', ...moved }), 4);
  assert.equal(FORMAT_VERSION, 4);
});
