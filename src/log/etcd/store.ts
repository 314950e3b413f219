/** The store in an etcd cluster: its calls in etcd's words, and what is answered in ours. */
import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  type Change,
  type Comparison,
  type KeyRange,
  type Operation,
  type Outcome,
  type Query,
  type Store,
  type Stored,
  StoreFault,
  type Timing,
  type Transaction,
  type WatchFrom,
} from '../shared/store.ts';
import type { LogRoom, SharedLogPlace } from '../shared-log.ts';
import { Endpoints, isServiceError } from './endpoints.ts';
import { isLeaseGone } from './errors.ts';
import type { KeyValue, StatusResponse } from './protocol.ts';
import { watchRange } from './watch.ts';

/** What etcd has where its flag does not say. */
const QUOTA_BYTES = 2 * 1024 ** 3;
/** Numbers of leases are our own: etcd's do not fit a number. */
const LEASE_MAX = 2 ** 48 - 1;
const NEWS_MS = 500;

const TIMING: Timing = {
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};

export class EtcdStore implements Store {
  readonly place: string;
  readonly timing = TIMING;
  readonly #endpoints: Endpoints;
  readonly #quotaBytes: number;
  #contactMs = Number.NEGATIVE_INFINITY;

  constructor(place: SharedLogPlace) {
    this.place = `etcd at ${place.endpoints.join(', ')}`;
    this.#endpoints = new Endpoints(place);
    this.#quotaBytes = place.quotaBytes ?? QUOTA_BYTES;
  }

  get contactMs(): number {
    return this.#contactMs;
  }

  async transact(transaction: Transaction, timeoutMs: number): Promise<Outcome> {
    const { when, write, otherwise = [] } = transaction;
    const sentMs = performance.now();
    const request = {
      compare: when.map(compareOf),
      success: write.map(operationOf),
      failure: otherwise.map(operationOf),
    };
    const answer = await this.#endpoints.call('KV/Txn', request, timeoutMs);
    this.#contactMs = Math.max(this.#contactMs, sentMs);
    const ranges = answer.responses.map(({ responseRange }) => responseRange);
    const found = ranges.filter((range) => range !== undefined && range !== null);
    return {
      held: answer.succeeded,
      revision: answer.header.revision,
      found: found.map(({ kvs }) => kvs.map(storedOf)),
    };
  }

  watch(from: WatchFrom): AsyncIterable<readonly Change[]> {
    return watchRange(this.#endpoints, from, (asked) => this.#hasNews(asked));
  }

  async compact(revision: number, timeoutMs: number): Promise<void> {
    try {
      await this.#endpoints.call('KV/Compact', { revision }, timeoutMs);
    } catch (error) {
      if (!(error instanceof StoreFault && error.kind === 'compacted')) throw error;
    }
  }

  async room(timeoutMs: number): Promise<LogRoom> {
    const all = await this.#endpoints.callAll('Maintenance/Status', {}, timeoutMs);
    const most = (of: (status: StatusResponse) => number): number => Math.max(...all.map(of));
    const told = all.map(({ dbSizeQuota }) => dbSizeQuota).filter((bytes) => bytes > 0);
    return {
      usedBytes: most(({ dbSizeInUse }) => dbSizeInUse),
      fileBytes: most(({ dbSize }) => dbSize),
      quotaBytes: Math.min(...(told.length > 0 ? told : [this.#quotaBytes])),
      isFull: all.some(({ errors }) => errors.some((text) => text.includes('NOSPACE'))),
    };
  }

  async grant(seconds: number, timeoutMs: number): Promise<number> {
    const lease = randomInt(1, LEASE_MAX);
    await this.#endpoints.call('Lease/LeaseGrant', { ID: lease, TTL: seconds }, timeoutMs);
    return lease;
  }

  async keep(lease: number, timeoutMs: number): Promise<boolean> {
    const answer = await this.#endpoints.exchange('Lease/LeaseKeepAlive', { ID: lease }, timeoutMs);
    return answer.TTL > 0;
  }

  async revoke(lease: number, timeoutMs: number): Promise<void> {
    try {
      await this.#endpoints.call('Lease/LeaseRevoke', { ID: lease }, timeoutMs);
    } catch (error) {
      const { cause } = error instanceof StoreFault ? error : {};
      if (!(isServiceError(cause) && isLeaseGone(cause))) throw error;
    }
  }

  close(): void {
    this.#endpoints.close();
  }

  /** Without an answer there is no news yet. */
  async #hasNews({ expected, revision }: WatchFrom): Promise<boolean> {
    const query = { ...expected(), limit: 1, isKeysOnly: true, minRevision: revision };
    const transaction = { when: [], write: [{ kind: 'get', query }] } as const;
    const outcome = await this.transact(transaction, NEWS_MS).catch((error: unknown) => {
      if (error instanceof StoreFault) return undefined;
      throw error;
    });
    return (outcome?.found[0]?.length ?? 0) > 0;
  }
}

function compareOf({ key, of, revision }: Comparison): object {
  return of === 'mod'
    ? { result: 'EQUAL', target: 'MOD', key, modRevision: revision }
    : { result: 'EQUAL', target: 'CREATE', key, createRevision: revision };
}

function operationOf(operation: Operation): object {
  switch (operation.kind) {
    case 'put': {
      const { key, value, lease = 0 } = operation;
      return { requestPut: { key, value, lease } };
    }
    case 'delete':
      return { requestDeleteRange: rangeOf(operation.range) };
    case 'get':
      return { requestRange: queryOf(operation.query) };
  }
}

function rangeOf({ from, end }: KeyRange): { readonly key: string; readonly rangeEnd: string } {
  return { key: from, rangeEnd: end };
}

function queryOf(query: Query): object {
  const { limit = 0, isReversed = false, isKeysOnly = false, minRevision = 0 } = query;
  return {
    ...rangeOf(query),
    limit,
    sortOrder: isReversed ? 'DESCEND' : 'NONE',
    keysOnly: isKeysOnly,
    minModRevision: minRevision,
  };
}

function storedOf({ key, value, createRevision, modRevision }: KeyValue): Stored {
  return { key, value, createRevision, modRevision };
}
