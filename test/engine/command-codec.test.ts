/** The journal's text of every kind of command says all of it: a new field or kind shows here. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AccountSettings,
  accountId,
  assetId,
  CONTRACT_ACTIONS,
  type Command,
  type CommandKind,
  decodeEntry,
  encodeCommand,
  instrumentId,
  joinCommands,
  lots,
  orderId,
  ticks,
  USUAL_FUND_BUDGET,
} from '#domain';
import { INVERSE, TERMS } from '../support/contracts.ts';

const MOST = Number.MAX_SAFE_INTEGER;
/** More than a number can hold. */
const AMOUNT = 123_456_789_012_345_678_901_234n;
const NAME = 'a"b\\c,#\n[]';
const TIME_MS = 1_795_235_652_453;

const owner = { accountId: accountId(1_000_000), instrumentId: instrumentId(9_999) } as const;
const order = { ...owner, orderId: orderId(MOST) } as const;
const money = { accountId: accountId(7), assetId: assetId(3), amount: AMOUNT } as const;
const settings: AccountSettings = {
  name: NAME,
  frozen: true,
  selfTradePrevention: 'cancel_both',
  openOrdersMax: 5,
  takerFeePpm: null,
  makerFeePpm: 0,
};
const contractOrder = {
  kind: 'place_contract_order',
  ...owner,
  force: 'post_only',
  sizeLots: lots(MOST),
  clientOrderId: NAME,
  takeProfitTicks: undefined,
  stopLossTicks: undefined,
} as const;
const contractLimit = { ...contractOrder, type: 'limit', priceTicks: ticks(MOST) } as const;
const spotOrder = {
  kind: 'place_spot_order',
  ...owner,
  side: 'sell',
  type: 'limit',
  force: 'fok',
  priceTicks: ticks(MOST),
  sizeLots: lots(MOST),
  clientOrderId: NAME,
} as const;
const market = {
  kind: 'place_spot_order',
  ...owner,
  type: 'market',
  force: 'ioc',
  clientOrderId: undefined,
} as const;
const trigger = {
  kind: 'place_trigger_order',
  ...owner,
  action: 'close_short',
  sizeLots: lots(3),
  triggerTicks: ticks(MOST),
} as const;

type Samples = {
  readonly [Kind in CommandKind]: readonly Extract<Command, { readonly kind: Kind }>[];
};

