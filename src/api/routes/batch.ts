/** What batches of orders and cancels have in common, spot and contracts alike. */
import type { Command, Event, Refused, VenuePort } from '#domain';
import { isRefused } from '#wire';

/**
 * Submits the commands of a batch, all before any is awaited: they keep their order and share a
 * journal entry. Each item that could not be read stays the refusal it is.
 */
export function submitBatch<T>(
  venue: VenuePort,
  items: readonly (Command | Refused)[],
  outcomeOf: (events: readonly Event[]) => T | Refused,
): Promise<(T | Refused)[] | Refused> {
  return settleBatch(
    items.map(async (item) => (isRefused(item) ? item : outcomeOf(await venue.submit(item)))),
  );
}

/** The outcomes in order; one refusal when the venue took nothing in: it is answered with 503. */
export async function settleBatch<T>(
  pending: readonly Promise<T | Refused>[],
): Promise<(T | Refused)[] | Refused> {
  const outcomes = await Promise.all(pending);
  const [first] = outcomes;
  return isOutage(first) && outcomes.every(isOutage) ? first : outcomes;
}

function isOutage(outcome: unknown): outcome is Refused {
  if (!isRefused(outcome)) return false;
  return outcome.reject === 'venue_busy' || outcome.reject === 'venue_halted';
}
