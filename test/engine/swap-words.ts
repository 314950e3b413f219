/** Contract events in the words of a trade log: what a scenario table compares line by line. */
import {
  type AccountId,
  type ContractFill,
  type ContractTrade,
  type Event,
  FUNDING_RATE_SCALE,
  holdSideOf,
  type Liquidated,
  type TriggerOrderView,
} from '#domain';
import { formatTrimmed } from '#kernel';
import type { Floor } from '../support/floor.ts';

/** Tells events to somebody who knows what `actor` just did: that name goes without saying. */
export class Teller {
  readonly #venue: Floor;
  readonly #nameOf: (id: AccountId) => string;
  readonly #actor: string;

  constructor(venue: Floor, nameOf: (id: AccountId) => string, actor: string) {
    this.#venue = venue;
    this.#nameOf = nameOf;
    this.#actor = actor;
  }

  /** One line an event; what goes without saying (accepted, priced, ticked) has none. */
  told(events: readonly Event[]): string[] {
    return events.map((event) => this.#tell(event)).filter((line) => line !== '');
  }

  #tell(event: Event): string {
    switch (event.kind) {
      case 'refused':
        return `refused ${event.reject}`;
      case 'order_rested':
        return this.#by(event.accountId, `rests ${this.#lot(event.openLots, event.priceTicks)}`);
      case 'contract_order_moved': {
        const { order, fromLots, fromTicks, keptLots } = event;
        const from = this.#lot(fromLots, fromTicks);
        const to = this.#lot(order.sizeLots - order.filledLots, order.priceTicks);
        const kept = keptLots > 0 ? ', keeps its place' : '';
        return this.#by(order.accountId, `moves ${from} to ${to}${kept}`);
      }
      case 'contract_trade':
        return this.#tradeLine(event);
      case 'contract_order_closed': {
        const { accountId, filledLots, sizeLots } = event.order;
        if (event.reason === 'filled') return '';
        const filled = `${event.reason} ${this.#size(filledLots)}/${this.#size(sizeLots)}`;
        return this.#by(accountId, filled);
      }
      case 'liquidated':
        return this.#liquidatedLine(event);
      case 'funding_settled':
        return [
          `funding ${formatTrimmed(event.ratePpb, FUNDING_RATE_SCALE)}`,
          `collected ${this.#venue.text(event.collected)}`,
          `distributed ${this.#venue.text(event.distributed)}`,
          `uncollected ${this.#venue.text(event.uncollected)}`,
        ].join(' ');
      case 'balance_changed':
        if (event.reason !== 'funding') return '';
        return `${this.#nameOf(event.accountId)} ${this.#signed(event.delta)}`;
      default:
        return this.#tellSetting(event);
    }
  }

  #tellSetting(event: Event): string {
    switch (event.kind) {
      case 'margin_adjusted': {
        const { accountId, side, delta, cause } = event;
        if (cause === 'owner') return `${side} margin ${this.#signed(delta)}`;
        return `${this.#nameOf(accountId)} ${side} margin ${this.#signed(delta)} by itself`;
      }
      case 'trigger_order_accepted': {
        const { purpose, accountId, sizeLots } = event.trigger;
        const size = sizeLots === 0 ? 'all' : this.#size(sizeLots);
        const what = purpose === 'trigger' ? 'waits' : `arms ${purpose} ${size}`;
        return this.#by(accountId, `${what} ${this.#wait(event.trigger)}`);
      }
      case 'trigger_order_modified': {
        const { purpose, accountId } = event.trigger;
        return this.#by(accountId, `${purpose} now waits ${this.#wait(event.trigger)}`);
      }
      case 'trigger_order_grown': {
        const { purpose, accountId, sizeLots } = event.trigger;
        return this.#by(accountId, `${purpose} grows to ${this.#size(sizeLots)}`);
      }
      case 'trigger_order_closed': {
        const { trigger, status, reason, executedLots } = event;
        const { purpose, clientOrderId = `plan#${trigger.orderId}` } = trigger;
        const what = purpose === 'trigger' ? clientOrderId : purpose;
        const end = status === 'triggered' ? `filled ${this.#size(executedLots)}` : reason;
        return this.#by(trigger.accountId, `${what} ${status}: ${end}`);
      }
      default:
        return '';
    }
  }

  /** for a rise to 31000, for a fall of the mark price to 29000. */
  #wait({ direction, triggerTicks, workingPrice }: TriggerOrderView): string {
    const of = workingPrice === undefined ? '' : ` of the ${workingPrice} price`;
    return `for a ${direction}${of} to ${this.#price(triggerTicks)}`;
  }

  #tradeLine(trade: ContractTrade): string {
    const { taker, maker, sizeLots, priceTicks, inBook } = trade;
    const what = this.#lot(sizeLots, priceTicks);
    const place = inBook ? '' : ' off the book';
    const line = `${what} with ${this.#party(maker)}${place}`;
    return this.#party(taker) === this.#actor ? line : `${this.#party(taker)} ${line}`;
  }

  /** ann for her own order, ann/9 for one of type 9 that a liquidation placed for her. */
  #party({ accountId, action, cause }: ContractFill): string {
    const name = this.#nameOf(accountId);
    if (cause === 'owner') return name;
    const first = { reduction: 5, deleveraging: 7, netting: 7, liquidation: 9 }[cause];
    return `${name}/${holdSideOf(action) === 'long' ? first : first + 1}`;
  }

  #liquidatedLine(event: Liquidated): string {
    const at = event.bankruptcyTicks === 0 ? 'any price' : this.#price(event.bankruptcyTicks);
    const size = this.#size(event.sizeLots);
    const name = this.#nameOf(event.accountId);
    const others = `${this.#size(event.deleveragedLots)} deleveraged`;
    const fund = `fund ${this.#signed(event.fundDelta)}`;
    return `${name} ${event.side} liquidated: ${size} at ${at}, ${others}, ${fund}`;
  }

  #by(id: AccountId, words: string): string {
    const name = this.#nameOf(id);
    return name === this.#actor ? words : `${name} ${words}`;
  }

  #lot(size: number, priceTicks: number): string {
    return `${this.#size(size)} @ ${this.#price(priceTicks)}`;
  }

  #size(size: number): string {
    return formatTrimmed(size, this.#venue.contract.quantityScale);
  }

  #price(priceTicks: number): string {
    return formatTrimmed(priceTicks, this.#venue.contract.priceScale);
  }

  #signed(amount: bigint): string {
    return `${amount < 0n ? '' : '+'}${this.#venue.text(amount)}`;
  }
}
