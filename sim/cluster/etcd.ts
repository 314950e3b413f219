/**
 * The servers of the store that all processes share. What is written is agreed on at once or not
 * at all, as far as anybody sees; a server shows it when it has heard of it. Without a leader, or
 * away from it, calls fail, and some of them act all the same, later.
 */
import { type Change, type MemoryKeys, StoreFault, type Transaction } from '#log/testing';
import type { Draw } from '../world/draw.ts';
import type { Network } from './network.ts';

export const ETCD_SERVERS = ['etcd-1', 'etcd-2', 'etcd-3'] as const;
export type EtcdServer = (typeof ETCD_SERVERS)[number];

/** As gRPC has them. */
const CODES = { notFound: 5, outOfRange: 11, unavailable: 14 } as const;
/** A server answers by itself when it has waited so long for a leader. */
const GIVEN_UP_MS = 700;
/** Until then an entry that nobody has heard of may still be agreed on. */
const LATE_MAX_MS = 3_000;

export type Answer = Readonly<Record<string, unknown>>;
export type Back = (error: Error | undefined, answer?: Answer) => void;

export interface Watcher {
  push(response: Answer): void;
  fail(error: Error): void;
}

interface Range {
  readonly key: string;
  readonly rangeEnd: string;
}

export class EtcdServers {
  readonly #network: Network;
  readonly #keys: MemoryKeys;
  readonly #draw: Draw;
  readonly #lagsMs = new Map<string, number>();
  readonly #down = new Set<string>();
  /** By the numbers that clients give them. */
  readonly #leases = new Map<number, number>();
  readonly #watchers = new Map<Watcher, string>();
  #leader: string = ETCD_SERVERS[0];
  #hasLeader = true;

  constructor(network: Network, keys: MemoryKeys) {
    this.#network = network;
    this.#keys = keys;
    this.#draw = network.world.draw('etcd');
  }

  /** A server hears of what is agreed on so much later. */
  lag(server: EtcdServer, ms: number): void {
    this.#lagsMs.set(server, ms);
  }