const SAMPLES: Samples = {
  place_spot_order: [
    spotOrder,
    { ...market, side: 'buy', quoteBudget: AMOUNT },
    { ...market, side: 'sell', sizeLots: lots(MOST) },
    { ...market, side: 'buy', sizeLots: lots(MOST) },
    { ...spotOrder, force: 'gtc', clientOrderId: undefined },
  ],
  cancel_spot_order: [{ kind: 'cancel_spot_order', ...order }],
  cancel_all_spot_orders: [{ kind: 'cancel_all_spot_orders', accountId: owner.accountId }],
  create_account: [{ kind: 'create_account', settings }],
  update_account: [
    { kind: 'update_account', accountId: owner.accountId, changes: settings },
    { kind: 'update_account', accountId: owner.accountId, changes: { takerFeePpm: null } },
  ],
  create_key: [
    {
      kind: 'create_key',
      record: {
        key: NAME,
        accountId: owner.accountId,
        label: '',
        permissions: ['read', 'trade', 'transfer'],
        ipAllowList: ['::1', '10.0.0.0/8'],
        sealed: 'sealed',
      },
    },
    {
      kind: 'create_key',
      record: {
        key: NAME,
        accountId: owner.accountId,
        label: '',
        permissions: ['read'],
        ipAllowList: [],
        sealed: 'sealed',
        publicKey: '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
        expiresTimeMs: 1_795_235_652_453,
      },
    },
  ],
  revoke_key: [{ kind: 'revoke_key', key: NAME }],
  update_asset: [
    { kind: 'update_asset', assetId: assetId(1), changes: { transferable: false } },
    { kind: 'update_asset', assetId: assetId(1), changes: { chains: [] } },
  ],
  list_asset: [
    {
      kind: 'list_asset',
      spec: {
        code: 'BTC',
        coinId: 1,
        scale: 8,
        transferable: false,
        chains: [],
        fundBudget: USUAL_FUND_BUDGET,
      },
    },
  ],
  list_spot: [
    {
      kind: 'list_spot',
      spec: {
        symbol: 'BTC-USDT',
        baseCode: 'BTC',
        quoteCode: 'USDT',
        priceScale: 2,
        quantityScale: 4,
        minLots: lots(1),
        maxLots: lots(MOST),
        minNotional: AMOUNT,
        takerFeePpm: 1,
        makerFeePpm: -1,
        status: 'online',
        referencePriceTicks: ticks(0),
        priceBandPpm: 0,
      },
    },
  ],
  update_spot: [
    { kind: 'update_spot', instrumentId: owner.instrumentId, changes: { minNotional: AMOUNT } },
  ],
  list_contract: [{ kind: 'list_contract', spec: INVERSE }],
  update_contract: [
    { kind: 'update_contract', instrumentId: owner.instrumentId, changes: TERMS },
    {
      kind: 'update_contract',
      instrumentId: owner.instrumentId,
      changes: { indexSources: [{ kind: 'spot', symbol: 'BTC-USDT', weight: 2 }] },
    },
  ],
  suspend_instrument: [
    {
      kind: 'suspend_instrument',
      instrumentId: owner.instrumentId,
      reason: { command: NAME, failuresCount: 1, message: NAME },
    },
    {
      kind: 'suspend_instrument',
      instrumentId: owner.instrumentId,
      reason: { command: 'tick', failuresCount: 2, message: NAME },
    },
  ],
  place_contract_order: [
    ...CONTRACT_ACTIONS.map((action) => ({ ...contractLimit, action })),
    { ...contractOrder, action: 'open_long', type: 'market', force: 'ioc' },
    { ...contractLimit, action: 'open_long', force: 'gtc', takeProfitTicks: ticks(MOST) },
    { ...contractLimit, action: 'open_short', force: 'fok', stopLossTicks: ticks(MOST) },
    { ...contractLimit, action: 'open_short', takeProfitTicks: ticks(1), stopLossTicks: ticks(2) },
    { ...contractLimit, action: 'close_long', clientOrderId: undefined },
    {
      ...contractLimit,
      action: 'open_long',
      takeProfitTicks: ticks(1),
      takeProfitWorking: 'mark',
    },
    {
      ...contractLimit,
      action: 'open_short',
      takeProfitTicks: ticks(1),
      stopLossTicks: ticks(2),
      takeProfitWorking: 'last',
      stopLossWorking: 'mark',
    },
  ],
  move_spot_order: [
    { kind: 'move_spot_order', ...order, priceTicks: ticks(MOST), sizeLots: lots(MOST) },
  ],
  move_contract_order: [
    { kind: 'move_contract_order', ...order, priceTicks: ticks(MOST), sizeLots: lots(MOST) },
  ],
  cancel_contract_order: [{ kind: 'cancel_contract_order', ...order }],
  cancel_all_contract_orders: [{ kind: 'cancel_all_contract_orders', accountId: accountId(1) }],
  place_trigger_order: [
    { ...trigger, type: 'market' },
    { ...trigger, type: 'limit', executeTicks: ticks(5), clientOrderId: NAME },
    { ...trigger, type: 'market', workingPrice: 'mark', direction: 'fall' },
    { ...trigger, type: 'market', workingPrice: 'index' },
    { ...trigger, type: 'market', action: 'open_long', takeProfitTicks: ticks(9) },
  ],
  place_tp_sl: [
    {
      kind: 'place_tp_sl',
      ...owner,
      type: 'limit',
      executeTicks: ticks(5),
      side: 'short',
      purpose: 'stop_loss',
      triggerTicks: ticks(MOST),
      workingPrice: 'mark',
      sizeLots: lots(0),
      clientOrderId: NAME,
    },
  ],
  modify_tp_sl: [
    { kind: 'modify_tp_sl', ...order, triggerTicks: ticks(7), execution: { type: 'market' } },
    { kind: 'modify_tp_sl', ...order, triggerTicks: ticks(7), workingPrice: 'last' },
  ],
  modify_trigger_order: [
    { kind: 'modify_trigger_order', ...order, triggerTicks: ticks(7), workingPrice: 'index' },
    {
      kind: 'modify_trigger_order',
      ...order,
      triggerTicks: ticks(MOST),
      execution: { type: 'limit', executeTicks: ticks(5) },
      sizeLots: lots(0),
    },
  ],
  close_position: [
    { kind: 'close_position', ...owner, side: 'long' },
    { kind: 'close_position', ...owner, side: 'short', reverses: true },
  ],
  cancel_trigger_order: [{ kind: 'cancel_trigger_order', ...order }],
  set_leverage: [
    { kind: 'set_leverage', ...owner, side: 'both', leverage: 100 },
    { kind: 'set_leverage', ...owner, side: 'short', leverage: 1 },
    { kind: 'set_leverage', ...owner, side: 'short', leverage: 1, mode: 'isolated' },
    {
      kind: 'set_leverage',
      ...owner,
      side: 'both',
      leverage: 9,
      mode: 'cross',
      others: [{ side: 'long', leverage: 3, mode: 'isolated' }],
    },
  ],
  adjust_margin: [
    { kind: 'adjust_margin', ...owner, side: 'long', delta: AMOUNT },
    { kind: 'adjust_margin', ...owner, side: 'short', delta: -AMOUNT },
  ],
  set_auto_margin: [{ kind: 'set_auto_margin', ...owner, side: 'short', automatic: true }],
  set_margin_mode: [
    { kind: 'set_margin_mode', ...owner, mode: 'cross' },
    { kind: 'set_margin_mode', ...owner, mode: 'isolated', leverages: 'stored', isSeparated: true },
  ],
  report_index: [
    { kind: 'report_index', instrumentId: owner.instrumentId, source: NAME, priceTicks: ticks(0) },
  ],
  settle_funding: [{ kind: 'settle_funding', untilMs: MOST }],
  tick: [{ kind: 'tick' }],
  continue_work: [{ kind: 'continue_work' }],
  fund_insurance: [
    { kind: 'fund_insurance', assetId: money.assetId, amount: AMOUNT },
    { kind: 'fund_insurance', assetId: money.assetId, amount: AMOUNT, operatorOid: NAME },
  ],
  deposit: [
    { kind: 'deposit', ...money, wallet: 'BTC-USD-PERP' },
    { kind: 'deposit', ...money, wallet: 'BTC-USD-PERP', operatorOid: NAME },
  ],
  withdraw: [
    { kind: 'withdraw', ...money, wallet: 'spot' },
    { kind: 'withdraw', ...money, wallet: 'spot', operatorOid: NAME },
    { kind: 'withdraw', ...money, wallet: 'spot', holder: NAME },
  ],
  set_lock: [{ kind: 'set_lock', ...money }],
  hold_money: [
    { kind: 'hold_money', accountId: accountId(MOST), holder: NAME, isHeld: true },
    { kind: 'hold_money', accountId: accountId(MOST), holder: NAME, isHeld: false },
  ],
  transfer: [
    { kind: 'transfer', ...money, from: 'BTC-USD-PERP', to: 'spot', clientOid: NAME },
    { kind: 'transfer', ...money, from: 'BTC-USD-PERP', to: 'spot', operatorOid: NAME },
  ],
  transfer_between_accounts: [
    { kind: 'transfer_between_accounts', ...money, toAccountId: accountId(MOST) },
  ],
  set_clock: [{ kind: 'set_clock', speedPermille: 0 }],
  save_checkpoint: [{ kind: 'save_checkpoint', name: NAME }],
  reset_to_checkpoint: [{ kind: 'reset_to_checkpoint', name: NAME }],
  drop_checkpoint: [{ kind: 'drop_checkpoint', name: NAME }],
  add_fault: [
    {
      kind: 'add_fault',
      rule: {
        label: NAME,
        key: '',
        target: 'swap depth',
        effect: { kind: 'latency', ms: 5, jitterMs: 0 },
        probabilityPpm: 1_000_000,
        skipCount: 0,
        hitsMax: 0,
        seed: MOST,
      },
    },
  ],
  remove_faults: [{ kind: 'remove_faults', faultId: 0 }],
};

