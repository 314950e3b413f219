/**
 * How many connections an address, or IPv6 network, has open at a time, whatever it does with them:
 * each takes a descriptor of the process, and without a bound one address could take them all.
 */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { isAllowed } from '../plugins/allow-list.ts';
import { networkOf } from '../plugins/network.ts';
import { Tally } from './tally.ts';

const PER_ADDRESS_MAX = 2_048;

/** One more is closed at once. A trusted proxy has those of many and is not bounded. */
export function boundConnections(
  server: EventEmitter,
  trustedProxies: readonly string[],
  perAddressMax = PER_ADDRESS_MAX,
): void {
  const tally = new Tally();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    // An empty list allows everybody.
    if (trustedProxies.length > 0 && isAllowed(trustedProxies, remoteAddress)) return;
    const network = networkOf(remoteAddress);
    if (tally.enter(network, perAddressMax)) socket.once('close', () => tally.leave(network));
    else socket.destroy();
  });
}
