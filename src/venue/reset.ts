/**
 * Going back to a checkpoint while serving: the engine replaces its state by a command like any
 * other, then everything that follows the venue by its events starts anew from that state, and only
 * then does the next command come.
 */
import type { Event, StateReader } from '#domain';
import type { HistoryReader } from '#history';
import type { LiveMarkets } from '#market-data';
import type { Projection } from './projection.ts';
import { seedLive } from './seed.ts';
import type { ServedVenue } from './venue.ts';

export interface ResetParts {
  readonly venue: ServedVenue;
  readonly live: LiveMarkets;
  readonly history: HistoryReader;
  readonly projection: Pick<Projection, 'reach'>;
  /** Followers that know more than the views: called at the same moment as these are replaced. */
  readonly onReset: (state: StateReader) => void;
}

/** What others have to do before, while nothing else happens; nothing is reset when it fails. */
interface Preparation {
  readonly prepare?: ((state: StateReader) => Promise<void>) | undefined;
}

/**
 * Resolves with the events of the command, a refusal too, once all is as it was. Rejects, with
 * nothing done, when the history cannot follow.
 */
export async function resetTo(
  name: string,
  parts: ResetParts & Preparation,
): Promise<readonly Event[]> {
  const { venue, projection } = parts;
  // A backlog is worked off while others still trade.
  await projection.reach(venue.releasedSeq);
  return venue.runExclusive(async (submit, state) => {
    await parts.prepare?.(state);
    const events = await submit({ kind: 'reset_to_checkpoint', name });
    if (!events.some(({ kind }) => kind === 'venue_reset')) return events;
    await replaceViews(state, parts);
    return events;
  });
}

/**
 * The live views of a start that could not read the history get their past. Rejects, with nothing
 * done, while it still cannot be read.
 */
export async function fillPast(parts: ResetParts): Promise<void> {
  const { venue, projection } = parts;
  await projection.reach(venue.releasedSeq);
  await venue.runExclusive(async (_submit, state) => {
    // What was applied is released first: the views have seen it then.
    await venue.read(() => undefined);
    await replaceViews(state, parts);
  });
}

/** By views that are seeded from this state and what the history has of it. */
async function replaceViews(state: StateReader, parts: ResetParts): Promise<void> {
  const { venue, live, history, projection, onReset } = parts;
  await projection.reach(venue.releasedSeq);
  history.forget();
  const seeded = live.successor();
  await seedLive(seeded, state, history);
  live.become(seeded);
  onReset(state);
}
