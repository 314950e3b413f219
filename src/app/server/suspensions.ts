/**
 * What a start does about markets that have ended the process before: it takes them out of trade,
 * through the log, before anything else happens.
 */
import type { Logger } from 'pino';
import { marketName } from '#dialects';
import type { StateReader } from '#domain';
import type { FaultRecord, Venue } from '#venue';

export interface SuspendedMarket {
  readonly symbol: string;
  readonly reason: string;
}

export async function suspendFailed(venue: Venue, faults: FaultRecord, log: Logger): Promise<void> {
  for (const { symbol, reason } of faults.due()) {
    const found = await venue.read(({ listings }) =>
      listings.instruments.find((market) => [market.symbol, marketName(market)].includes(symbol)),
    );
    if (found === undefined || found.status === 'suspended') continue;
    await venue.submit({ kind: 'suspend_instrument', instrumentId: found.instrumentId, reason });
    log.error(
      { symbol: marketName(found), reason },
      'suspended: mend the cause, then set its status to online',
    );
  }
  faults.settle();
  for (const { kind, reason } of faults.withheld) {
    log.error({ kind, reason }, 'a command that has ended the process twice is refused');
  }
}

/** Every pair and contract that is suspended now. */
export function suspendedMarkets({ listings }: Pick<StateReader, 'listings'>): SuspendedMarket[] {
  return listings.instruments
    .filter(({ status }) => status === 'suspended')
    .map((market) => ({ symbol: marketName(market), reason: market.suspendedReason ?? '' }));
}
