/** Spot events, purses and books in the words of a trader: what spot tests compare line by line. */
import type { AccountId, Event, SpotSpec } from '#domain';
import { formatTrimmed, present } from '#kernel';
import { BTCUSDT, Floor } from '../support/floor.ts';

/** One line an event, in the words of a trade log. */
function tell(event: Event): string {
  switch (event.kind) {
    case 'refused':
      return `refused ${event.reject}`;
    case 'order_accepted':
      return 'accepted';
    case 'order_rested':
      return `rests ${formatTrimmed(event.openLots, 4)} @ ${formatTrimmed(event.priceTicks, 2)}`;
    case 'trade':
      return `trade ${formatTrimmed(event.sizeLots, 4)} @ ${formatTrimmed(event.priceTicks, 2)}`;
    case 'order_moved':
      return `moved${event.keptLots > 0 ? ', keeps its place' : ''}`;
    case 'order_closed':
      return `closed ${event.reason} ${formatTrimmed(event.order.filledLots, 4)}`;
    default:
      return event.kind;
  }
}

export function told(events: readonly Event[]): string[] {
  return events.map(tell);
}

/** "available+held" of a coin, trimmed. */
export function purse(venue: Floor, accountId: AccountId, code: string): string {
  const asset = present(venue.engine.listings.assetByCode(code), code);
  const balance = venue.engine.account(accountId)?.balance('spot', asset.assetId);
  if (balance === undefined) return '0+0';
  return `${formatTrimmed(balance.available, 8)}+${formatTrimmed(balance.held, 8)}`;
}

export function book(venue: Floor): { asks: string[]; bids: string[] } {
  const side = (name: 'buy' | 'sell') =>
    [...venue.engine.bookLevels(BTCUSDT, name)].map(
      ({ priceTicks, lots }) => `${formatTrimmed(lots, 4)} @ ${formatTrimmed(priceTicks, 2)}`,
    );
  return { asks: side('sell'), bids: side('buy') };
}

export function twoTraders(terms: Partial<SpotSpec> = {}) {
  const venue = Floor.listed(terms);
  const alice = venue.open('alice', { USDT: '100000' });
  const bob = venue.open('bob', { BTC: '10' });
  return { venue, alice, bob };
}