  /** The server ends: its connections break, or go silent, and stay so when it is back. */
  end(server: EtcdServer): void {
    this.#down.add(server);
    this.#breakOff((at) => at === server);
    for (const [watcher, at] of this.#watchers) if (at === server) this.#watchers.delete(watcher);
    if (server === this.#leader) this.loseLeader();
  }

  loseLeader(): void {
    this.#hasLeader = false;
    this.#breakOff(() => true);
  }

  /** The next one leads; leases begin anew under it. */
  elect(): void {
    const { nowMs } = this.#network.world;
    const able = ETCD_SERVERS.filter((one) => !this.#down.has(one));
    this.#leader = this.#draw.of(able) ?? this.#leader;
    this.#hasLeader = able.length > 1;
    for (const lease of this.#leases.values()) this.#keys.keep(lease, nowMs);
  }

  heal(): void {
    this.#down.clear();
    this.#lagsMs.clear();
    if (!this.#hasLeader) this.elect();
  }

  /** A call has arrived. */
  call(server: string, name: string, request: Answer, back: Back): void {
    const { world } = this.#network;
    if (this.#down.has(server)) {
      if (this.#draw.percent(70)) back(failure(CODES.unavailable, 'connection refused'));
      return;
    }
    if (name === 'Maintenance/Status') {
      world.at(this.#lagMs(server), () => back(undefined, this.#status()));
      return;
    }
    const commit = (): void => {
      if (!this.#reachesLeader(server)) {
        this.#fail(name, request, back);
        return;
      }
      const [error, answer] = this.#act(name, request);
      world.at(this.#lagMs(server), () => back(error, answer));
    };
    const isLeader = server === this.#leader;
    world.at(isLeader ? 0 : this.#network.delayMs() + this.#network.delayMs(), commit);
  }

  /** Each server tells it by itself. */
  #status(): Answer {
    const { usedBytes, fileBytes, quotaBytes, isFull } = this.#keys.room;
    const errors = isFull ? ['alarm:NOSPACE'] : [];
    return { dbSize: fileBytes, dbSizeInUse: usedBytes, dbSizeQuota: quotaBytes, errors };
  }

  /** What the server has is given at once, then what it hears of. Gives what ends it. */
  watch(server: string, { key, rangeEnd }: Range, from: number, watcher: Watcher): () => void {
    const { world } = this.#network;
    if (this.#down.has(server)) {
      if (this.#draw.percent(70)) watcher.fail(failure(CODES.unavailable, 'connection refused'));
      return () => undefined;
    }
    let next = from;
    let dueMs = 0;
    const look = (): void => {
      const written = this.#written(next, { key, rangeEnd }, watcher);
      next = this.#keys.revision + 1;
      for (const [, changes] of Map.groupBy(written, ({ revision }) => revision)) {
        const events = changes.map(({ change, revision }) => eventOf(change, revision));
        const push = (): void => {
          const isServed = this.#watchers.has(watcher) && !this.#down.has(server);
          if (isServed) watcher.push({ ...WATCHED, events });
        };
        // In order, also when the server has caught up.
        dueMs = Math.max(dueMs, world.nowMs + this.#lagMs(server));
        world.at(dueMs - world.nowMs, push);
      }
    };
    this.#watchers.set(watcher, server);
    const leave = this.#keys.onWrite(look);
    look();
    return () => {
      leave();
      this.#watchers.delete(watcher);
    };
  }

  #written(from: number, { key, rangeEnd }: Range, watcher: Watcher) {
    try {
      return this.#keys.changesFrom(from, { from: key, end: rangeEnd });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#network.world.coverage.count('watch behind a compaction');
      watcher.push({ ...WATCHED, canceled: true, compactRevision: 1, events: [] });
      return [];
    }
  }

  #lagMs(server: string): number {
    const own = server === this.#leader ? 0 : this.#network.delayMs() / 2;
    return own + (this.#lagsMs.get(server) ?? 0);
  }

  /** It leads with another one beside it, or reaches the one that does. */
  #reachesLeader(server: string): boolean {
    if (!this.#hasLeader || this.#down.has(server) || this.#down.has(this.#leader)) return false;
    return server === this.#leader || !this.#network.isCut(server, this.#leader);
  }

  /** Nobody can tell from the answer whether it acts. */
  #fail(name: string, request: Answer, back: Back): void {
    const { world } = this.#network;
    world.coverage.count('call of the log without a leader');
    if (this.#draw.percent(40)) {
      world.at(this.#draw.below(LATE_MAX_MS), () => this.#act(name, request));
    }
    if (this.#draw.percent(30)) return;
    const error = failure(CODES.unavailable, 'etcdserver: request timed out');
    world.at(GIVEN_UP_MS, () => back(error));
  }

  #breakOff(isAt: (server: string) => boolean): void {
    for (const [watcher, server] of [...this.#watchers]) {
      if (!isAt(server) || this.#draw.percent(40)) continue;
      watcher.fail(failure(CODES.unavailable, 'etcdserver: no leader'));
    }
  }

  #act(name: string, request: Answer): [Error | undefined, Answer?] {
    try {
      return [undefined, this.#carryOut(name, request)];
    } catch (error) {
      if (error instanceof StoreFault) return [leaseGone()];
      this.#network.world.fail(error);
      return [undefined];
    }
  }

  #carryOut(name: string, request: Answer): Answer {
    const { nowMs } = this.#network.world;
    const lease = this.#leases.get(Number(request.ID)) ?? 0;
    switch (name) {
      case 'KV/Txn':
        return this.#transact(request);
      case 'KV/Compact':
        this.#keys.compact(Number(request.revision));
        return {};
      case 'Lease/LeaseGrant':
        this.#grant(Number(request.ID), Number(request.TTL));
        return {};
      case 'Lease/LeaseKeepAlive':
        return { TTL: this.#keys.keep(lease, nowMs) ? 1 : 0 };
      case 'Lease/LeaseRevoke':
        if (this.#keys.leftMs(lease, nowMs) === undefined) throw new StoreFault('unknown', 'gone');
        this.#keys.revoke(lease);
        return {};
      default:
        throw new Error(`no call ${name} of etcd is simulated`);
    }
  }

  #transact({ compare, success, failure: otherwise }: Answer): Answer {
    const operations = (all: unknown) => rowsOf(all).map((one) => this.#operation(one));
    const { held, revision, found } = this.#keys.transact({
      when: rowsOf(compare).map(({ key, target, modRevision, createRevision }) => {
        const isMod = target === 'MOD';
        const of = isMod ? ('mod' as const) : ('create' as const);
        return { key: String(key), of, revision: Number(isMod ? modRevision : createRevision) };
      }),
      write: operations(success),
      otherwise: operations(otherwise),
    });
    const responses = found.map((kvs) => ({ responseRange: { kvs } }));
    return { succeeded: held, header: { revision }, responses };
  }

  #operation({
    requestPut,
    requestRange,
    requestDeleteRange,
  }: Answer): Transaction['write'][number] {
    if (requestPut !== undefined) {
      const { key, value, lease } = requestPut as Answer;
      const own = lease === 0 ? undefined : (this.#leases.get(Number(lease)) ?? 0);
      return { kind: 'put', key: String(key), value: String(value), lease: own };
    }
    const { key, rangeEnd, limit, ...how } = (requestRange ?? requestDeleteRange) as Answer;
    const range = { from: String(key), end: String(rangeEnd) };
    if (requestRange === undefined) return { kind: 'delete', range };
    const query = {
      ...range,
      limit: limit === 0 ? undefined : Number(limit),
      isReversed: how.sortOrder === 'DESCEND',
      isKeysOnly: how.keysOnly === true,
      minRevision: Number(how.minModRevision),
    };
    return { kind: 'get', query };
  }

  #grant(id: number, seconds: number): void {
    const lease = this.#keys.grant(seconds, this.#network.world.nowMs);
    this.#leases.set(id, lease);
    this.#watchOver(lease);
  }

  /** A lease ends in its time, whatever becomes of whoever was given it, while somebody leads. */
  #watchOver(lease: number): void {
    const { world } = this.#network;
    const leftMs = this.#keys.leftMs(lease, world.nowMs);
    if (leftMs === undefined) return;
    if (leftMs <= 0 && this.#hasLeader) this.#keys.revoke(lease);
    else world.at(Math.max(leftMs, 100), () => this.#watchOver(lease));
  }
}

const WATCHED = { canceled: false, compactRevision: 0, cancelReason: '', fragment: false } as const;

function eventOf(change: Change, modRevision: number): Answer {
  if (change.kind === 'put') return { type: 'PUT', kv: change.stored };
  return { type: 'DELETE', kv: { key: change.key, value: '', createRevision: 0, modRevision } };
}

function rowsOf(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? value : [];
}

function leaseGone(): Error {
  return failure(CODES.notFound, 'etcdserver: requested lease not found');
}

export function failure(code: number, details: string): Error {
  return Object.assign(new Error(`${code} ${details}`), { code, details });
}
