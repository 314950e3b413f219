/** Which addresses may use a key: single ones or CIDR blocks, of both families. */
import { BlockList, isIP } from 'node:net';

const MAPPED_PREFIX = '::ffff:';

/** An IPv4 address that came in IPv6 clothes is compared as what it is. */
export function plainAddress(address: string): string {
  const lower = address.toLowerCase();
  const inner = lower.startsWith(MAPPED_PREFIX) ? lower.slice(MAPPED_PREFIX.length) : '';
  if (isIP(inner) === 4) return inner;
  const zone = lower.indexOf('%');
  return zone === -1 ? lower : lower.slice(0, zone);
}

/** Compiles a list of addresses and CIDR blocks; undefined when an entry is neither. */
export function compileAllowList(entries: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    if (!addEntry(list, entry)) return undefined;
  }
  return list;
}

function addEntry(list: BlockList, entry: string): boolean {
  const slash = entry.indexOf('/');
  const address = plainAddress(slash === -1 ? entry : entry.slice(0, slash));
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (slash === -1) {
    list.addAddress(address, type);
    return true;
  }
  const bits = entry.slice(slash + 1);
  if (!/^[0-9]{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) return false;
  list.addSubnet(address, Number(bits), type);
  return true;
}

const compiled = new WeakMap<readonly string[], BlockList>();

/** Whether a caller's address is on a list; an empty list lets everybody in. */
export function isAllowed(entries: readonly string[], address: string): boolean {
  if (entries.length === 0) return true;
  let list = compiled.get(entries);
  if (list === undefined) {
    // A list that cannot be compiled lets nobody in.
    list = compileAllowList(entries) ?? new BlockList();
    compiled.set(entries, list);
  }
  const plain = plainAddress(address);
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
