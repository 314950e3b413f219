/** The shared log over a store of keys: the port's methods, each by the file that does it. */
import { randomUUID } from 'node:crypto';
import { assert, present } from '#kernel';
import type { ChainLink, Head } from '../chain.ts';
import {
  type Announcement,
  type Claim,
  type FollowFrom,
  type Heartbeat,
  type Hold,
  type Leadership,
  type LogRoom,
  type MemberRecord,
  type MemberReport,
  type NewEntry,
  type Place,
  type PlaceWanted,
  SEALS_MAX,
  type SharedEntry,
  type SharedLog,
  type Trimmed,
  type Versions,
} from '../shared-log.ts';
import { Announcer } from './announcing.ts';
import { Appender } from './appender.ts';
import { asSharedLogFault, deposed, persistent, settled } from './attempts.ts';
import { Entries } from './entries.ts';
import { followEntries, readEntries } from './following.ts';
import { type KeySpace, only } from './keys.ts';
import { claimOf, inForce, NO_CLAIM_TOKEN, replaceClaim, settleTail } from './leadership.ts';
import { overwrite, valueAt } from './overwriting.ts';
import { Past } from './past.ts';
import { Places } from './places.ts';
import { decode, HEARTBEAT, HOLD, MEMBER, REPORT, VERSIONS_RECORD } from './records.ts';
import type { Store, Stored } from './store.ts';
import { readTail } from './tail.ts';
import { trimEntries, writeBase } from './trimming.ts';
import { readValues, type Values, watchValues } from './watching.ts';

/** The next heartbeat is due long before. */
const HEARTBEAT_MS = 500;
/** Somebody waits for an answer that depends on it. */
const CONFIRM_MS = 1_000;

interface Leading {
  readonly claim: Claim;
  readonly appender: Appender;
}

export class StoredSharedLog implements SharedLog {
  readonly #store: Store;
  readonly #keys: KeySpace;
  readonly #entries: Entries;
  readonly #nonce: () => string;
  readonly #past: Past;
  readonly #closing = new AbortController();
  #leading: Leading | undefined;

  constructor(store: Store, keys: KeySpace, nonce: () => string = randomUUID) {
    this.#store = store;
    this.#keys = keys;
    this.#entries = new Entries(store, keys);
    this.#nonce = nonce;
    this.#past = new Past(store);
  }

  get place(): string {
    return this.#store.place;
  }

  get contactMs(): number {
    return this.#store.contactMs;
  }

