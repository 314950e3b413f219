/**
 * What a run is made of, as plain data: commands as the journal writes them, and what happens to
 * the machine between them. A list of acts says everything about a run; a seed is a short name.
 */
import type { Command, Step } from '#domain';

/** The order that a command is about: the nth one that the command act numbered `n` has made. */
export type OrderOf = readonly [n: number, nth: number];

export type Act =
  | {
      readonly do: 'command';
      readonly n: number;
      /** As in the journal: time, kind and fields. */
      readonly text: string;
      readonly order?: OrderOf | undefined;
    }
  /** The process dies after its last acknowledged command, and starts again. */
  | { readonly do: 'crash' }
  /** The same while a command is applied and written, and not yet durable. */
  | { readonly do: 'crash_within'; readonly n: number; readonly text: string }
  | { readonly do: 'snapshot' }
  /** A text that is no command reaches the decoder. */
  | { readonly do: 'malformed'; readonly text: string };

/** A command with what it did. A refusal is a step of its own that no log holds. */
export interface Seen {
  readonly command: Command;
  readonly timeMs: number;
  readonly events: Step['events'];
}

/** Numbers of the orders and trigger orders that a step has made, in their order. */
export function ordersMade(events: Step['events']): number[] {
  const made: number[] = [];
  for (const event of events) {
    if (event.kind === 'order_accepted') made.push(event.orderId);
    else if (event.kind === 'contract_order_accepted') made.push(event.orderId);
    else if (event.kind === 'trigger_order_accepted') made.push(event.trigger.orderId);
  }
  return made;
}
