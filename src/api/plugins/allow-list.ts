/** Which addresses may use a key: single ones or CIDR blocks, of both families. */
import { BlockList, isIP } from 'node:net';

/** An address without the zone that an IPv6 link may carry, as in fe80::1%eth0. */
function plainAddress(address: string): string {
  return address.split('%', 1)[0] ?? address;
}

/** Compiles a list of addresses and CIDR blocks; undefined when an entry is neither. */
function compileAllowList(entries: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const entry of entries) {
    if (!addEntry(list, entry)) return undefined;
  }
  return list;
}

function addEntry(list: BlockList, entry: string): boolean {
  const slash = entry.indexOf('/');
  const address = slash === -1 ? entry : entry.slice(0, slash);
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

/** Whether a caller's address is on a list; an empty list admits every address. */
export function isAllowed(entries: readonly string[], address: string): boolean {
  if (entries.length === 0) return true;
  let list = compiled.get(entries);
  if (list === undefined) {
    // A list that cannot be compiled admits no address.
    list = compileAllowList(entries) ?? new BlockList();
    compiled.set(entries, list);
  }
  const plain = plainAddress(address);
  // An IPv4 address in IPv6 clothes, as dual-stack sockets report it, matches IPv4 entries.
  return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4');
}
