/**
 * Watching a range: one stream of changes out of many calls, as connections come and go. A watch
 * at a member that has stopped says nothing, like one of keys that rest; after a silence the
 * cluster is asked whether something is missing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Change, StoreFault, type WatchFrom } from '../shared/store.ts';
import { type Endpoints, type Exchange, isServiceError } from './endpoints.ts';
import { kindOf, storeFault } from './errors.ts';
import type { WatchResponse } from './protocol.ts';
import { WatchCall } from './watch-call.ts';

/** How long a silence has to be for a question. */
const SILENCE_MS = 300;
/** What was missing may have been on its way. */
const GRACE_MS = 100;
const PAUSE_MS = 50;

type Event = WatchResponse['events'][number];

/** Whether there is a write at this revision or later where one is expected. */
export type HasNews = (from: WatchFrom) => Promise<boolean>;

export async function* watchRange(
  endpoints: Endpoints,
  from: WatchFrom,
  hasNews: HasNews,
): AsyncGenerator<readonly Change[], void> {
  const { signal } = from;
  let { revision } = from;
  let wasDenied = false;
  while (!signal.aborted) {
    let exchange: Exchange<'Watch/Watch'> | undefined;
    try {
      exchange = await endpoints.open('Watch/Watch');
      for await (const events of watchOnce(exchange, { ...from, revision }, hasNews)) {
        wasDenied = false;
        yield events.map(changeOf);
        revision = revisionAfter(events, revision);
      }
    } catch (error) {
      if (signal.aborted) return;
      const fault = asFault(error, exchange);
      // The token may have ended: a watch is not told so.
      if (fault.kind === 'denied' && !wasDenied) {
        wasDenied = true;
        endpoints.forgetToken();
        continue;
      }
      if (fault.kind !== 'unknown') throw fault;
    }
    if (signal.aborted) return;
    if (exchange !== undefined) endpoints.leave(exchange.endpoint);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** The events of one call, whole revisions at a time. Ends where another call has to go on. */
async function* watchOnce(
  { stream }: Exchange<'Watch/Watch'>,
  from: WatchFrom,
  hasNews: HasNews,
): AsyncGenerator<readonly Event[], void> {
  const call = new WatchCall(stream, requestOf(from), from.signal);
  let { revision } = from;
  let isLate = false;
  let parts: Event[] = [];
  try {
    for (;;) {
      const response = await call.next(isLate ? GRACE_MS : SILENCE_MS);
      if (response === undefined) {
        if (call.isEnded || isLate) return;
        isLate = await hasNews({ ...from, revision });
        continue;
      }
      isLate = false;
      requireWatching(response);
      parts.push(...response.events);
      if (response.fragment || parts.length === 0) continue;
      yield parts;
      revision = revisionAfter(parts, revision);
      parts = [];
    }
  } finally {
    call.close();
  }
}

function requestOf({ range, revision }: WatchFrom): object {
  const { from: key, end: rangeEnd } = range;
  return { createRequest: { key, rangeEnd, startRevision: revision, fragment: true } };
}

function requireWatching({ canceled, compactRevision, cancelReason }: WatchResponse): void {
  if (!canceled) return;
  if (compactRevision > 0) throw new StoreFault('compacted', `compacted up to ${compactRevision}`);
  const details = cancelReason.replace(/^rpc error: code = \w+ desc = /, '');
  throw new StoreFault(kindOf(details), `the watch was ended: ${cancelReason}`);
}

function revisionAfter(events: readonly Event[], revision: number): number {
  return (events.at(-1)?.kv.modRevision ?? revision - 1) + 1;
}

function changeOf({ type, kv }: Event): Change {
  return type === 'DELETE' ? { kind: 'delete', key: kv.key } : { kind: 'put', stored: kv };
}

function asFault(error: unknown, exchange: Exchange<'Watch/Watch'> | undefined): StoreFault {
  if (error instanceof StoreFault) return error;
  if (!isServiceError(error)) throw error;
  return storeFault(error, exchange?.endpoint.address ?? 'etcd');
}
