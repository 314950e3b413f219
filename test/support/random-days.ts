/**
 * Random days on a real engine: two pairs, a linear and an inverse contract, and four accounts that
 * trade, plan, get liquidated and deleverage each other.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type AccountSettings,
  accountId,
  CONTRACT_ACTIONS,
  type Command,
  type ContractSpec,
  type InstrumentId,
  instrumentId,
  lots,
  type OrderId,
  type OrderType,
  SELF_TRADE_PREVENTIONS,
  type Side,
  type Step,
  type TimedCommand,
  ticks,
  type Wallet,
  type WorkingPrice,
} from '#domain';
import { Engine } from '#engine';
import { INVERSE, LINEAR } from './contracts.ts';
import { at, coin, HOUR_MS, MINUTE_MS } from './tape.ts';
import { accountSettings, pairSpec } from './terms.ts';

/** In the order of listing: their ids are of one sequence. */
const PAIRS = [instrumentId(0), instrumentId(2)];
export const CONTRACTS = [instrumentId(1), instrumentId(3)];
export const MARKETS = [...PAIRS, ...CONTRACTS];
export const SIDES: readonly Side[] = ['buy', 'sell'];
const WALLETS: readonly Wallet[] = ['BTC-USDT-PERP', 'BTC-USD-PERP'];
/** Ticks around which everything happens, so that a tick is one percent. */
const PRICE_TICKS = 100;
const TERMS = { maxLots: lots(1_000), makerFeePpm: 500 };

function contract(spec: ContractSpec): ContractSpec {
  return { ...spec, priceStepTicks: ticks(1), referencePriceTicks: ticks(PRICE_TICKS) };
}

/** Every other one has a wallet per coin. */
function account(index: number): AccountSettings {
  const selfTradePrevention = SELF_TRADE_PREVENTIONS[index] ?? 'none';
  const wallets = index % 2 === 0 ? 'coin' : 'contract';
  return accountSettings(`trader-${index}`, { selfTradePrevention, wallets });
}

/** Lists everything and opens an account with money for each kind of self-trade prevention. */
export function opening(): Command[] {
  const coins = (['USDT', 'BTC', 'EUR', 'ETH'] as const).map((code) => coin(code));
  const accounts = SELF_TRADE_PREVENTIONS.map((_, index) => account(index));
  return [
    ...coins.map((asset): Command => ({ kind: 'list_asset', spec: asset })),
    { kind: 'list_spot', spec: pairSpec('BTC', 'USDT', TERMS) },
    { kind: 'list_contract', spec: contract(LINEAR) },
    { kind: 'list_spot', spec: pairSpec('ETH', 'USDT', TERMS) },
    { kind: 'list_contract', spec: contract(INVERSE) },
    ...accounts.map((settings): Command => ({ kind: 'create_account', settings })),
    ...accounts.flatMap((_, index) => [
      ...coins.map((asset) => deposit(index, 'spot', asset.assetId)),
      deposit(index, 'BTC-USDT-PERP', coin('USDT').assetId),
      deposit(index, 'BTC-USD-PERP', coin('BTC').assetId),
    ]),
  ];
}

function deposit(
  index: number,
  wallet: Wallet,
  asset: ReturnType<typeof coin>['assetId'],
): Command {
  const amount = WALLETS.includes(wallet) ? 10n ** 9n : 10n ** 14n;
  return { kind: 'deposit', accountId: accountId(index + 1), wallet, assetId: asset, amount };
}

const priceTicks = fc.integer({ min: 95, max: 105 }).map(ticks);
const force = fc.constantFrom('gtc', 'gtc', 'gtc', 'post_only', 'fok', 'ioc');
const order = {
  accountId: fc.integer({ min: 1, max: 4 }).map(accountId),
  sizeLots: fc.integer({ min: 1, max: 30 }).map(lots),
  clientOrderId: fc.constant(undefined),
};
const spotOrder = fc.record({
  ...order,
  kind: fc.constant('place_spot_order' as const),
  instrumentId: fc.constantFrom(...PAIRS),
  side: fc.constantFrom(...SIDES),
  force,
  priceTicks,
});
/** Only what was opened can be closed. */
const ACTIONS = [
  'open_long',
  'open_short',
  'open_long',
  'open_short',
  ...CONTRACT_ACTIONS,
] as const;
const contractOrder = fc.record({
  ...order,
  kind: fc.constant('place_contract_order' as const),
  instrumentId: fc.constantFrom(...CONTRACTS),
  action: fc.constantFrom(...ACTIONS),
  type: fc.constantFrom<OrderType>('limit', 'limit', 'limit', 'market'),
  force,
  priceTicks,
  takeProfitTicks: fc.constantFrom(undefined, undefined, undefined, ticks(107)),
  stopLossTicks: fc.constantFrom(undefined, undefined, undefined, ticks(93)),
});
const triggerOrder = fc.record({
  ...order,
  kind: fc.constant('place_trigger_order' as const),
  instrumentId: fc.constantFrom(...CONTRACTS),
  action: fc.constantFrom(...CONTRACT_ACTIONS),
  type: fc.constant('market' as const),
  triggerTicks: priceTicks,
  workingPrice: fc.constantFrom<WorkingPrice | undefined>(undefined, 'last', 'mark', 'index'),
  takeProfitTicks: fc.constantFrom(undefined, undefined, undefined, ticks(107)),
  takeProfitWorking: fc.constantFrom<WorkingPrice | undefined>(undefined, 'mark', 'index'),
});
const report = fc.record({
  kind: fc.constant('report_index' as const),
  instrumentId: fc.constantFrom(...CONTRACTS),
  source: fc.constant('test'),
  priceTicks: fc.integer({ min: 88, max: 112 }).map(ticks),
});

