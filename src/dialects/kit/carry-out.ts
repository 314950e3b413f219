/** How the operator's handlers act: build a command from the current state, submit, read back. */

import { setImmediate } from 'node:timers/promises';
import {
  type Command,
  type Event,
  isRefused,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';

type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>;

/**
 * Builds a command on the state, submits it and resolves with its event of the given kind, which
 * that command always yields unless it is refused.
 */
export async function carryOut<K extends Event['kind']>(
  venue: VenuePort,
  kind: K,
  build: (state: StateReader) => Command | Refused,
): Promise<EventOf<K> | Refused> {
  const command = await venue.read(build);
  return isRefused(command) ? command : submit(venue, kind, command);
}

export async function submit<K extends Event['kind']>(
  venue: VenuePort,
  kind: K,
  command: Command,
): Promise<EventOf<K> | Refused> {
  for (const event of await venue.submit(command)) {
    if (event.kind === 'refused') return event;
    if (isKind(event, kind)) return event;
  }
  throw new Error(`${command.kind} yielded no ${kind}`);
}

/** Resolves once what commands have set off is done and durable: cancels of many orders, say. */
export async function workDone(venue: VenuePort): Promise<void> {
  while (venue.hasWork) await setImmediate();
  await venue.read(() => undefined);
}

function isKind<K extends Event['kind']>(event: Event, kind: K): event is EventOf<K> {
  return event.kind === kind;
}
