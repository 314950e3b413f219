/**
 * One process of a cluster: follows the shared log, forwards commands to the leader, and, as a
 * candidate, claims the leadership when the leader has fallen silent. A claim that comes too early
 * costs a change of leaders and never more: the log refuses whatever the one before still appends.
 */
import { type Event, LIMITS, type Origin, refuse, writeSender } from '#domain';
import { assert, present } from '#kernel';
import type { Announcement, Claim, Fullness, Leadership, MemberRecord, Place, Seal } from '#log';
import { SharedLogFault } from '#log';
import { Venue } from '#venue';
import { Agreement } from './agreement.ts';
import { ClaimedJournal } from './claimed-journal.ts';
import { ClusterVenue } from './cluster-venue.ts';
import { Freshness } from './freshness.ts';
import { electorateOf, Holdings } from './holdings.ts';
import { LeaderLink } from './leader-link.ts';
import { commandOf, type RequestRow } from './link-messages.ts';
import { LinkServer, submitted } from './link-server.ts';
import { LogCalls } from './log-calls.ts';
import { RoomWatch } from './log-room.ts';
import type { MemberOptions } from './member-options.ts';
import { type MemberStatus, writeStatus } from './member-status.ts';
import { OpenQuestions } from './open-questions.ts';
import { isUndecided, OpenRequests } from './open-requests.ts';
import { takePlace } from './own-place.ts';
import { Replica } from './replica.ts';
import { Roster, type RosterView } from './roster.ts';
import { Suspicion } from './suspicion.ts';
import { THIS_RELEASE } from './versions.ts';

const WATCH_EVERY_MS = 25;
const HEARTBEAT_EVERY_MS = 150;
/** A new leader first carries out what has waited for one; then it trims the log. */
const TRIM_AFTER_MS = 2_000;
/** What has ended the leader is in no log. */
const FAILED: readonly Event[] = [refuse('internal_fault')];
/** How long a caller waits for a leader. */
const REQUEST_TIMEOUT_MS = 5_000;

export class Member {
  readonly venue: ClusterVenue;
  /** How long the log takes to answer. */
  readonly calls = new LogCalls();
  /** How full the log is. */
  readonly room: RoomWatch;
  readonly #options: MemberOptions;
  readonly #replica: Replica;
  readonly #requests: OpenRequests;
  readonly #questions = new OpenQuestions();
  readonly #freshness: Freshness;
  readonly #server: LinkServer;
  readonly #link: LeaderLink;
  readonly #holdings: Holdings;
  readonly #agreement: Agreement;
  readonly #roster: Roster;
  readonly #closing = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #members: readonly MemberRecord[] = [];
  #announcement: Announcement | undefined;
  #place: Place | undefined;
  /** This life of this process, as the engine remembers its requests. */
  #sender = '';
  #seen: Claim | undefined;
  #hasSeen = false;
  readonly #suspicion: Suspicion;
  /** The last word of a leader, or when the leadership was found free. */
  #ledUntilMs = 0;
  #takeoverMs = 0;
  #isClaiming = false;
  #leadership: { readonly claim: Claim; readonly venue: Venue } | undefined;
  #leaderSince = Promise.withResolvers<void>();
  #ended = false;
  #suspended: string | undefined;
  #takeoversCount = 0;

