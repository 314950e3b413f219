/**
 * Whether somebody signs in from a device or a network that they have not signed in from before.
 * A guess, for a mail to the owner: nothing is refused for it.
 */
import type { From, PeopleContext } from '../context.ts';
import type { PeopleStore } from '../port.ts';
import type { Person } from './port.ts';

/** The newest of so many sign-ins are looked at. */
const SIGN_INS_MAX = 200;
/** Whoever is known for longer has signed in before, even if that is no longer written anywhere. */
const FIRST_WITHIN_MS = 30 * 86_400_000;

/** To be asked before the sign-in is written down. */
export async function isFromNewPlace(
  { nowMs }: Pick<PeopleContext, 'nowMs'>,
  store: PeopleStore,
  { personId, createdMs }: Person,
  { address, agent }: From,
): Promise<boolean> {
  const query = { personId, kind: 'signed_in', before: undefined, limit: SIGN_INS_MAX } as const;
  const earlier = await store.events(query);
  if (earlier.length === 0) return nowMs() - createdMs > FIRST_WITHIN_MS;
  const isDevice = earlier.some((one) => deviceOf(one.agent) === deviceOf(agent));
  const isNetwork = earlier.some((one) => networkOf(one.address) === networkOf(address));
  return !isDevice || !isNetwork;
}

/** A browser is the same one in its next version. */
function deviceOf(agent: string): string {
  return agent.replace(/[0-9]+([._][0-9]+)*/g, '').slice(0, 150);
}

/** The first half of an IPv4 address, three groups of IPv6: providers hand out others within it. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  const parts = plain.includes(':') ? plain.split(':').slice(0, 3) : plain.split('.').slice(0, 2);
  return parts.join(' ');
}
