/** What batches of orders and cancels have in common, spot and contracts alike. */

import { setImmediate } from 'node:timers/promises';
import {
  type Command,
  type Event,
  isRefused,
  type Refused,
  type RejectKind,
  type VenuePort,
} from '#domain';

/**
 * Submits the commands of a batch in their order. Usually none is awaited before the last, so that
 * they share a journal entry; on a venue that has much to do others get in between. Each item that
 * could not be read stays the refusal it is.
 */
export function submitBatch<T>(
  venue: VenuePort,
  items: readonly (Command | Refused)[],
  outcomeOf: (events: readonly Event[]) => T | Refused,
): Promise<(T | Refused)[] | Refused> {
  return settleBatch(venue, items, async (item) =>
    isRefused(item) ? item : outcomeOf(await venue.submit(item)),
  );
}

/**
 * The outcomes in order; one refusal when the venue took nothing in: it is the whole answer. What
 * is too much of one account is said row by row: the next rows of another moment may fit.
 */
export async function settleBatch<I, T>(
  venue: VenuePort,
  items: readonly I[],
  act: (item: I) => Promise<T | Refused>,
): Promise<(T | Refused)[] | Refused> {
  const pending: Promise<T | Refused>[] = [];
  for (const item of items) {
    if (venue.isCrowded) await setImmediate();
    const outcome = act(item);
    // It may fail before all are awaited below, where the failure is heard of.
    outcome.catch(() => undefined);
    pending.push(outcome);
  }
  const outcomes = await Promise.all(pending);
  const outages = outcomes.filter(isOutage);
  if (outages.length < outcomes.length) return outcomes;
  // Of all together nothing is known as soon as of one nothing is.
  return outages.find(({ reject }) => reject === 'outcome_unknown') ?? outages[0] ?? outcomes;
}

/** Commands of one call that wait at once: a small part of what a caller may have waiting. */
const PIECE_MAX = 32;

/**
 * As settleBatch for as many items as an account may have, piece by piece, so that many callers who
 * do so together do not fill the queue. A refusal is the whole answer where nothing of the first
 * piece was taken in; later it is the outcome of each item of its piece.
 */
export async function settleInPieces<I, T>(
  venue: VenuePort,
  items: readonly I[],
  act: (item: I) => Promise<T | Refused>,
): Promise<(T | Refused)[] | Refused> {
  const settled: (T | Refused)[] = [];
  for (let from = 0; from < items.length; from += PIECE_MAX) {
    const piece = items.slice(from, from + PIECE_MAX);
    const outcomes = await settleBatch(venue, piece, act);
    if (!isRefused(outcomes)) settled.push(...outcomes);
    else if (from === 0) return outcomes;
    else settled.push(...piece.map(() => outcomes));
  }
  return settled;
}

/**
 * What became of each of many orders that one call cancels. One that was over before its turn is
 * left out; with any other refusal the order may be open.
 */
export async function settleCancels<I extends object, T>(
  venue: VenuePort,
  items: readonly I[],
  act: (item: I) => Promise<T | Refused>,
): Promise<Settled<I>[] | Refused> {
  const outcomes = await settleInPieces(venue, items, act);
  if (isRefused(outcomes)) return outcomes;
  const settled: Settled<I>[] = [];
  for (const [at, item] of items.entries()) {
    const outcome = outcomes[at];
    const refused = isRefused(outcome) ? outcome : undefined;
    if (refused?.reject !== 'order_unknown') settled.push({ item, refused });
  }
  return settled;
}

/** An order and why it was not cancelled; undefined when it was. */
interface Settled<I> {
  readonly item: I;
  readonly refused: Refused | undefined;
}

const OUTAGES: ReadonlySet<RejectKind> = new Set([
  ...(['venue_busy', 'venue_halted', 'outcome_unknown'] as const),
]);

function isOutage(outcome: unknown): outcome is Refused {
  if (!isRefused(outcome)) return false;
  return OUTAGES.has(outcome.reject);
}
