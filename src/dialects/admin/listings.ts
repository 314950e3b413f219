/** The operator's handlers for coins and pairs, and the report that money adds up. */
import {
  type Command,
  isRefused,
  type MarketStatus,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';

import { carryOut } from '../carry-out.ts';
import type { OperatorCall, OperatorHandler } from '../handlers.ts';
import { findPair, readAsset, readPair, readPairChanges } from './read-listing.ts';
import { assetData, auditData, instrumentsData, pairData } from './write.ts';

export function listingHandlers(venue: VenuePort) {
  return {
    instruments: () => venue.read(({ listings }) => instrumentsData(listings)),
    listAsset: (call) => listAsset(venue, call),
    listSpot: (call) => listSpot(venue, call),
    updateSpot: (call) => changePair(venue, (state) => changesOf(state, call)),
    halt: (call) => changePair(venue, (state) => setStatus(state, call, 'halt')),
    resume: (call) => changePair(venue, (state) => setStatus(state, call, 'online')),
    audit: () => venue.read((state) => auditData(state.audit(), state.listings.assets)),
  } as const satisfies Record<string, OperatorHandler>;
}

async function listAsset(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'asset_listed', () => {
    const spec = readAsset(input);
    return isRefused(spec) ? spec : { kind: 'list_asset', spec };
  });
  return isRefused(event) ? event : assetData(event.asset);
}

async function listSpot(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'spot_listed', ({ listings }) => {
    const spec = readPair(input, listings);
    return isRefused(spec) ? spec : { kind: 'list_spot', spec };
  });
  return isRefused(event) ? event : pairData(event.instrument);
}

async function changePair(
  venue: VenuePort,
  build: (state: StateReader) => Command | Refused,
): Promise<object | Refused> {
  const event = await carryOut(venue, 'spot_updated', build);
  return isRefused(event) ? event : pairData(event.instrument);
}

function changesOf({ listings }: StateReader, call: OperatorCall): Command | Refused {
  const pair = findPair(listings, call.path.symbol ?? '');
  if (isRefused(pair)) return pair;
  const changes = readPairChanges(call.input, pair);
  if (isRefused(changes)) return changes;
  return { kind: 'update_spot', instrumentId: pair.instrumentId, changes };
}

function setStatus(
  { listings }: StateReader,
  call: OperatorCall,
  status: MarketStatus,
): Command | Refused {
  const pair = findPair(listings, call.path.symbol ?? '');
  if (isRefused(pair)) return pair;
  return { kind: 'update_spot', instrumentId: pair.instrumentId, changes: { status } };
}
