/**
 * The log of what operators do. An action is written before it is carried out, and how it ended
 * after it. Entries are chained by a keyed hash: who can write the tables, but has not the master
 * key, cannot change one, or leave one out, without its showing.
 */
import { createHmac, hkdfSync } from 'node:crypto';
import { PeopleUnavailable } from '#domain';
import type { LazyPeople } from '../open.ts';
import type {
  ActionOutcome,
  ActionsQuery,
  LogEntry,
  LoggedAction,
  LogHead,
  NewAction,
} from './action-log-port.ts';

/** Entries that wait to be written; with more an action is refused. */
const WAITING_MAX = 1_000;
const BATCH_MAX = 100;
/** Each time another process was first. */
const TRIES_MAX = 100;
const READ_AT_ONCE = 500;
/** Files that are written at the same time. */
const READERS_MAX = 4;
/** Of one kind by one operator that is made all the time, one in so long is written. */
const FREQUENT_MS = 60_000;
const FREQUENT_MAX = 1_000;
const KEY_BYTES = 32;

type Draft = Omit<LogEntry, 'entryId' | 'actionId' | 'hash'> & { readonly actionId: number };

interface Waiting {
  readonly draft: Draft;
  resolve(entryId: number): void;
  reject(error: unknown): void;
}

export interface ActionLogOptions {
  readonly people: LazyPeople;
  readonly masterKey: Uint8Array;
  readonly nowMs: () => number;
  readonly keepMs: number;
  readonly keepMax: number;
  readonly onFault: (error: unknown) => void;
}

/** Whether every entry follows the one before it. */
export interface LogVerdict {
  readonly intact: boolean;
  readonly entriesCount: number;
  /** The newest entry: whoever notes its hash sees later whether the end was cut off. */
  readonly head: LogHead;
  /** The first entry that is not as it was written; undefined for none. */
  readonly brokenAt: number | undefined;
}

