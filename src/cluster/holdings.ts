/**
 * What this process and the others hold of the log: reports its snapshots and which versions it
 * reads, compares seals with those of the others, and, where it leads, trims what two members have
 * on disk and no process that starts still needs.
 */
import {
  type Claim,
  type Fullness,
  type Knowledge,
  type MemberRecord,
  type MemberReport,
  SEALS_MAX,
  type Seal,
  type SharedLog,
} from '#log';
import { Holds } from './holds.ts';
import { type Electorate, type Held, minoritySeal, signed, trimmedBefore } from './seals.ts';

export interface HoldingsOptions {
  readonly log: SharedLog;
  readonly name: string;
  /** What a gateway holds is nothing that others could rely on: it reports only itself. */
  readonly kind: 'member' | 'gateway';
  readonly release: string;
  readonly knows: Knowledge;
  /** The last command applied. */
  readonly appliedSeq: () => number;
  readonly nowMs: () => number;
  /** The newest snapshot on disk. */
  readonly heldSeq: number;
  /** How many commands stay in the log below what two members hold. */
  readonly keepCommands: number;
  readonly electorate: () => Electorate;
  /** Its state is not that of the others. Called once. */
  readonly onMinority: (reason: string) => void;
  readonly onNotice: (text: string) => void;
}

/** An operator sees by it when a process was last there. */
const REPORT_EVERY_MS = 10_000;

export class Holdings {
  readonly #options: HoldingsOptions;
  #own: Held;
  #reports: readonly MemberReport[] = [];
  #claim: Claim | undefined;
  /** The first command is 1. */
  #trimmedBefore = 1;
  #heldAt = 0;
  readonly #holds = new Holds();
  #isTrimming = false;
  /** The store has little room: nothing stays for others to catch up with. */
  #isScarce = false;
  #isSuspended = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: HoldingsOptions) {
    this.#options = options;
    const { name, heldSeq } = options;
    this.#own = { member: name, heldSeq, seals: [] };
  }

  /** The state at the newest snapshot; undefined before the first. */
  get seal(): Seal | undefined {
    return this.#own.seals.at(-1);
  }

  /** What all members have reported last. */
  get reports(): readonly MemberReport[] {
    return this.#reports;
  }

  /** Goes on from what an earlier life of this process has reported. */
  async start(): Promise<void> {
    const { log, name, kind } = this.#options;
    const reports = await log.reports();
    const earlier = kind === 'member' ? reports.find(({ member }) => member === name) : undefined;
    this.#add(earlier?.seals ?? [], this.#own.seals);
    this.see(reports);
    await this.#report();
    this.#timer = setInterval(() => this.#report().catch(() => undefined), REPORT_EVERY_MS);
    this.#timer.unref();
  }

  /** A gateway that stops in order holds nothing back; a member may come back with its copy. */
  async stop(): Promise<void> {
    const { log, name, kind } = this.#options;
    clearInterval(this.#timer);
    if (kind === 'gateway' && this.#timer !== undefined) await log.withdrawReport(name);
  }

  /** A snapshot is on disk. */
  note({ seq, stateHash }: Seal): void {
    const { release, onNotice } = this.#options;
    const seal = { seq, stateHash: signed(release, stateHash) };
    this.#add(this.#own.seals, [seal]);
    if (this.#timer === undefined) return;
    // Reported first: one that is suspended finds it there when it starts again.
    void this.#report()
      .catch((error: unknown) => onNotice(`could not report: ${String(error)}`))
      .then(() => this.#judge());
  }

  see(reports: readonly MemberReport[]): void {
    this.#reports = reports;
    this.#judge();
    void this.#trim();
  }

  /** Members have come or gone, or another one leads. */
  look(): void {
    this.#judge();
  }

  /** From here on it trims the log. */
  lead(claim: Claim): void {
    this.#claim = claim;
    void this.#trim();
  }

  /** While there is little room the log forgets all that two members hold. */
  press(fullness: Fullness): void {
    this.#isScarce = fullness === 'scarce' || fullness === 'full';
    void this.#trim();
  }

  /** A state that is sealed again is the one that counts. */
  #add(earlier: readonly Seal[], later: readonly Seal[]): void {
    const kept = earlier.filter(({ seq }) => later.every((seal) => seal.seq !== seq));
    const seals = [...kept, ...later].slice(-SEALS_MAX);
    const heldSeq = Math.max(this.#own.heldSeq, later.at(-1)?.seq ?? 0);
    this.#own = { ...this.#own, heldSeq, seals };
  }

  async #report(): Promise<void> {
    const { log, kind, release, knows, appliedSeq, nowMs } = this.#options;
    if (this.#isSuspended) return;
    const { formatMax, rulesMin, rulesMax } = knows;
    const process = {
      kind,
      release,
      knows: { formatMax, rulesMin, rulesMax },
      seq: appliedSeq(),
      timeMs: nowMs(),
    };
    const copy = kind === 'member' ? this.#own : { ...this.#own, heldSeq: 0, seals: [] };
    await log.report({ ...copy, process });
  }

  #judge(): void {
    if (this.#isSuspended) return;
    const seal = minoritySeal(this.#own, this.#reports, this.#options.electorate());
    if (seal === undefined) return;
    this.#isSuspended = true;
    this.#options.onMinority(
      `the state of this process after command ${seal.seq} is not that of the other members: it ` +
        'serves nothing more. Keep its data directory for an inquiry, and start it on an empty ' +
        'one: it then joins with a snapshot of another member',
    );
  }

  async #trim(): Promise<void> {
    const { log, onNotice } = this.#options;
    const keepCommands = this.#isScarce ? 0 : this.#options.keepCommands;
    const [claim, before] = [this.#claim, trimmedBefore(this.#own, this.#reports, keepCommands)];
    if (claim === undefined || before === undefined || this.#isTrimming) return;
    if (before <= this.#trimmedBefore || this.#isSuspended) return;
    this.#isTrimming = true;
    try {
      const acknowledged = log.acknowledged(claim).nextSeq;
      const target = Math.min(before, acknowledged);
      const allowed = this.#holds.limit(target, await log.holds(), performance.now());
      if (allowed < target) this.#noteHeld(allowed);
      if (allowed <= this.#trimmedBefore) return;
      const { mayCompact } = await log.trim(claim, allowed);
      this.#trimmedBefore = allowed;
      const left = mayCompact ? '' : `; ${log.place} does not let this user compact its past`;
      onNotice(`the log is trimmed below command ${allowed}${left}`);
    } catch (error) {
      onNotice(`could not trim the log: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.#isTrimming = false;
    }
  }

  /** Once for each place. */
  #noteHeld(seq: number): void {
    if (seq === this.#heldAt) return;
    this.#heldAt = seq;
    this.#options.onNotice(`the log stays from command ${seq} on while another process starts`);
  }
}

/** Who has a say among the processes that are there. */
export function electorateOf(members: readonly MemberRecord[], leader: string): Electorate {
  const present = members.filter(({ kind }) => kind === 'member').map(({ name }) => name);
  return { present, leader };
}
