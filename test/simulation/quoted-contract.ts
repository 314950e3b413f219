/** A venue with one contract at 30,000.0, a funded market maker and a funded user. */
import { strict as assert } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type AccountId,
  type Amount,
  type ContractAction,
  type ContractOrderView,
  type ContractSpec,
  type ContractTerms,
  type InstrumentId,
  lots,
  type MarginAccountView,
  type OrderId,
  sideOf,
  ticks,
} from '#domain';
import { present } from '#kernel';
import type { Ladder } from '#simulation';
import { LINEAR } from '../support/contracts.ts';
import { contractOrder } from '../support/orders.ts';
import { RealVenue } from '../support/real-venue.ts';
import { accountsOf, QuotedMarket } from './quoted-market.ts';

/** Steps of 30.0 at 30,000.0; a level is worth 30,000 USDT and costs 1,518 at leverage 20. */
export const LADDER: Ladder = {
  symbol: 'BTC-USDT-PERP',
  levelsCount: 3,
  spacingPpm: 1_000,
  levelLots: 1_000,
};

/** Without funding the mark price is the index price as long as nobody has traded. */
export const SPEC: ContractSpec = { ...LINEAR, fundingCapPpm: 0 };

export const USDT = 100_000_000n;
export const MAKER_FUNDS = 1_000_000n * USDT;

export class QuotedContract extends QuotedMarket {
  /** Opens or reopens the venue of a directory. */
  static async open(context: TestContext, directory: string): Promise<QuotedContract> {
    const desk = await QuotedContract.unlisted(context, directory);
    if (desk.real.eventsCount('account_created') > 0) await desk.list(SPEC);
    return desk;
  }

  /** As open, without the contract. */
  static async unlisted(context: TestContext, directory: string): Promise<QuotedContract> {
    const real = await RealVenue.open(context, directory);
    return new QuotedContract(context, real, LADDER, await accountsOf(real));
  }

  /** Lists the contract and pays both accounts' wallets. */
  async list(spec: ContractSpec): Promise<void> {
    assert.equal((await this.submit({ kind: 'list_contract', spec })).kind, 'contract_listed');
    for (const accountId of [this.user, this.maker]) await this.pay(accountId, MAKER_FUNDS);
  }

  /** Deposits into a contract wallet; a negative amount is withdrawn. */
  async pay(accountId: AccountId, amount: Amount): Promise<void> {
    const { assetId } = await this.real.venue.read((state) =>
      present(state.listings.assetByCode('USDT'), 'USDT'),
    );
    const coins = { accountId, wallet: 'BTC-USDT-PERP', assetId } as const;
    const event =
      amount > 0n
        ? await this.submit({ kind: 'deposit', ...coins, amount })
        : await this.submit({ kind: 'withdraw', ...coins, amount: -amount });
    assert.equal(event.kind, 'balance_changed', JSON.stringify(event, bigText));
  }

  /** A limit order of anybody. */
  async place(
    accountId: AccountId,
    action: ContractAction,
    price: number,
    size: number,
  ): Promise<OrderId> {
    const event = await this.submit(
      contractOrder({
        accountId,
        instrumentId: await this.instrumentId(),
        action,
        priceTicks: ticks(price),
        sizeLots: lots(size),
      }),
    );
    assert.equal(event.kind, 'contract_order_accepted', JSON.stringify(event, bigText));
    return event.orderId;
  }

  async cancel(accountId: AccountId, orderId: OrderId): Promise<void> {
    const instrumentId = await this.instrumentId();
    const cancel = { kind: 'cancel_contract_order', accountId, instrumentId, orderId } as const;
    assert.equal((await this.submit(cancel)).kind, 'contract_order_closed');
  }

  async change(changes: Partial<ContractTerms>): Promise<void> {
    const instrumentId = await this.instrumentId();
    const event = await this.submit({ kind: 'update_contract', instrumentId, changes });
    assert.equal(event.kind, 'contract_updated', JSON.stringify(event, bigText));
  }

  async setLeverage(accountId: AccountId, leverage: number): Promise<void> {
    const instrumentId = await this.instrumentId();
    const target = { accountId, instrumentId, side: 'both' } as const;
    const event = await this.submit({ kind: 'set_leverage', ...target, leverage });
    assert.equal(event.kind, 'contract_settings_changed', JSON.stringify(event, bigText));
  }

  /** The source of the index reports a price. */
  async index(price: number): Promise<void> {
    const instrumentId = await this.instrumentId();
    const priceTicks = ticks(price);
    await this.submit({ kind: 'report_index', instrumentId, source: 'test', priceTicks });
  }

  /** The maker's positions and money as they are. */
  margin(): Promise<MarginAccountView> {
    return this.real.venue.read((state) => {
      const { instrumentId } = present(state.listings.contract('BTC-USDT-PERP'), 'contract');
      return present(state.marginAccount(this.maker, instrumentId), 'margin account');
    });
  }

  /** The market maker's quotes as "action price x size", best first on each side. */
  override quotes(): Promise<string[]> {
    return this.real.venue.read((state) => {
      const contract = state.listings.contract('BTC-USDT-PERP');
      if (contract === undefined) return [];
      return written([...state.openContractOrders(this.maker, contract.instrumentId)]);
    });
  }

  /** What the maker did so far, in trades and in refusals. */
  tradesAndRefusals(): readonly [number, number] {
    return [this.real.eventsCount('contract_trade'), this.real.eventsCount('refused')];
  }

  instrumentId(): Promise<InstrumentId> {
    return this.real.venue.read(
      (state) => present(state.listings.contract('BTC-USDT-PERP'), 'contract').instrumentId,
    );
  }
}

/** Orders as "action price x open size": buying ones first, best price first on each side. */
function written(orders: readonly ContractOrderView[]): string[] {
  const limits = orders.filter((order) => order.type === 'limit');
  const rank = ({ action, priceTicks }: (typeof limits)[number]) =>
    sideOf(action) === 'buy' ? -priceTicks : priceTicks;
  return limits
    .toSorted((one, other) => rank(one) - rank(other) || one.orderId - other.orderId)
    .map(
      ({ action, priceTicks, sizeLots, filledLots }) =>
        `${action} ${priceTicks} x ${sizeLots - filledLots}`,
    );
}

function bigText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