export class ActionLog {
  readonly #options: ActionLogOptions;
  readonly #key: Uint8Array;
  readonly #waiting: Waiting[] = [];
  /** Outcomes that could not be written: they go with the next entry. */
  #late: Waiting[] = [];
  readonly #frequent = new Map<string, { untilMs: number; unwritten: number }>();
  readonly #counts = new Map<ActionOutcome, number>();
  #readers = 0;
  #head: LogHead | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: ActionLogOptions) {
    this.#options = options;
    const key = hkdfSync('sha256', options.masterKey, '', 'outcry operator log 1', KEY_BYTES);
    this.#key = new Uint8Array(key);
  }

  /** Actions of this process by how they ended. */
  get counts(): readonly (readonly [ActionOutcome, number])[] {
    return [...this.#counts];
  }

  /** Outcomes that are not written yet. */
  get lateCount(): number {
    return this.#late.length;
  }

  /** The number of the action, once it is on disk. Rejects with PeopleUnavailable. */
  begin(action: NewAction): Promise<number> {
    const { nowMs } = this.#options;
    return this.#append({ ...action, actionId: 0, timeMs: nowMs(), outcome: '', answer: '' });
  }

  /** As begin for what is made all the time: undefined where this one is only counted. */
  async beginFrequent(action: NewAction): Promise<number | undefined> {
    const nowMs = this.#options.nowMs();
    const name = `${action.operatorId} ${action.kind} ${action.path}`;
    const known = this.#frequent.get(name);
    if (known !== undefined && nowMs < known.untilMs && known.untilMs - nowMs <= FREQUENT_MS) {
      known.unwritten += 1;
      return undefined;
    }
    if (this.#frequent.size >= FREQUENT_MAX) this.#frequent.clear();
    this.#frequent.set(name, { untilMs: nowMs + FREQUENT_MS, unwritten: 0 });
    const unwritten = known?.unwritten ?? 0;
    if (unwritten === 0) return this.begin(action);
    return this.begin({ ...action, asked: `${unwritten} more like this before; ${action.asked}` });
  }

  /** How an action ended; nobody waits until it is written. */
  end(actionId: number, action: NewAction, outcome: ActionOutcome, answer: string): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    const short = { ...action, path: '', reason: '', asked: '', address: '' };
    const timeMs = this.#options.nowMs();
    this.#append({ ...short, actionId, timeMs, outcome, answer }).catch(this.#options.onFault);
  }

  /** Newest first, with all that was done before the call. */
  async actions(query: ActionsQuery): Promise<readonly LoggedAction[]> {
    await this.settled();
    return (await this.#options.people.get()).actions(query);
  }

  /** All that is found, page by page; undefined while as many as may be are read already. */
  pages(query: Omit<ActionsQuery, 'limit'>): AsyncGenerator<readonly LoggedAction[]> | undefined {
    return this.#readers < READERS_MAX ? this.#pages(query) : undefined;
  }

  async *#pages(query: Omit<ActionsQuery, 'limit'>): AsyncGenerator<readonly LoggedAction[]> {
    this.#readers += 1;
    try {
      let { before } = query;
      for (;;) {
        const found = await this.actions({ ...query, before, limit: READ_AT_ONCE });
        yield found;
        before = found.at(-1)?.actionId;
        if (found.length < READ_AT_ONCE) return;
      }
    } finally {
      this.#readers -= 1;
    }
  }

  /** Resolves once everything that waits is written, or could not be. */
  async settled(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  /** Reads everything. */
  async verify(): Promise<LogVerdict> {
    await this.settled();
    const store = await this.#options.people.get();
    const head = await store.logHead();
    let last = (await store.trimmedLog()) ?? { entryId: 0, hash: '' };
    let entriesCount = 0;
    while (last.entryId < head.entryId) {
      const entries = await store.logEntries(last.entryId, READ_AT_ONCE);
      for (const entry of entries) {
        const isNext = entry.entryId === last.entryId + 1;
        if (!isNext || this.#hashOf(last.hash, entry) !== entry.hash) {
          return { intact: false, entriesCount, head, brokenAt: last.entryId + 1 };
        }
        last = { entryId: entry.entryId, hash: entry.hash };
        entriesCount += 1;
        if (entry.entryId === head.entryId) break;
      }
      if (entries.length === 0) break;
    }
    const intact = last.entryId === head.entryId && last.hash === head.hash;
    return { intact, entriesCount, head, brokenAt: intact ? undefined : last.entryId + 1 };
  }

  /** Deletes what need not be kept. */
  async trim(): Promise<void> {
    const { people, nowMs, keepMs, keepMax } = this.#options;
    await (await people.get()).trimLog(nowMs() - keepMs, keepMax);
  }

  #append(draft: Draft): Promise<number> {
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new PeopleUnavailable('the log of operators: too many wait for it'));
    }
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#waiting.push({ draft, resolve, reject });
    this.#writing ??= this.#write();
    return promise;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = [...this.#late, ...this.#waiting.splice(0, BATCH_MAX)];
      this.#late = [];
      try {
        await this.#writeAll(batch);
      } catch (error) {
        this.#head = undefined;
        this.#keepOutcomes(batch, error);
      }
    }
    // In the turn in which nothing waited any more: what comes from now on begins anew.
    this.#writing = undefined;
  }

  /** What was done is not forgotten because it could not be written at once. */
  #keepOutcomes(batch: readonly Waiting[], error: unknown): void {
    for (const one of batch) {
      if (one.draft.outcome !== '' && this.#late.length < WAITING_MAX) this.#late.push(one);
      else one.reject(error);
    }
  }

  async #writeAll(batch: readonly Waiting[]): Promise<void> {
    const store = await this.#options.people.get();
    for (let triesLeft = TRIES_MAX; triesLeft > 0; triesLeft -= 1) {
      const head = this.#head ?? (await store.logHead());
      const entries = this.#chained(head, batch);
      if (await store.appendLog(head, entries)) {
        this.#head = entries.at(-1) ?? head;
        for (const [at, { resolve }] of batch.entries()) resolve(entries[at]?.entryId ?? 0);
        return;
      }
      this.#head = undefined;
    }
    throw new PeopleUnavailable('the log of operators: others write all the time');
  }

  #chained(head: LogHead, batch: readonly Waiting[]): LogEntry[] {
    let { entryId, hash } = head;
    return batch.map(({ draft }) => {
      entryId += 1;
      const actionId = draft.outcome === '' ? entryId : draft.actionId;
      const entry = { ...draft, entryId, actionId };
      hash = this.#hashOf(hash, entry);
      return { ...entry, hash };
    });
  }

  #hashOf(before: string, entry: Omit<LogEntry, 'hash'>): string {
    const { entryId, actionId, timeMs, operatorId, operatorName, role, kind, path } = entry;
    const { account, address, requestId, reason, asked, outcome, answer } = entry;
    const fields = [
      ...[before, entryId, actionId, timeMs, operatorId, operatorName, role, kind, path],
      ...[account, address, requestId, reason, asked, outcome, answer],
    ];
    return createHmac('sha256', this.#key).update(JSON.stringify(fields)).digest('hex');
  }
}