for (const [kind, samples] of Object.entries<readonly Command[]>(SAMPLES)) {
  test(`${kind} comes back from the journal as it went in`, () => {
    const texts = samples.map((command) => encodeCommand(TIME_MS, command));
    const expected = samples.map((command) => ({ timeMs: TIME_MS, command }));
    assert.deepEqual(decodeEntry(joinCommands(texts)), expected);
  });
}

test('what an order does not have is zero in a journal', () => {
  const texts = ['[9,1,7,2,0,1,3,0,0,"50",""]', '[9,3,7,2,0,1,3,0,4,""]'];
  const ids = { accountId: 7, instrumentId: 2, clientOrderId: undefined, type: 'market' };
  assert.deepEqual(
    decodeEntry(joinCommands(texts)).map(({ command }) => command),
    [
      { ...ids, kind: 'place_spot_order', side: 'buy', force: 'ioc', quoteBudget: 50n },
      {
        ...ids,
        kind: 'place_contract_order',
        action: 'open_long',
        force: 'ioc',
        sizeLots: 4,
        takeProfitTicks: undefined,
        stopLossTicks: undefined,
      },
    ],
  );
});

const CLIENT_ID = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '\\\\', '",1', '],\n[', '0', '""]'),
);
const ANY_COMMAND: fc.Arbitrary<Command> = fc.oneof(
  fc
    .option(CLIENT_ID, { nil: undefined })
    .map((clientOrderId) => ({ ...spotOrder, clientOrderId })),
  CLIENT_ID.map(
    (clientOrderId) => ({ ...contractLimit, action: 'open_long', clientOrderId }) as const,
  ),
  CLIENT_ID.map((clientOrderId) => ({ ...trigger, type: 'market', clientOrderId }) as const),
  fc.constantFrom<Command>(
    { kind: 'cancel_spot_order', ...order },
    { kind: 'move_spot_order', ...order, priceTicks: ticks(0), sizeLots: lots(1) },
    { kind: 'tick' },
  ),
);

test('any client id leaves its own command and those around it as they were', () => {
  const entries = fc.array(ANY_COMMAND, { maxLength: 6 });
  fc.assert(
    fc.property(entries, fc.maxSafeInteger(), (commands, at) => {
      const timeMs = Math.abs(at);
      const text = joinCommands(commands.map((command) => encodeCommand(timeMs, command)));
      const expected = commands.map((command) => ({ timeMs, command }));
      assert.deepEqual(decodeEntry(text), expected);
    }),
    { numRuns: 1_000 },
  );
});

test('numbers in other forms are read as JSON has them', () => {
  const rows = '[-1,5],\n[1.5,5],\n[1e3,5],\n[123456789012345678,5]';
  const times = decodeEntry(`[${rows}]`).map(({ timeMs }) => timeMs);
  assert.deepEqual(times, [-1, 1.5, 1_000, 123_456_789_012_345_680]);
});

test('commands that have no lines of their own are not what was written', () => {
  assert.deepEqual(decodeEntry('[]'), []);
  assert.throws(() => decodeEntry('[[1,5],[2,5]]'), /a line of its own/);
});
