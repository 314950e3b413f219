/** A venue with two contracts, and what two traders do in both by client ids. */
import {
  type AccountId,
  type ContractSpec,
  type Event,
  lots,
  orderId,
  ticks,
  walletOf,
} from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { TestVenue } from '../support/engine-venue.ts';
import { contractOrder, triggerOrder } from '../support/orders.ts';

const ETH: ContractSpec = { ...LINEAR, symbol: 'ETH-USDT-PERP', baseCode: 'ETH' };

/** A venue with two pairs and two contracts, and two traders with money everywhere. */
export class Desk {
  readonly venue: TestVenue;
  readonly mia: AccountId;
  readonly tom: AccountId;
  readonly contracts: readonly [string, string] = [LINEAR.symbol, ETH.symbol];

  /** A new one, or as it was dumped. */
  constructor(rows?: Iterable<string>) {
    this.venue = rows === undefined ? TestVenue.listed() : new TestVenue(Engine.restore(rows));
    if (rows === undefined) this.venue.run({ kind: 'list_contract', spec: ETH });
    [this.mia, this.tom] = [this.#account('mia'), this.#account('tom')];
  }

  /** Lets time pass, after which both contracts have an index again. */
  wait(deltaMs: number): void {
    this.venue.wait(deltaMs);
    for (const symbol of this.contracts) {
      const { instrumentId, referencePriceTicks: priceTicks } = this.contract(symbol);
      this.venue.run({ kind: 'report_index', instrumentId, source: 'operator', priceTicks });
    }
  }

  #account(name: string): AccountId {
    return this.venue.engine.accountByName(name)?.accountId ?? this.#open(name);
  }

  #open(name: string): AccountId {
    const accountId = this.venue.open(name, { USDT: '100000' });
    for (const symbol of this.contracts) {
      const { margin } = this.contract(symbol);
      const wallet = walletOf(symbol);
      const { assetId } = margin;
      this.venue.run({ kind: 'deposit', accountId, wallet, assetId, amount: 10n ** 12n });
    }
    return accountId;
  }

  contract(symbol: string) {
    return present(this.venue.engine.listings.contract(symbol), symbol);
  }

  /** Rests a small order far below the mark price. */
  bid(accountId: AccountId, symbol: string, clientOrderId = ''): number {
    const { instrumentId, referencePriceTicks, priceStepTicks } = this.contract(symbol);
    const priceTicks = ticks(referencePriceTicks - priceStepTicks);
    const terms = { action: 'open_long', priceTicks, sizeLots: lots(1) } as const;
    return idOf(
      this.venue.run(contractOrder({ accountId, instrumentId, clientOrderId, ...terms })),
    );
  }

  /** Waits for a price twice as high. */
  plan(accountId: AccountId, symbol: string, clientOrderId = ''): number {
    const { instrumentId, referencePriceTicks } = this.contract(symbol);
    const triggerTicks = ticks(referencePriceTicks * 2);
    const terms = { action: 'open_long', triggerTicks, sizeLots: lots(1) } as const;
    return idOf(this.venue.run(triggerOrder({ accountId, instrumentId, clientOrderId, ...terms })));
  }

  /** Ends an order or a trigger order. */
  cancel(accountId: AccountId, id: number): void {
    const { engine } = this.venue;
    const order = engine.openContractOrder(orderId(id));
    const { instrumentId } = order ?? present(engine.waitingTrigger(orderId(id)), 'what is open');
    const kind = order === undefined ? 'cancel_trigger_order' : 'cancel_contract_order';
    this.venue.run({ kind, accountId, instrumentId, orderId: orderId(id) });
  }
}

/** The number of the order or trigger order that was accepted; fails on a refusal. */
function idOf([first]: readonly Event[]): number {
  if (first?.kind === 'contract_order_accepted') return first.orderId;
  if (first?.kind === 'trigger_order_accepted') return first.trigger.orderId;
  throw new Error(first?.kind === 'refused' ? first.reject : 'nothing was accepted');
}
