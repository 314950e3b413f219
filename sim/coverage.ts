/**
 * How often everything that can happen has happened: each kind of event, each refusal, each branch
 * of a liquidation. A zero is a failure of the workload, not of the venue.
 */
import type { Event } from '#domain';
import type { Seen } from './world/act.ts';

export class Coverage {
  readonly counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  see({ command, events }: Seen): void {
    this.count('command');
    this.count(`command ${command.kind}`);
    for (const event of events) this.#seeEvent(event);
  }

  add(counts: Iterable<readonly [string, number]>): void {
    for (const [what, times] of counts) this.count(what, times);
  }

  #seeEvent(event: Event): void {
    this.count(`event ${event.kind}`);
    if (event.kind === 'refused') this.count(`refused ${event.reject}`);
    else if (event.kind === 'order_closed') this.count(`spot order ended ${event.reason}`);
    else if (event.kind === 'contract_order_closed') {
      const whose = event.order.cause === 'owner' ? 'contract order' : event.order.cause;
      this.count(`${whose} ended ${event.reason}`);
    } else if (event.kind === 'contract_trade' && !event.inBook) {
      this.count(`trade off the book by ${event.maker.cause}`);
    } else if (event.kind === 'trigger_order_closed') {
      this.count(`${event.trigger.purpose} ${event.status}`);
    } else if (event.kind === 'liquidated') {
      this.count(`liquidated ${event.mode} ${event.side}`);
      if (event.fundDelta > 0n) this.count('liquidation that pays the fund');
      if (event.fundDelta < 0n) this.count('liquidation that the fund pays for');
      if (event.deleveragedLots > 0) this.count('liquidation that deleverages');
    } else if (event.kind === 'margin_adjusted') {
      this.count(`margin adjusted ${event.cause}`);
    } else if (event.kind === 'funding_settled') {
      if (event.collected > 0n) this.count('funding collected');
      if (event.uncollected > 0n) this.count('funding not collected in full');
    }
  }
}
