/**
 * Carries maintenance windows out: what trades is halted when one begins, and what it halted trades
 * again when it is over. Both are ordinary commands. What is to be halted is noted before, so that
 * whoever takes over goes on; what the operator halted or resumed meanwhile stays so.
 */
import type {
  Command,
  Contract,
  InstrumentId,
  MarketStatus,
  SpotInstrument,
  StateReader,
  VenuePort,
} from '#domain';
import type { PeopleContext } from '../context.ts';
import type { PeopleStore } from '../port.ts';
import type { MaintenanceWindow } from './port.ts';

const OPEN_MAX = 50;

interface MaintenanceContext extends Pick<PeopleContext, 'people' | 'nowMs'> {
  readonly venue: VenuePort;
}

/** Does what is due. Rejects where the venue or the store cannot; the next time it goes on. */
export async function maintain(context: MaintenanceContext): Promise<void> {
  const store = await context.people.get();
  for (const window of await store.openWindows(OPEN_MAX)) {
    const nowMs = context.nowMs();
    if (window.fromMs > nowMs) return;
    const begun = await beginning(context.venue, store, window);
    if (begun.untilMs > nowMs) continue;
    await setStatus(context.venue, begun.haltedIds, 'halt', 'online');
    await store.moveWindow(begun.windowId, 'begun', { state: 'over' });
  }
}

/** The window once it has begun. */
async function beginning(
  venue: VenuePort,
  store: PeopleStore,
  window: MaintenanceWindow,
): Promise<MaintenanceWindow> {
  const { windowId, state } = window;
  if (state === 'begun') return window;
  let { haltedIds } = window;
  if (state === 'planned') {
    haltedIds = await venue.read((now) => tradingOf(now, window));
    await store.moveWindow(windowId, 'planned', { state: 'beginning', haltedIds });
  }
  await setStatus(venue, haltedIds, 'online', 'halt');
  await store.moveWindow(windowId, 'beginning', { state: 'begun' });
  return { ...window, state: 'begun', haltedIds };
}

function tradingOf(
  { listings }: StateReader,
  { instrumentIds }: MaintenanceWindow,
): InstrumentId[] {
  return listings.instruments
    .filter(({ status }) => status === 'online')
    .map(({ instrumentId }) => instrumentId)
    .filter((id) => instrumentIds.length === 0 || instrumentIds.includes(id));
}

/** Of those that are `from`. */
async function setStatus(
  venue: VenuePort,
  ids: readonly InstrumentId[],
  from: MarketStatus,
  to: MarketStatus,
): Promise<void> {
  for (const id of ids) {
    const command = await venue.read(({ listings }) => {
      const market = listings.instruments[id];
      return market?.status === from ? statusCommand(market, to) : undefined;
    });
    if (command === undefined) continue;
    const [event] = await venue.submit(command);
    if (event?.kind === 'refused') throw new Error(`maintenance: ${event.reject}`);
  }
}

function statusCommand(market: SpotInstrument | Contract, status: MarketStatus): Command {
  const { instrumentId } = market;
  const kind = 'tiers' in market ? 'update_contract' : 'update_spot';
  return { kind, instrumentId, changes: { status } };
}