function spotMarket(one: typeof spotOrder extends fc.Arbitrary<infer O> ? O : never): Command {
  const { side, priceTicks: _price, sizeLots, ...facts } = one;
  const market = { ...facts, type: 'market', force: 'ioc' } as const;
  if (side === 'sell') return { ...market, side, sizeLots };
  if (sizeLots % 2 === 0) return { ...market, side, sizeLots };
  return { ...market, side, quoteBudget: BigInt(sizeLots) * 10_000n };
}

const command = fc.oneof(
  {
    weight: 25,
    arbitrary: spotOrder.map((one): Command => ({ ...one, type: 'limit' })),
  },
  { weight: 4, arbitrary: spotOrder.map(spotMarket) },
  {
    weight: 50,
    arbitrary: contractOrder.map(({ type, priceTicks: price, ...one }): Command => {
      return type === 'market' ? { ...one, type } : { ...one, type, priceTicks: price };
    }),
  },
  { weight: 5, arbitrary: triggerOrder.map((one): Command => one) },
  { weight: 4, arbitrary: report.map((one): Command => one) },
  { weight: 4, arbitrary: fc.constant<Command>({ kind: 'tick' }) },
  {
    weight: 1,
    arbitrary: order.accountId.chain((id) =>
      fc.constantFrom<Command>(
        { kind: 'cancel_all_spot_orders', accountId: id },
        { kind: 'cancel_all_contract_orders', accountId: id },
      ),
    ),
  },
);

const move = fc.record({
  waitMs: fc.constantFrom(0, 0, 1, 20_000, MINUTE_MS, HOUR_MS, 13 * HOUR_MS),
  command,
  /** Cancels or moves one of the account's open orders instead, when there is one. */
  change: fc.constantFrom('cancel', 'move', 'none', 'none', 'none', 'none', 'none', 'none'),
  shift: fc.record({
    ticks: fc.integer({ min: -2, max: 2 }),
    lots: fc.integer({ min: -3, max: 3 }),
  }),
});
export type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

/** What a day consists of. */
export const moves = fc.array(move, { minLength: 80, maxLength: 250, size: 'max' });

/** Days begin some hours before a leap day. */
export const DAY_START_MS = at('2024-02-28 20:00');

/** An engine and everything it did. */
export class RandomDay {
  readonly engine = Engine.empty();
  readonly steps: Step[] = [];
  timeMs = DAY_START_MS;
  readonly #onStep: (step: Step) => void;

  constructor(onStep: (step: Step) => void = () => {}) {
    this.#onStep = onStep;
    for (const command of opening()) {
      assert.notEqual(this.run(command).events[0]?.kind, 'refused', command.kind);
    }
  }

  run(command: Command): Step {
    return this.#apply({ command, timeMs: this.timeMs });
  }

  /** Its steps: settlements that are due come before it. */
  play(one: Move, index: number): readonly Step[] {
    this.timeMs += one.waitMs;
    const timed = { command: commandOf(this.engine, one, index), timeMs: this.timeMs };
    const from = this.steps.length;
    for (let due = this.engine.dueBefore(timed); due; due = this.engine.dueBefore(timed)) {
      this.#apply(due);
    }
    this.#apply(timed);
    return this.steps.slice(from);
  }

  #apply({ command, timeMs }: TimedCommand): Step {
    const step = this.engine.apply(command, timeMs);
    this.steps.push(step);
    this.#onStep(step);
    return step;
  }
}

/** The command of a move, or the change of an order that it asks for. */
export function commandOf(engine: Engine, move: Move, pick: number): Command {
  const { command: asked, change } = move;
  return (change === 'none' ? undefined : changeOf(engine, move, pick)) ?? asked;
}

function changeOf(engine: Engine, { change, shift }: Move, pick: number): Command | undefined {
  const owner = accountId((pick % 4) + 1);
  const market = MARKETS[pick % MARKETS.length] ?? instrumentId(0);
  const ids = (found: { readonly instrumentId: InstrumentId; readonly orderId: OrderId }) => ({
    accountId: owner,
    instrumentId: found.instrumentId,
    orderId: found.orderId,
  });
  if (PAIRS.includes(market)) {
    const [found] = engine.openOrders(owner);
    if (found === undefined || change === 'cancel') {
      return found && { kind: 'cancel_spot_order', ...ids(found) };
    }
    return found.type === 'market'
      ? undefined
      : { kind: 'move_spot_order', ...ids(found), ...shifted(found, shift) };
  }
  const [found] = engine.openContractOrders(owner, market);
  if (found === undefined || change === 'cancel') {
    return found && { kind: 'cancel_contract_order', ...ids(found) };
  }
  return found.type === 'market'
    ? undefined
    : { kind: 'move_contract_order', ...ids(found), ...shifted(found, shift) };
}

function shifted(
  { priceTicks: price, sizeLots }: { readonly priceTicks: number; readonly sizeLots: number },
  shift: Move['shift'],
) {
  return {
    priceTicks: ticks(price + shift.ticks),
    sizeLots: lots(Math.max(0, sizeLots + shift.lots)),
  };
}
