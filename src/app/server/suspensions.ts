/**
 * What a start does about markets that have ended the process before: it takes them out of trade,
 * through the log, before anything else happens.
 */
import type { Logger } from 'pino';
import { CLASSIC_SPELLING, failureText } from '#dialects';
import type { StateReader, VenuePort } from '#domain';
import { present } from '#kernel';
import type { FaultRecord } from '#venue';

export interface SuspendedMarket {
  readonly symbol: string;
  readonly reason: string;
}

export async function suspendFailed(
  venue: VenuePort,
  faults: FaultRecord,
  log: Logger,
): Promise<void> {
  for (const { symbol, failure } of faults.due()) {
    const found = await venue.read(({ listings }) =>
      // What was noted before markets had symbols of their own has their old names.
      listings.instruments.find(({ symbol: own }) =>
        [own, CLASSIC_SPELLING.nameOf(own)].includes(symbol),
      ),
    );
    if (found === undefined || found.status === 'suspended') continue;
    await venue.submit({
      kind: 'suspend_instrument',
      instrumentId: found.instrumentId,
      reason: failure,
    });
    log.error(
      { symbol: found.symbol, reason: failureText(failure) },
      'suspended: mend the cause, then set its status to online',
    );
  }
  faults.settle();
  for (const failure of faults.withheld) {
    const fields = { kind: failure.command, reason: failureText(failure) };
    log.error(fields, 'a command that has ended the process twice is refused');
  }
}

/** Every pair and contract that is suspended now. */
export function suspendedMarkets({ listings }: Pick<StateReader, 'listings'>): SuspendedMarket[] {
  return listings.instruments
    .filter(({ status }) => status === 'suspended')
    .map((market) => ({
      symbol: market.symbol,
      reason: failureText(present(market.suspendedReason, 'the failure that suspended it')),
    }));
}
