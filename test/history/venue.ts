/** A real engine whose steps go into a history file: what the tests of the spot history run on. */
import assert from 'node:assert/strict';
import {
  type AccountId,
  type AccountSettings,
  assetId,
  type Command,
  type Event,
  type Force,
  type InstrumentId,
  instrumentId,
  lots,
  type OrderId,
  type Side,
  type Step,
  ticks,
  type Wallet,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { spotOrder } from '../support/orders.ts';
import { accountSettings, assetSpec, pairSpec } from '../support/terms.ts';

export const USDT = assetId(0);
export const BTC = assetId(1);
export const ETH = assetId(2);
/** One tick is 0.01 quote coin, one lot 0.0001 base coin, every ledger scale 8. */
export const BTCUSDT = instrumentId(0);
export const ETHUSDT = instrumentId(1);
/** The contract takes the id between the pairs. */
export const ETHBTC = instrumentId(3);
export const PAIRS = [BTCUSDT, ETHUSDT, ETHBTC];
export const CONTRACT: Wallet = 'BTCUSDT-PERP';
const RICH = 10n ** 20n;
const TERMS = { maxLots: lots(1_000_000_000), makerFeePpm: 500 };

export interface OrderOptions {
  readonly instrument?: InstrumentId;
  readonly clientOrderId?: string;
  readonly force?: Force;
}

export class HistoryVenue {
  readonly engine = Engine.empty();
  readonly steps: Step[] = [];
  timeMs = Date.parse('2026-03-01T12:00:00Z');

  constructor() {
    for (const [index, code] of ['USDT', 'BTC', 'ETH'].entries()) {
      this.run({ kind: 'list_asset', spec: assetSpec(index + 1, code) });
    }
    this.run({ kind: 'list_spot', spec: pairSpec('BTC', 'USDT', TERMS) });
    this.run({ kind: 'list_spot', spec: pairSpec('ETH', 'USDT', TERMS) });
    this.run({ kind: 'list_contract', spec: LINEAR });
    this.run({ kind: 'list_spot', spec: pairSpec('ETH', 'BTC', TERMS) });
  }

  /** Lists a coin and the pair of BTC that is quoted in it; accounts opened later hold it. */
  listQuote(code: string): InstrumentId {
    const { listings } = this.engine;
    this.run({ kind: 'list_asset', spec: assetSpec(listings.assets.length + 1, code) });
    this.run({ kind: 'list_spot', spec: pairSpec('BTC', code, TERMS) });
    return present(listings.spot.at(-1), code).instrumentId;
  }

  /** The steps after the given one, as the projector would hand them over. */
  since(seq: number): Step[] {
    return this.steps.slice(seq);
  }

  run(command: Command): readonly Event[] {
    const step = this.engine.apply(command, this.timeMs);
    this.steps.push(step);
    return step.events;
  }

  /** Opens an account that can afford anything. */
  open(name: string, settings: Partial<AccountSettings> = {}): AccountId {
    const own = accountSettings(name, { selfTradePrevention: 'none', ...settings });
    this.run({ kind: 'create_account', settings: own });
    const { accountId } = present(this.engine.accountByName(name), name);
    for (const { assetId } of this.engine.listings.assets) {
      this.run({ kind: 'deposit', accountId, wallet: 'spot', assetId, amount: RICH });
    }
    return accountId;
  }

  limit(
    accountId: AccountId,
    side: Side,
    price: number,
    size: number,
    options: OrderOptions = {},
  ): OrderId {
    const events = this.run(
      spotOrder({
        accountId,
        instrumentId: options.instrument ?? BTCUSDT,
        side,
        force: options.force ?? 'gtc',
        priceTicks: ticks(price),
        sizeLots: lots(size),
        clientOrderId: options.clientOrderId ?? '',
      }),
    );
    return accepted(events);
  }

  marketBuy(accountId: AccountId, quoteBudget: bigint): OrderId {
    const events = this.run({
      kind: 'place_spot_order',
      accountId,
      instrumentId: BTCUSDT,
      side: 'buy',
      type: 'market',
      force: 'gtc',
      quoteBudget,
      clientOrderId: '',
    });
    return accepted(events);
  }

  cancel(accountId: AccountId, orderId: OrderId, instrument = BTCUSDT): void {
    this.run({ kind: 'cancel_spot_order', accountId, instrumentId: instrument, orderId });
  }

  /** One trade of a pair: the maker's order rests, the taker's meets it, both are filled. */
  trade(maker: AccountId, taker: AccountId, side: Side, options: OrderOptions = {}): void {
    this.limit(maker, side === 'buy' ? 'sell' : 'buy', 10_000, 10, options);
    this.limit(taker, side, 10_000, 10, options);
  }

  transfer(accountId: AccountId, from: Wallet, to: Wallet, clientOid = ''): void {
    const moved = { accountId, assetId: USDT, amount: 1_000n, from, to, clientOid };
    const events = this.run({ kind: 'transfer', ...moved });
    assert.equal(events[0]?.kind, 'transferred');
  }

  /** What the engine says is in a wallet. */
  balance(accountId: AccountId, wallet: Wallet, asset: typeof USDT): bigint {
    return this.engine.account(accountId)?.balance(wallet, asset)?.balance ?? 0n;
  }
}

function accepted(events: readonly Event[]): OrderId {
  const [first] = events;
  assert.equal(first?.kind, 'order_accepted', first?.kind === 'refused' ? first.reject : '');
  return first?.kind === 'order_accepted' ? first.orderId : assert.fail();
}
