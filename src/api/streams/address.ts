/** Where the client of a socket is: the last address that is not a trusted proxy's own. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isAllowed } from '../plugins/allow-list.ts';

/** Believes X-Forwarded-For only as far as trusted proxies wrote it. */
export function callerAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  let address = request.socket.remoteAddress ?? '';
  if (trustedProxies.length === 0) return address;
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',');
  while (isAllowed(trustedProxies, address)) {
    const hop = hops.pop()?.trim() ?? '';
    if (isIP(hop) === 0) return address;
    address = hop;
  }
  return address;
}
