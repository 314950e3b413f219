/** A venue with some of everything, and for every kind of command one that it carries out. */
import {
  type Command,
  type CommandKind,
  type ContractOrderView,
  type InstrumentId,
  instrumentId,
  lots,
  type OpenOrderView,
  type OrderId,
  orderId,
  type TriggerOrderView,
  ticks,
} from '#domain';
import { present } from '#kernel';
import { INVERSE, TERMS } from '../support/contracts.ts';
import { amountOf, BTCUSDT, ETHUSDT, Floor, refuseNone } from '../support/floor.ts';
import { contractOrder, spotOrder, triggerOrder } from '../support/orders.ts';
import { accountSettings, assetSpec, pairSpec } from '../support/terms.ts';

const LINEAR_ID = instrumentId(2);
const INVERSE_ID = instrumentId(3);
const CHAIN = {
  chain: 'CHAIN',
  needTag: true,
  withdrawable: true,
  rechargeable: false,
  withdrawFee: '0.5',
  depositConfirm: 1,
  withdrawConfirm: 2,
  minDepositAmount: '1',
  minWithdrawAmount: '2',
  browserUrl: '',
} as const;
/** More orders than one command cancels. */
export const MANY = 450;

/**
 * One with holders, resting and filled orders, presets, plans, keys and what a sandbox keeps; one
 * account has this many orders.
 */
export function busyVenue(ordersCount: number): Floor {
  const venue = Floor.listed({}, { checks: false });
  venue.listContract(INVERSE);
  for (const name of ['ann', 'bob']) openTrader(venue, name, 'contract');
  for (const name of ['cora', 'dan']) openTrader(venue, name, 'coin');
  openTrader(venue, 'many', 'contract');
  for (let at = 0; at < ordersCount; at += 1) refuseNone(venue.limit('many', 'buy', 90 + at, 1));
  for (const [who, other] of [
    ['ann', 'bob'],
    ['cora', 'dan'],
  ] as const) {
    trade(venue, who, other);
  }
  sandbox(venue);
  return venue;
}

function openTrader(venue: Floor, name: string, wallets: 'contract' | 'coin'): void {
  venue.open(name, { USDT: '500000', BTC: '50', ETH: '50' }, { wallets });
  venue.fund(name, '100000');
  venue.fund(name, '20', INVERSE.symbol);
}

function trade(venue: Floor, who: string, other: string): void {
  refuseNone(venue.limit(who, 'sell', '31000', '2', { clientOrderId: 'mine' }));
  refuseNone(venue.limit(other, 'buy', '31000', '0.5', { clientOrderId: 'gone' }));
  refuseNone(venue.limit(who, 'buy', '29000', '1'));
  for (const on of [undefined, INVERSE.symbol]) {
    const options = on === undefined ? {} : { on };
    venue.trade(who, other, '30000', 60, on);
    refuseNone(venue.order(other, 'open_short', '30000', 9, options));
    refuseNone(venue.order(who, 'open_long', '30000', 4, { ...options, takeProfit: '31000' }));
    refuseNone(venue.order(who, 'open_long', '29000', 7, { ...options, stopLoss: '28000' }));
    refuseNone(
      venue.order(who, 'open_long', '29500', 3, { ...options, clientOrderId: `own-${on ?? ''}` }),
    );
    refuseNone(venue.order(who, 'close_long', '31500', 5, options));
    refuseNone(venue.trigger(who, 'open_long', '32000', '32000', 2, options));
  }
}

function sandbox(venue: Floor): void {
  refuseNone(venue.run({ kind: 'save_checkpoint', name: 'kept' }));
  refuseNone(venue.run(CASES.create_key(venue)));
  refuseNone(venue.run(CASES.add_fault(venue)));
  refuseNone(venue.run(CASES.report_index(venue)));
  refuseNone(venue.run(CASES.fund_insurance(venue)));
  refuseNone(venue.run(CASES.set_lock(venue)));
}

function owner(venue: Floor, on: InstrumentId = LINEAR_ID, who = 'ann') {
  return { accountId: venue.id(who), instrumentId: on };
}

function order(venue: Floor, on: InstrumentId = LINEAR_ID, who = 'ann') {
  const [first] = contractOrders(venue, on, who);
  return { ...owner(venue, on, who), orderId: idOf(first) };
}

function contractOrders(venue: Floor, on: InstrumentId, who: string): ContractOrderView[] {
  return [...venue.engine.openContractOrders(venue.id(who), on)];
}

function triggers(venue: Floor, who = 'ann'): TriggerOrderView[] {
  return [...venue.engine.waitingTriggers(venue.id(who), LINEAR_ID)];
}

