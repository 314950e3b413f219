/**
 * All processes of a cluster as one of them sees them now: those that are there, asked what they
 * say of themselves, and members that have reported and are gone.
 */
import type { Claim, Knowledge, MemberRecord, MemberReport, Seal, Versions } from '#log';
import { electorateOf } from './holdings.ts';
import { askForStatus, type SentStatus } from './member-status.ts';
import { sealsAgree } from './seals.ts';

export interface RosterRow {
  readonly name: string;
  readonly kind: MemberRecord['kind'];
  /** What of the log it can read; undefined when it has not said. */
  readonly release: string | undefined;
  readonly knows: Knowledge | undefined;
  /** Undefined for a member that is gone. */
  readonly record: MemberRecord | undefined;
  /** What it said last; undefined when this process has never heard it. */
  readonly status: SentStatus | undefined;
  /** How long ago that was, in milliseconds. */
  readonly heardAgeMs: number | undefined;
  /** Behind the process that is furthest, in commands. */
  readonly behindCommands: number | undefined;
  /** Its state at its newest snapshot. */
  readonly seal: Seal | undefined;
  /** What the others say to its states; undefined while none has sealed the same one. */
  readonly sealsAgree: boolean | undefined;
}

export interface RosterView {
  /** The process that sees them so. */
  readonly name: string;
  readonly leader: string;
  readonly claim: number;
  /** How entries are written now. */
  readonly agreed: Versions;
  readonly rows: readonly RosterRow[];
}

export interface RosterOptions {
  readonly name: string;
  readonly secret: string;
  /** What the log has said last: a log that is silent is no reason to show nothing. */
  readonly records: () => readonly MemberRecord[];
  readonly reports: () => readonly MemberReport[];
  readonly claim: () => Claim | undefined;
  readonly agreed: () => Versions;
}

interface Word {
  readonly status: SentStatus;
  readonly atMs: number;
}

export class Roster {
  readonly #options: RosterOptions;
  readonly #words = new Map<string, Word>();
  #looking: Promise<RosterView> | undefined;

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** One look at a time, however many ask. */
  look(): Promise<RosterView> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<RosterView> {
    const { name } = this.#options;
    await Promise.all(this.#options.records().map((record) => this.#ask(record)));
    const records = this.#options.records();
    const reports = this.#options.reports();
    const there = records.map((record) => record.name);
    const names = new Set([...there, ...reports.map(({ member }) => member)]);
    for (const known of this.#words.keys()) if (!names.has(known)) this.#words.delete(known);
    const { holder: leader = '', number: claim = 0 } = this.#options.claim() ?? {};
    const rows = [...names].toSorted().map((one) => this.#row(one, leader, records, reports));
    return { name, leader, claim, agreed: this.#options.agreed(), rows };
  }

  async #ask({ name, url }: MemberRecord): Promise<void> {
    const status = await askForStatus(url, this.#options.secret);
    if (status !== undefined) this.#words.set(name, { status, atMs: performance.now() });
  }

  #row(
    name: string,
    leader: string,
    records: readonly MemberRecord[],
    reports: readonly MemberReport[],
  ): RosterRow {
    const word = this.#words.get(name);
    const record = records.find((one) => one.name === name);
    const report = reports.find(({ member }) => member === name);
    const lastSeq = Math.max(0, ...[...this.#words.values()].map(({ status }) => status.seq));
    return {
      name,
      kind: record?.kind ?? report?.process.kind ?? 'member',
      release: record?.release ?? report?.process.release,
      knows: report?.process.knows,
      record,
      status: word?.status,
      heardAgeMs: word && performance.now() - word.atMs,
      behindCommands: word && lastSeq - word.status.seq,
      seal: report?.seals.at(-1),
      sealsAgree: report && sealsAgree(report, reports, electorateOf(records, leader)),
    };
  }
}
