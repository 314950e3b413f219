/**
 * Who may be connected. Some places are kept for keys: once those for anybody are taken, a
 * newcomer may stand for as long as a login takes, and the one standing longest makes room. So no
 * flood of connections without a key keeps a key out.
 */
import type { OwnerCount } from '../bounds/connection-tally.ts';
import { networkOf } from '../plugins/network.ts';
import type { Connection } from './connection.ts';
import type { StreamLimits } from './limits.ts';

/** Connections of one address that may stand at a time. */
const STANDING_PER_ADDRESS_MAX = 10;

interface Place {
  readonly network: string;
  /** Since when it stands; undefined once it is seated or logged in. */
  sinceMs: number | undefined;
  /** Key and account once it is logged in. */
  owners: readonly string[];
}

export class Places {
  readonly #limits: StreamLimits;
  readonly #isLimiting: boolean;
  /** In the order they came. */
  readonly #places = new Map<Connection, Place>();
  /** Connections by who has them: addresses those without a login, keys and accounts the others. */
  readonly #counts = new Map<string, number>();
  #anonymousCount = 0;
  #standingCount = 0;

  constructor(limits: StreamLimits, isLimiting: boolean) {
    this.#limits = limits;
    this.#isLimiting = isLimiting;
  }

  /** Makes room for a newcomer, at the cost of one who stands; false when there is none. */
  makeRoom(address: string): boolean {
    const network = networkOf(address);
    const mustStand = !this.#hasSeat(network);
    if (mustStand && this.#standingOf(network).length >= STANDING_PER_ADDRESS_MAX) {
      this.#cutOldest(network);
    }
    if (this.#places.size < this.#limits.connectionsMax) return true;
    return this.#cutOldest(this.#mostStanding());
  }

  add(connection: Connection, nowMs: number): void {
    const network = networkOf(connection.address);
    const sinceMs = this.#hasSeat(network) ? undefined : nowMs;
    this.#places.set(connection, { network, sinceMs, owners: [] });
    if (sinceMs === undefined) this.#seat(network, 1);
    else this.#standingCount += 1;
  }

  /** Gives a connection that has logged in a place for keys; false when its owner has too many. */
  login(connection: Connection): boolean {
    const place = this.#places.get(connection);
    if (place === undefined || place.owners.length > 0) return true;
    const owners = connection.owners;
    const max = this.#isLimiting ? this.#limits.connectionsPerCallerMax : Number.MAX_SAFE_INTEGER;
    if (owners.some((owner) => (this.#counts.get(owner) ?? 0) >= max)) return false;
    this.#leave(place);
    place.owners = owners;
    for (const owner of owners) this.#count(owner, 1);
    return true;
  }

  remove(connection: Connection): void {
    const place = this.#places.get(connection);
    if (place === undefined) return;
    this.#places.delete(connection);
    if (place.owners.length === 0) this.#leave(place);
    for (const owner of place.owners) this.#count(owner, -1);
  }

  /** How many connections owners have; all who have any, when none are named. */
  ownerCounts(owners?: readonly string[]): OwnerCount[] {
    const named = owners ?? new Set([...this.#places.values()].flatMap((place) => place.owners));
    return [...named].map((owner) => [owner, this.#counts.get(owner) ?? 0]);
  }

  /** True when a connection has stood for longer than a login takes. */
  isOverdue(connection: Connection, nowMs: number): boolean {
    const sinceMs = this.#places.get(connection)?.sinceMs;
    return sinceMs !== undefined && nowMs - sinceMs >= this.#limits.loginMaxMs;
  }

  #hasSeat(network: string): boolean {
    const { connectionsMax, connectionsForKeys, connectionsPerCallerMax } = this.#limits;
    if (this.#anonymousCount >= connectionsMax - connectionsForKeys) return false;
    return !this.#isLimiting || (this.#counts.get(network) ?? 0) < connectionsPerCallerMax;
  }

  /** It is no longer one without a login. */
  #leave(place: Place): void {
    if (place.sinceMs === undefined) this.#seat(place.network, -1);
    else this.#standingCount -= 1;
    place.sinceMs = undefined;
  }

  #seat(network: string, change: 1 | -1): void {
    this.#anonymousCount += change;
    this.#count(network, change);
  }

  #count(caller: string, change: 1 | -1): void {
    const count = (this.#counts.get(caller) ?? 0) + change;
    if (count === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, count);
  }

  #standingOf(network: string): Connection[] {
    if (this.#standingCount === 0) return [];
    const standing: Connection[] = [];
    for (const [connection, place] of this.#places) {
      if (place.sinceMs !== undefined && place.network === network) standing.push(connection);
    }
    return standing;
  }

  /** The address from which most stand; undefined when none does. */
  #mostStanding(): string | undefined {
    const counts = new Map<string, number>();
    let most: string | undefined;
    for (const { network, sinceMs } of this.#places.values()) {
      if (sinceMs === undefined) continue;
      counts.set(network, (counts.get(network) ?? 0) + 1);
      if ((counts.get(network) ?? 0) > (counts.get(most ?? '') ?? 0)) most = network;
    }
    return most;
  }

  #cutOldest(network: string | undefined): boolean {
    const [oldest] = network === undefined ? [] : this.#standingOf(network);
    if (oldest === undefined) return false;
    this.remove(oldest);
    oldest.cut();
    return true;
  }
}
