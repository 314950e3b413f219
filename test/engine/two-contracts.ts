/** A floor with two pairs and two contracts, and what two traders do in both by client ids. */
import { type AccountId, type ContractSpec, type Event, orderId, ticks } from '#domain';
import { Engine } from '#engine';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { acceptedId, Floor } from '../support/floor.ts';

const ETH: ContractSpec = { ...LINEAR, symbol: 'ETH-USDT-PERP', baseCode: 'ETH' };

export class TwoContracts extends Floor {
  readonly contracts: readonly [string, string] = [LINEAR.symbol, ETH.symbol];
  readonly mia: AccountId;
  readonly tom: AccountId;

  /** A new one, whose two traders have money everywhere, or as it was dumped. */
  constructor(rows?: Iterable<string>) {
    super(rows === undefined ? Engine.empty() : Engine.restore(rows));
    if (rows === undefined) this.#begin();
    [this.mia, this.tom] = [this.id('mia'), this.id('tom')];
  }

  #begin(): void {
    this.listCoins().listPairs().listContract(LINEAR).listContract(ETH);
    for (const name of ['mia', 'tom']) {
      this.open(name, { USDT: '100000' });
      for (const symbol of this.contracts) this.fund(name, '10000', symbol);
    }
  }

  /** Lets time pass, after which both contracts have an index again. */
  pass(deltaMs: number): void {
    this.wait(deltaMs);
    for (const symbol of this.contracts) {
      const { instrumentId, referencePriceTicks: priceTicks } = this.contractOf(symbol);
      this.run({ kind: 'report_index', instrumentId, source: 'operator', priceTicks });
    }
  }

  /** Rests a small order far below the mark price. */
  bid(accountId: AccountId, on: string, clientOrderId?: string): number {
    const { referencePriceTicks, priceStepTicks } = this.contractOf(on);
    const price = referencePriceTicks - priceStepTicks;
    return acceptedId(this.order(accountId, 'open_long', price, 1, { on, clientOrderId }));
  }

  /** Waits for a price twice as high. */
  plan(accountId: AccountId, on: string, clientOrderId?: string): number {
    const twice = ticks(this.contractOf(on).referencePriceTicks * 2);
    const options = { on, clientOrderId };
    return acceptedId(this.trigger(accountId, 'open_long', twice, 'market', 1, options));
  }

  /** Ends an order or a trigger order of a contract. */
  end(accountId: AccountId, id: number): readonly Event[] {
    const order = this.engine.openContractOrder(orderId(id));
    const { instrumentId } =
      order ?? present(this.engine.waitingTrigger(orderId(id)), 'what is open');
    const kind = order === undefined ? 'cancel_trigger_order' : 'cancel_contract_order';
    return this.run({ kind, accountId, instrumentId, orderId: orderId(id) });
  }
}
