/** A small venue for engine tests: three coins, two pairs, accounts with round balances. */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  type AccountId,
  type Command,
  type Event,
  type Force,
  type InstrumentId,
  instrumentId,
  LIMITS,
  lots,
  type OrderId,
  RULES_VERSION,
  type Rules,
  type Side,
  type SpotSpec,
  type Step,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { parseDecimal, present } from '#kernel';
import { LINEAR } from './contracts.ts';
import { spotOrder } from './orders.ts';
import { accountSettings, assetSpec, pairSpec } from './terms.ts';

export const START_MS = 1_795_235_652_000;

export const BTCUSDT = instrumentId(0);
export const ETHUSDT = instrumentId(1);

export interface OrderOptions {
  readonly instrument?: InstrumentId;
  readonly force?: Force;
  readonly clientOrderId?: string;
}

export class TestVenue {
  readonly engine: Engine;
  /** Under which commands are applied: this release's, but for tests of what others left. */
  rules: Rules = RULES_VERSION;
  readonly commands: { readonly command: Command; readonly timeMs: number }[] = [];
  readonly steps: Step[] = [];
  #timeMs = START_MS;

  constructor(engine = Engine.empty()) {
    this.engine = engine;
  }

  /** A venue with USDT, BTC and ETH and no market. */
  static withCoins(): TestVenue {
    const venue = new TestVenue();
    venue.run({ kind: 'list_asset', spec: assetSpec(2, 'USDT') });
    venue.run({ kind: 'list_asset', spec: assetSpec(1, 'BTC') });
    venue.run({ kind: 'list_asset', spec: assetSpec(3, 'ETH') });
    return venue;
  }

  /** A venue with USDT, BTC and ETH, two pairs and one contract. */
  static listed(terms: Partial<SpotSpec> = {}): TestVenue {
    const venue = TestVenue.withCoins();
    venue.run({ kind: 'list_spot', spec: pairSpec('BTC', 'USDT', terms) });
    venue.run({ kind: 'list_spot', spec: pairSpec('ETH', 'USDT', terms) });
    venue.run({ kind: 'list_contract', spec: LINEAR });
    return venue;
  }

  /** Lets time pass before the next command. */
  wait(deltaMs: number): void {
    this.#timeMs += deltaMs;
  }

  run(command: Command): readonly Event[] {
    this.#timeMs += 1;
    this.commands.push({ command, timeMs: this.#timeMs });
    const step = this.engine.apply(command, this.#timeMs, this.rules);
    this.steps.push(step);
    return step.events;
  }

  /** Opens an account and gives it coins, written as in { USDT: '1000' }. */
  open(name: string, coins: Readonly<Record<string, string>> = {}): AccountId {
    const settings = accountSettings(name, { openOrdersMax: LIMITS.accountOpenOrdersMax });
    const [event] = this.run({ kind: 'create_account', settings });
    assert.equal(event?.kind, 'account_created');
    const { accountId } = present(this.engine.accountByName(name), name);
    for (const [code, amount] of Object.entries(coins)) this.deposit(accountId, code, amount);
    return accountId;
  }

  deposit(accountId: AccountId, code: string, amount: string): void {
    const { assetId } = present(this.engine.listings.assetByCode(code), code);
    const command = { kind: 'deposit', accountId, wallet: 'spot', assetId } as const;
    const events = this.run({ ...command, amount: amountOf(amount) });
    assert.equal(events[0]?.kind, 'balance_changed');
  }

  limit(
    accountId: AccountId,
    side: Side,
    price: string,
    quantity: string,
    options: OrderOptions = {},
  ): readonly Event[] {
    return this.run(
      spotOrder({
        accountId,
        instrumentId: options.instrument ?? BTCUSDT,
        side,
        force: options.force ?? 'gtc',
        priceTicks: ticks(scaled(price, 2)),
        sizeLots: lots(scaled(quantity, 4)),
        clientOrderId: options.clientOrderId ?? '',
      }),
    );
  }

  /** A market order; the quantity of a buy is what it spends in quote. */
  market(accountId: AccountId, side: Side, quantity: string): readonly Event[] {
    const facts = { kind: 'place_spot_order', accountId, instrumentId: BTCUSDT } as const;
    const market = { ...facts, type: 'market', force: 'gtc', clientOrderId: '' } as const;
    return side === 'buy'
      ? this.run({ ...market, side, quoteBudget: amountOf(quantity) })
      : this.run({ ...market, side, sizeLots: lots(scaled(quantity, 4)) });
  }

  /** A market order to buy this much of the base coin. */
  marketBuy(accountId: AccountId, quantity: string): readonly Event[] {
    const facts = { kind: 'place_spot_order', accountId, instrumentId: BTCUSDT } as const;
    const terms = { type: 'market', side: 'buy', force: 'gtc', clientOrderId: '' } as const;
    return this.run({ ...facts, ...terms, sizeLots: lots(scaled(quantity, 4)) });
  }

  /** Another price and size for a resting order; the size is that of the whole order. */
  move(accountId: AccountId, id: OrderId, price: string, quantity: string): readonly Event[] {
    return this.run({
      kind: 'move_spot_order',
      accountId,
      instrumentId: BTCUSDT,
      orderId: id,
      priceTicks: ticks(scaled(price, 2)),
      sizeLots: lots(scaled(quantity, 4)),
    });
  }

  cancel(accountId: AccountId, id: OrderId, instrument = BTCUSDT): readonly Event[] {
    return this.run({
      kind: 'cancel_spot_order',
      accountId,
      instrumentId: instrument,
      orderId: id,
    });
  }

  /** Hash of the whole state but its command counter and clock, which refusals move too. */
  stateHash(): string {
    const rows = [...this.engine.dump()];
    const [, , , , lastId] = JSON.parse(present(rows[0], 'header row'));
    return createHash('sha256')
      .update(`${lastId}\n${rows.slice(1).join('\n')}`)
      .digest('hex');
  }
}

/** A decimal as an integer at the given scale. */
function scaled(text: string, scale: number): number {
  const value = parseDecimal(text, scale);
  assert.equal(typeof value, 'bigint', `${text} at scale ${scale}`);
  return Number(value);
}

/** A coin amount in ledger units (scale 8). */
export function amountOf(text: string): bigint {
  const value = parseDecimal(text, 8);
  if (typeof value !== 'bigint') throw new Error(`${text} is no amount: ${value}`);
  return value;
}

/** The id of the order these events accepted. */
export function acceptedId(events: readonly Event[]): OrderId {
  const [first] = events;
  assert.equal(first?.kind, 'order_accepted', first?.kind === 'refused' ? first.reject : '');
  if (first?.kind !== 'order_accepted') throw new Error('not accepted');
  return first.orderId;
}