  constructor(options: MemberOptions) {
    this.#options = options;
    const { engine, log, mirror, mirrorHash: previousHash, onStep, onNotice } = options;
    const { versions = THIS_RELEASE, clock } = options;
    const onAnswered = (origin: Origin, events: readonly Event[]): void => {
      if (origin.sender === this.#sender) this.#requests.answer(origin.request, events);
    };
    const onFault = (error: unknown): void => this.#end(error);
    this.#agreement = new Agreement({
      log,
      versions,
      onNotice,
      onRaised: ({ rules }) => this.#leadership?.venue.writeUnder(rules),
    });
    this.#replica = new Replica({
      engine,
      log,
      mirror,
      previousHash,
      knows: versions,
      heed: (entry) => this.#agreement.heed(entry),
      onStep,
      onAnswered,
      onFault,
    });
    const reach = (seq: number): Promise<void> => this.#reach(seq);
    this.#requests = new OpenRequests({ ...options, reach, timeoutMs: REQUEST_TIMEOUT_MS });
    this.#suspicion = new Suspicion(log);
    this.#freshness = new Freshness({
      log,
      calls: this.calls,
      reach,
      appliedSeq: () => engine.seq,
    });
    const onChanged = (fullness: Fullness): void => this.#holdings.press(fullness);
    this.room = new RoomWatch({ log, onNotice, onChanged });
    this.venue = new ClusterVenue({
      engine,
      replica: this.#replica,
      requests: this.#requests,
      freshness: this.#freshness,
      isKnownToAll: (command) => versions.formatOf(command) <= this.#agreement.format,
      hasRoom: () => this.room.fullness !== 'full',
    });
    this.#server = new LinkServer({
      ...options,
      statusText: () => writeStatus(this.status),
    });
    this.#link = this.#newLink();
    this.#roster = new Roster({
      ...options,
      records: () => this.#members,
      reports: () => this.#holdings.reports,
      claim: () => this.#seen,
      agreed: () => this.#agreement.agreed,
    });
    this.#holdings = new Holdings({
      ...options,
      knows: versions,
      appliedSeq: () => engine.seq,
      nowMs: () => clock.nowMs(),
      heldSeq: options.snapshots.newestSeq(),
      electorate: () => electorateOf(this.#members, this.#seen?.holder ?? ''),
      onMinority: (reason) => this.#suspend(reason),
    });
    this.#leaderSince.promise.catch(() => undefined);
  }

  /** To whoever leads: what is open goes there, and answers come back. */
  #newLink(): LeaderLink {
    const { secret, answering } = this.#options;
    return new LeaderLink({
      secret,
      sender: () => this.#sender,
      urlOf: ({ holder }) => this.#members.find(({ name }) => name === holder)?.url,
      isWanted: () => !this.#ended,
      onOpen: (link, claim) => {
        this.#requests.connect((rows) => link.send(rows), claim.token);
        this.#questions.connect((rows) => link.ask(rows));
        answering?.begun();
        this.#leaderSince.resolve();
      },
      onBeat: (contactAgeMs) => this.#heard(contactAgeMs),
      onRefused: (rows) => {
        this.#requests.refuse(rows).catch((error: unknown) => this.#end(error));
      },
      onAnswers: (rows) => this.#questions.answer(rows),
      onNotLeading: ({ token }) => this.#requests.letGo(token),
      onDown: () => {
        this.#requests.disconnect();
        this.#questions.disconnect();
      },
      onGone: () => void this.#claim(),
    });
  }

  /** For operators: who leads, under which claim, and how far this process is. */
  get status(): MemberStatus {
    const { kind, mirror } = this.#options;
    const { lag, contactAgeMs } = this.#freshness;
    const seq = this.venue.releasedSeq;
    return {
      role: this.#leadership !== undefined ? 'leader' : kind === 'gateway' ? kind : 'follower',
      leader: this.#seen?.holder ?? '',
      claim: this.#seen?.number ?? 0,
      seq,
      lagCommands: lag.commands,
      lagMs: lag.ms,
      mirrorLagCommands: Math.max(0, seq - mirror.lastSeq),
      openRequests: this.#requests.count,
      contactAgeMs,
      takeovers: this.#takeoversCount,
      takeoverMs: this.#takeoverMs,
      suspended: this.#suspended,
      seal: this.#holdings.seal,
    };
  }

  /** Its state is not that of the other members. */
  get isSuspended(): boolean {
    return this.#suspended !== undefined;
  }

  /** All processes, for operators. */
  roster(): Promise<RosterView> {
    return this.#roster.look();
  }

  /** How new what this process shows is. */
  get contact(): Pick<Freshness, 'isFresh' | 'ensure' | 'contactAgeMs'> {
    return this.#freshness;
  }

  /** Whether it leads, as far as it knows. */
  get leads(): boolean {
    return this.#leadership !== undefined;
  }

  /** Resolves with what the leader says to a question; undefined when it cannot be known. */
  ask(question: string): Promise<string | undefined> {
    return this.leads ? this.#answer(this.#sender, question) : this.#questions.ask(question);
  }

  /** Resolves once this process has what the log held, and somebody leads. */
  async start(): Promise<void> {
    const { log, name, kind, isCandidate, release, suspension } = this.#options;
    const url = await this.#server.listen();
    if (suspension.reason === undefined) {
      this.#place = await takePlace(this.#options, (reason) => this.#end(reason));
      this.#sender = writeSender(this.#place);
    }
    const record = { name, kind, isCandidate, url, release };
    if (suspension.reason !== undefined) this.#suspend(suspension.reason);
    else await this.#startHoldings();
    if (this.#suspended !== undefined) return;
    // Registered before: whoever raises the versions from here on knows of this process.
    await this.#agreement.require();
    this.#announcement = await log.announce(record);
    this.#replica.start();
    this.room.start();
    const { lastSeq } = await log.head();
    await this.#reach(lastSeq);
    void this.#watch(log.watchMembers(this.#closing.signal), (members) => {
      this.#members = members;
      this.#holdings.look();
    });
    void this.#watch(log.watchReports(this.#closing.signal), (reports) => {
      this.#holdings.see(reports);
      this.#agreement.see(reports);
    });
    void this.#watch(log.watchClaim(this.#closing.signal), (claim) => this.#heed(claim));
    this.#timers.push(setInterval(() => void this.#doubtLeader(), WATCH_EVERY_MS));
    await this.#leaderSince.promise;
  }

  /** A snapshot of this process is on disk. */
  noteSnapshot(seal: Seal): void {
    this.#holdings.note(seal);
  }

  /** Gives the leadership up, if it is held, and ends everything. */
  async close(): Promise<void> {
    const { log } = this.#options;
    const leadership = this.#leadership;
    this.#ended = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#freshness.stop();
    this.room.stop();
    if (leadership !== undefined) {
      await leadership.venue.close().catch(() => undefined);
      await log.release(leadership.claim).catch(() => false);
    }
    this.venue.halt(new Error('this process is stopping'));
    this.#closing.abort();
    this.#link.leave();
    await this.#server.close();
    this.#requests.close();
    this.#questions.close();
    await this.#replica.stop();
    await this.#announcement?.withdraw().catch(() => undefined);
    // Given back last: nothing of this process is under way any more.
    await this.#place?.withdraw().catch(() => undefined);
    await this.#holdings.stop().catch(() => undefined);
  }

  /** One that was suspended before must not lead again. */
  async #startHoldings(): Promise<void> {
    const { log } = this.#options;
    const [members, claim] = await Promise.all([log.members(), log.current()]);
    this.#members = members;
    this.#seen = claim;
    await this.#holdings.start();
  }

  /** A leader has what the log holds, or the log is no longer its own. */
  #reach(seq: number): Promise<void> {
    if (this.#leadership === undefined) return this.#replica.reach(seq);
    if (this.#options.engine.seq >= seq) return Promise.resolve();
    const reason = deposed('the log holds what another leader has appended');
    this.#end(reason);
    return Promise.reject(reason);
  }

  async #watch<T>(values: AsyncIterable<T>, see: (value: T) => void): Promise<void> {
    try {
      for await (const value of values) see(value);
    } catch (error) {
      this.#end(error);
    }
  }

  /** Another claim is in force, or none. */
  #heed(claim: Claim | undefined): void {
    const { name } = this.#options;
    if (this.#ended || this.#isClaiming) return;
    if (this.#hasSeen && claim?.token === this.#seen?.token) return;
    this.#hasSeen = true;
    // It was given up: what the last leader had has not ended it.
    if (claim?.holder === '' && this.#seen !== undefined) this.#requests.letGo(this.#seen.token);
    this.#seen = claim;
    this.#heard();
    if (this.#leadership !== undefined) {
      if (claim?.token !== this.#leadership.claim.token) {
        this.#end(deposed(`by ${claim?.holder ?? 'nobody'}`));
      }
      return;
    }
    // A claim of an earlier life of this process is as good as none.
    const isFree = claim === undefined || claim.holder === '' || claim.holder === name;
    if (!isFree) {
      this.#link.follow(claim);
      return;
    }
    this.#link.leave();
    void this.#claim();
  }

  /** The leader is there. */
  #heard(contactAgeMs = 0): void {
    this.#suspicion.heard(contactAgeMs);
    this.#ledUntilMs = performance.now();
  }

  /** A leader that is silent, or cut off from the log, is suspected. */
  async #doubtLeader(): Promise<void> {
    if (this.#leadership !== undefined || this.#ended || !this.#options.isCandidate) return;
    if (!this.#hasSeen || this.#isClaiming) return;
    if (await this.#suspicion.isDue()) await this.#claim();
  }

  async #claim(): Promise<void> {
    const { log, name, isCandidate, onNotice } = this.#options;
    if (!isCandidate || this.#isClaiming || this.#ended || this.#leadership !== undefined) return;
    if (this.#suspended !== undefined) return;
    this.#isClaiming = true;
    try {
      const leadership = await log.claim(this.#seen, name);
      // Others need not suspect a process that was told to stop meanwhile.
      if (leadership !== undefined && this.#ended) await log.release(leadership.claim);
      else if (leadership !== undefined) await this.#takeOver(leadership);
      const current = leadership === undefined ? await log.current() : leadership.claim;
      this.#isClaiming = false;
      this.#heed(current);
    } catch (error) {
      this.#isClaiming = false;
      this.#suspicion.heard();
      onNotice(`could not claim the leadership: ${messageOf(error)}`);
    }
  }

  /** Nobody else appends any more: what the log holds is applied, then this process orders. */
  async #takeOver({ claim, head }: Leadership): Promise<void> {
    const { engine, log, onNotice } = this.#options;
    try {
      await this.#replica.reach(head.nextSeq - 1);
      const { rules } = await this.#agreement.begin(claim);
      await this.#replica.stop();
      if (this.#ended) return;
      // A takeover that took long was suspected itself, and the next leader has appended.
      if (engine.seq >= head.nextSeq) throw deposed('while it took over');
      assert(engine.seq === head.nextSeq - 1, 'a new leader stands where the log ends');
      this.#lead(claim, rules);
      onNotice(`leads under claim ${claim.number} from command ${head.nextSeq} on`);
    } catch (error) {
      await log.release(claim).catch(() => false);
      this.#end(error);
    }
  }

  #lead(claim: Claim, rules: number): void {
    const { engine, log, mirror, clock, faults, onStep, onLead } = this.#options;
    this.#seen = claim;
    this.#hasSeen = true;
    this.#link.leave();
    const onMirrorFault = (error: unknown): void => this.#end(error);
    const format = (): number => this.#agreement.format;
    const { calls } = this;
    const journal = new ClaimedJournal(
      { log, calls, claim, format, mirror, onMirrorFault },
      engine.seq,
    );
    const venue = new Venue({
      engine,
      rules,
      journal,
      clock,
      onStep,
      faults,
      onHalt: (reason) => this.#end(reason),
      entryCharactersMax: LIMITS.sharedEntryCharactersMax,
    });
    this.#leadership = { claim, venue };
    this.#timers.push(setTimeout(() => this.#holdings.lead(claim), TRIM_AFTER_MS));
    this.#takeoversCount += 1;
    this.#takeoverMs = performance.now() - this.#ledUntilMs;
    this.venue.lead(venue);
    this.#requests.connect((rows) => {
      for (const row of rows) void this.#carryOut(venue, row);
    }, claim.token);
    this.#server.lead({
      claim: claim.number,
      get releasedSeq() {
        return venue.releasedSeq;
      },
      get contactAgeMs() {
        return performance.now() - log.contactMs;
      },
      submit: (command, origin) => this.venue.submit(command, origin),
      answer: (asker, question) => this.#answer(asker, question),
      left: (asker) => this.#options.answering?.left(asker),
    });
    this.#timers.push(setInterval(() => void this.#beat(claim), HEARTBEAT_EVERY_MS));
    onLead(this.venue);
    this.#options.answering?.begun();
    this.#leaderSince.resolve();
  }

  /** One who was deposed and has not noticed remembers what the next leader does not know of. */
  async #answer(asker: string, question: string): Promise<string | undefined> {
    try {
      if (!this.#freshness.isFresh) await this.#freshness.ensure();
    } catch {
      return undefined;
    }
    return this.#ended ? undefined : this.#options.answering?.answer(asker, question);
  }

  /** What this process had asked of the leader before it is asked of itself. */
  async #carryOut(venue: Venue, [request, openFrom, text]: RequestRow): Promise<void> {
    const command = present(commandOf(text), 'a command of this process');
    const origin = { sender: this.#sender, request, openFrom };
    const events = await submitted(venue, command, origin).catch(() => FAILED);
    const [first] = events;
    // What was carried out under the leader before has been answered from the log.
    if (first === undefined || (first.kind === 'refused' && isUndecided(first))) return;
    this.#requests.answer(request, events);
  }

  async #beat(claim: Claim): Promise<void> {
    const { log, name, clock } = this.#options;
    const beat = { member: name, claim: claim.number, timeMs: clock.nowMs() };
    await this.calls.timed('heartbeat', log.heartbeat(claim, beat)).catch((error: unknown) => {
      if (error instanceof SharedLogFault && error.kind === 'deposed') this.#end(error);
    });
  }

  /**
   * A member that runs ends, its place and its connections with it: it starts again, and then finds
   * that it is suspended.
   */
  #suspend(reason: string): void {
    this.#suspended = reason;
    this.#options.suspension.note(reason);
    this.#options.onSuspended(reason);
    if (this.#announcement !== undefined && this.#options.kind === 'member') {
      this.#end(new Error(reason));
      return;
    }
    this.venue.halt(new Error(reason));
    this.#server.suspend();
    this.#link.leave();
    this.#leaderSince.resolve();
    this.#replica.stop().catch(() => undefined);
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const reason = error instanceof Error ? error : new Error(String(error));
    this.#server.retire();
    this.venue.halt(reason);
    this.#leaderSince.reject(reason);
    this.#options.onEnd(reason);
  }
}

function deposed(reason: string): SharedLogFault {
  return new SharedLogFault({ kind: 'deposed', reason });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