function spotOrders(venue: Floor, who = 'ann'): OpenOrderView[] {
  return [...venue.engine.openOrders(venue.id(who))];
}

/** That of an order that is not there, when there is none. */
function idOf(found: { readonly orderId: OrderId } | undefined): OrderId {
  return found?.orderId ?? orderId(1);
}

function money(venue: Floor, amount = '1.5', code = 'USDT') {
  const { assetId } = present(venue.engine.listings.assetByCode(code), code);
  return { accountId: venue.id('ann'), assetId, amount: amountOf(amount) };
}

/** What has not been there before, in a name. */
function fresh(venue: Floor): string {
  return `n${venue.commands.length}`;
}

type Cases = {
  readonly [Kind in CommandKind]: (venue: Floor) => Extract<Command, { readonly kind: Kind }>;
};

export const CASES: Cases = {
  place_spot_order: (venue) =>
    spotOrder({
      ...owner(venue, BTCUSDT, 'bob'),
      side: 'buy',
      priceTicks: ticks(3_100_000),
      sizeLots: lots(3_000),
      clientOrderId: fresh(venue),
    }),
  cancel_spot_order: (venue) => ({
    kind: 'cancel_spot_order',
    ...owner(venue, BTCUSDT),
    orderId: idOf(spotOrders(venue).at(-1)),
  }),
  move_spot_order: (venue) => ({
    kind: 'move_spot_order',
    ...owner(venue, BTCUSDT),
    orderId: idOf(spotOrders(venue)[0]),
    priceTicks: ticks(2_950_000),
    sizeLots: lots(20_000),
  }),
  cancel_all_spot_orders: (venue) => ({
    kind: 'cancel_all_spot_orders',
    accountId: venue.id('many'),
  }),
  create_account: (venue) => ({
    kind: 'create_account',
    settings: accountSettings(fresh(venue)),
  }),
  update_account: (venue) => ({
    kind: 'update_account',
    accountId: venue.id('ann'),
    changes: { takerFeePpm: 77 },
  }),
  create_key: (venue) => ({
    kind: 'create_key',
    record: {
      key: `key-${fresh(venue)}`,
      accountId: venue.id('ann'),
      label: '',
      permissions: ['read'],
      ipAllowList: ['10.0.0.0/8'],
      sealed: 'sealed',
    },
  }),
  revoke_key: (venue) => ({
    kind: 'revoke_key',
    key: [...venue.engine.keys()][0]?.key ?? 'none',
  }),
  list_asset: (venue) => ({
    kind: 'list_asset',
    spec: { ...assetSpec(venue.commands.length, fresh(venue).toUpperCase()), chains: [CHAIN] },
  }),
  update_asset: (venue) => ({
    kind: 'update_asset',
    assetId: money(venue).assetId,
    changes: { transferable: true, chains: [{ ...CHAIN, chain: fresh(venue) }] },
  }),
  list_spot: () => ({ kind: 'list_spot', spec: pairSpec('ETH', 'BTC', { priceScale: 4 }) }),
  update_spot: (venue) => ({
    kind: 'update_spot',
    instrumentId: BTCUSDT,
    changes: { takerFeePpm: 1 + venue.commands.length },
  }),
  list_contract: (venue) => ({
    kind: 'list_contract',
    spec: { ...INVERSE, symbol: `${fresh(venue).toUpperCase()}-PERP` },
  }),
  update_contract: (venue) => ({
    kind: 'update_contract',
    instrumentId: LINEAR_ID,
    changes: { makerFeePpm: 1 + (venue.commands.length % 100), tiers: TERMS.tiers },
  }),
  suspend_instrument: () => ({
    kind: 'suspend_instrument',
    instrumentId: ETHUSDT,
    reason: { command: 'tick', failuresCount: 2, message: 'failed' },
  }),
  place_contract_order: (venue) =>
    contractOrder({
      ...owner(venue, LINEAR_ID, 'bob'),
      action: 'open_short',
      priceTicks: ticks(295_000),
      sizeLots: lots(5),
    }),
  cancel_contract_order: (venue) => ({
    kind: 'cancel_contract_order',
    ...order(venue, INVERSE_ID, 'cora'),
  }),
  move_contract_order: (venue) => ({
    kind: 'move_contract_order',
    ...owner(venue),
    orderId: idOf(
      contractOrders(venue, LINEAR_ID, 'ann').find(({ action }) => action === 'open_long'),
    ),
    priceTicks: ticks(294_000),
    sizeLots: lots(12),
  }),
  cancel_all_contract_orders: (venue) => ({
    kind: 'cancel_all_contract_orders',
    accountId: venue.id('cora'),
  }),
  place_trigger_order: (venue) =>
    triggerOrder({
      ...owner(venue),
      action: 'open_long',
      sizeLots: lots(2),
      triggerTicks: ticks(310_000),
      workingPrice: 'mark',
    }),
  cancel_trigger_order: (venue) => ({
    kind: 'cancel_trigger_order',
    ...owner(venue),
    orderId: idOf(triggers(venue).at(-1)),
  }),
  place_tp_sl: (venue) => ({
    kind: 'place_tp_sl',
    ...owner(venue),
    type: 'market',
    side: 'long',
    purpose: 'stop_loss',
    triggerTicks: ticks(270_000),
    workingPrice: 'mark',
    sizeLots: lots(2),
  }),
  modify_tp_sl: (venue) => ({
    kind: 'modify_tp_sl',
    ...owner(venue),
    orderId: idOf(triggers(venue).find(({ purpose }) => purpose === 'take_profit')),
    triggerTicks: ticks(321_000),
  }),
  modify_trigger_order: (venue) => ({
    kind: 'modify_trigger_order',
    ...owner(venue),
    orderId: idOf(triggers(venue).find(({ purpose }) => purpose === 'trigger')),
    triggerTicks: ticks(330_000),
    sizeLots: lots(3),
  }),
  close_position: (venue) => ({ kind: 'close_position', ...owner(venue), side: 'long' }),
  set_leverage: (venue) => ({
    kind: 'set_leverage',
    ...owner(venue, INVERSE_ID, 'bob'),
    side: 'long',
    leverage: 7,
    mode: 'cross',
  }),
  adjust_margin: (venue) => ({
    kind: 'adjust_margin',
    ...owner(venue),
    side: 'long',
    delta: amountOf('12.5'),
  }),
  set_auto_margin: (venue) => ({
    kind: 'set_auto_margin',
    ...owner(venue),
    side: 'long',
    automatic: !(venue.engine.marginAccount(venue.id('ann'), LINEAR_ID)?.long.autoAppend ?? false),
  }),
  set_margin_mode: (venue) => ({
    kind: 'set_margin_mode',
    ...owner(venue, LINEAR_ID, 'many'),
    mode: 'cross',
    leverages: 'stored',
  }),
  report_index: (venue) => ({
    kind: 'report_index',
    instrumentId: LINEAR_ID,
    source: 'test',
    priceTicks: ticks(299_000 + venue.commands.length),
  }),
  tick: () => ({ kind: 'tick' }),
  settle_funding: (venue) => {
    const untilMs = Math.max(venue.engine.fundingDueMs, venue.timeMs);
    venue.wait(untilMs - venue.timeMs);
    return { kind: 'settle_funding', untilMs };
  },
  continue_work: () => ({ kind: 'continue_work' }),
  fund_insurance: (venue) => {
    const { assetId, amount } = money(venue, '100');
    return { kind: 'fund_insurance', assetId, amount, operatorOid: fresh(venue) };
  },
  deposit: (venue) => ({
    kind: 'deposit',
    ...money(venue),
    wallet: 'BTC-USDT-PERP',
    operatorOid: fresh(venue),
  }),
  withdraw: (venue) => ({
    kind: 'withdraw',
    ...money(venue),
    wallet: 'spot',
    operatorOid: fresh(venue),
  }),
  hold_money: (venue) => ({
    kind: 'hold_money',
    accountId: venue.id('bob'),
    holder: 'a round',
    isHeld: true,
  }),
  set_lock: (venue) => ({ kind: 'set_lock', ...money(venue, '7') }),
  transfer: (venue) => ({
    kind: 'transfer',
    ...money(venue),
    from: 'BTC-USDT-PERP',
    to: 'spot',
    clientOid: fresh(venue),
    operatorOid: fresh(venue),
  }),
  transfer_between_accounts: (venue) => ({
    kind: 'transfer_between_accounts',
    ...money(venue),
    toAccountId: venue.id('bob'),
  }),
  set_clock: () => ({ kind: 'set_clock', speedPermille: 2_000 }),
  save_checkpoint: () => ({ kind: 'save_checkpoint', name: 'kept' }),
  reset_to_checkpoint: () => ({ kind: 'reset_to_checkpoint', name: 'kept' }),
  drop_checkpoint: () => ({ kind: 'drop_checkpoint', name: 'kept' }),
  add_fault: () => ({
    kind: 'add_fault',
    rule: {
      label: 'slow',
      key: '',
      target: '',
      effect: { kind: 'latency', ms: 5, jitterMs: 0 },
      probabilityPpm: 1_000_000,
      skipCount: 0,
      hitsMax: 0,
      seed: 3,
    },
  }),
  remove_faults: () => ({ kind: 'remove_faults', faultId: 0 }),
};