  async claim(seen: Claim | undefined, member: string): Promise<Leadership | undefined> {
    assert(member !== '', 'a claim has a holder');
    const record = { number: (seen?.number ?? 0) + 1, holder: member, nonce: this.#nonce() };
    const token = seen?.token ?? NO_CLAIM_TOKEN;
    const claim = await replaceClaim(this.#store, this.#keys, token, record);
    if (claim === undefined) return undefined;
    this.#endLeading();
    const leadership = await settleTail(this.#entries, claim);
    const appender = new Appender(this.#entries, leadership, this.#closing.signal);
    this.#leading = { claim, appender };
    return leadership;
  }

  async release(claim: Claim): Promise<boolean> {
    if (this.#leading?.claim.token === claim.token) this.#endLeading();
    const record = { number: claim.number, holder: '', nonce: this.#nonce() };
    const released = await replaceClaim(this.#store, this.#keys, claim.token, record);
    return released !== undefined;
  }

  async current(): Promise<Claim | undefined> {
    return claimOf(await valueAt(this.#store, this.#keys.claim));
  }

  watchClaim(signal: AbortSignal): AsyncIterable<Claim | undefined> {
    return this.#watch(only(this.#keys.claim), signal, (values) => claimOf(firstOf(values)));
  }

  append(claim: Claim, entry: NewEntry): Promise<void> {
    const appender = this.#appender(claim);
    return appender === undefined ? Promise.reject(deposed(claim.number)) : appender.append(entry);
  }

  acknowledged(claim: Claim): ChainLink {
    return present(this.#appender(claim), 'claim that this log has made').acknowledged;
  }

  follow(from: FollowFrom): AsyncIterable<readonly SharedEntry[]> {
    const signal = AbortSignal.any([from.signal, this.#closing.signal]);
    return followEntries(this.#entries, { ...from, signal });
  }

  read(fromSeq: number): AsyncIterable<readonly SharedEntry[]> {
    return readEntries(this.#entries, fromSeq);
  }

  async head(): Promise<Head> {
    const { nextSeq, hash } = (await readTail(this.#entries)).head;
    return { lastSeq: nextSeq - 1, hash };
  }

  async base(): Promise<ChainLink> {
    return (await this.#entries.marks()).base;
  }

  async seed(claim: Claim, base: ChainLink): Promise<void> {
    const appender = this.#appender(claim);
    if (appender === undefined) throw deposed(claim.number);
    appender.goOnAfter(base);
    await writeBase(this.#entries, claim, base);
  }

  async trim(claim: Claim, beforeSeq: number): Promise<Trimmed> {
    const appender = this.#appender(claim);
    if (appender === undefined) throw deposed(claim.number);
    return await trimEntries(this.#entries, claim, appender.acknowledged, beforeSeq);
  }

  room(): Promise<LogRoom> {
    return persistent(this.#store, (timeoutMs) => this.#store.room(timeoutMs));
  }

  async heartbeat(claim: Claim, beat: Omit<Heartbeat, 'lastSeq'>): Promise<void> {
    const appender = this.#appender(claim);
    if (appender === undefined) throw deposed(claim.number);
    const value = JSON.stringify({ ...beat, lastSeq: appender.acknowledged.nextSeq - 1 });
    const put = { kind: 'put', key: this.#keys.heartbeat, value } as const;
    const when = [inForce(this.#keys, claim.token)];
    const written = this.#store.transact({ when, write: [put] }, HEARTBEAT_MS);
    const { held, revision } = await written.catch((error: unknown) => {
      throw asSharedLogFault(error);
    });
    if (!held) throw deposed(claim.number);
    this.#past.note(revision);
  }

  async lastHeartbeat(): Promise<Heartbeat | undefined> {
    return (await this.#entries.marks()).beat;
  }

  watchHeartbeat(signal: AbortSignal): AsyncIterable<Heartbeat | undefined> {
    return this.#watch(only(this.#keys.heartbeat), signal, (values) => {
      const stored = firstOf(values);
      return stored && decode(HEARTBEAT, stored.value, stored.key);
    });
  }

  async confirm(claim: Claim): Promise<boolean> {
    const get = { kind: 'get', query: only(this.#keys.claim) } as const;
    const patience = { limitMs: CONFIRM_MS };
    const { found } = await settled(this.#store, { when: [], write: [get] }, patience);
    return claimOf(found[0]?.[0])?.token === claim.token;
  }

  announce(record: MemberRecord): Promise<Announcement> {
    return this.#announce(this.#keys.member(record.name), record);
  }

  async members(): Promise<readonly MemberRecord[]> {
    return membersIn(await readValues(this.#store, this.#keys.members));
  }

  takePlace(wanted: PlaceWanted): Promise<Place | undefined> {
    return new Places(this.#store, this.#keys, this.#closing.signal).take(wanted);
  }

  watchMembers(signal: AbortSignal): AsyncIterable<readonly MemberRecord[]> {
    return this.#watch(this.#keys.members, signal, membersIn);
  }

  hold(hold: Hold): Promise<Announcement<Hold>> {
    return this.#announce(this.#keys.hold(hold.name), hold);
  }

  async holds(): Promise<readonly Hold[]> {
    const values = await readValues(this.#store, this.#keys.holds);
    return [...values.values()].map(({ key, value }) => decode(HOLD, value, key));
  }

  async report(report: MemberReport): Promise<void> {
    assert(report.seals.length <= SEALS_MAX, 'a report has only the newest seals');
    const key = this.#keys.report(report.member);
    await overwrite(this.#store, { key, value: JSON.stringify(report) });
  }

  async withdrawReport(member: string): Promise<void> {
    const range = only(this.#keys.report(member));
    await settled(this.#store, { when: [], write: [{ kind: 'delete', range }] });
  }

  async reports(): Promise<readonly MemberReport[]> {
    return reportsIn(await readValues(this.#store, this.#keys.reports));
  }

  watchReports(signal: AbortSignal): AsyncIterable<readonly MemberReport[]> {
    return this.#watch(this.#keys.reports, signal, reportsIn);
  }

  async agreed(): Promise<Versions | undefined> {
    const stored = await valueAt(this.#store, this.#keys.format);
    return stored && decode(VERSIONS_RECORD, stored.value, stored.key);
  }

  async agree(claim: Claim, given: Versions): Promise<void> {
    const before = await this.agreed();
    const format = Math.max(before?.format ?? 0, given.format);
    const rules = Math.max(before?.rules ?? 0, given.rules);
    if (before?.format === format && before.rules === rules) return;
    const { format: key } = this.#keys;
    const when = [inForce(this.#keys, claim.token)];
    const value = JSON.stringify({ format, rules });
    if (!(await overwrite(this.#store, { key, value, when }))) throw deposed(claim.number);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#store.close();
  }

  async #announce<Content>(key: string, record: Content): Promise<Announcement<Content>> {
    const write = (value: string, lease: number) => overwrite(this.#store, { key, value, lease });
    const announcer = new Announcer(this.#store, write, record, this.#closing.signal);
    assert(await announcer.start(), 'a record of its own is written in any case');
    return announcer;
  }

  #appender({ token }: Claim): Appender | undefined {
    return this.#leading?.claim.token === token ? this.#leading.appender : undefined;
  }

  #endLeading(): void {
    this.#leading?.appender.depose();
    this.#leading = undefined;
  }

  async *#watch<T>(
    range: Parameters<typeof watchValues>[1],
    given: AbortSignal,
    read: (values: Values) => T,
  ): AsyncGenerator<T, void> {
    const signal = AbortSignal.any([given, this.#closing.signal]);
    for await (const values of watchValues(this.#store, range, signal)) yield read(values);
  }
}

function firstOf(values: Values): Stored | undefined {
  return values.values().next().value;
}

function membersIn(values: Values): MemberRecord[] {
  return [...values.values()].map(({ key, value }) => decode(MEMBER, value, key));
}

function reportsIn(values: Values): MemberReport[] {
  return [...values.values()].map(({ key, value }) => decode(REPORT, value, key));
}
