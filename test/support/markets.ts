/** Finds markets by the names that the classic interface, which most tests trade over, has. */
import { CLASSIC_SPELLING } from '#dialects';
import type { Contract, Listings } from '#domain';
import { present } from '#kernel';

/** BTC-USDT of BTCUSDT_SPBL; any other name stays as it is. */
export function symbolOf(name: string): string {
  return CLASSIC_SPELLING.neutralOf(name) ?? name;
}

export function contractOf(listings: Listings, name: string): Contract {
  return present(listings.contract(symbolOf(name)), name);
}
