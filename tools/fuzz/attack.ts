/**
 * A venue that is sent drawn calls over several connections, many at a time on each, and judged by
 * its document; in the end its books have to balance and its journal has to be sound.
 */
import fc from 'fast-check';
import { DEMO_CREDENTIAL, MAKER_CREDENTIAL } from '#child';
import { anyCase, type Case } from './cases.ts';
import { type IdKind, marketOf, type OpenApi, type Operation, operationsOf } from './document.ts';
import { type Asked, complaintOf } from './judge.ts';
import { bytesOf, type FuzzPerson, type Knowledge, type Sent, sentOf } from './request.ts';
import { shrunk } from './shrink.ts';
import { FuzzVenue } from './venue.ts';
import { type Answer, Line } from './wire.ts';

export interface AttackPlan {
  readonly seed: number;
  readonly requestsCount: number;
  print(line: string): void;
}

export interface Finding {
  readonly operation: string;
  readonly complaint: string;
  /** The smallest request that is still answered so; the one that was, where none is. */
  readonly request: Sent | undefined;
}

export interface AttackReport {
  readonly requestsCount: number;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Calls by the way in which they were spoilt. */
  readonly spoilt: ReadonlyMap<string, number>;
  /** Operations that were never answered with success. */
  readonly neverDone: readonly string[];
  readonly peakMb: number;
  readonly findings: readonly Finding[];
}

const LINES = 8;
const AT_ONCE_MAX = 12;
/** Drawn together: what is drawn follows from the seed alone. */
const DRAWN_AT_ONCE = 500;
/** Of all calls: those that change the clock, the state or the answers, one at a time. */
const ALONE_SHARE = 0.04;
const IDS_KEPT = 16;
const HEAD_TOO_LONG = 431;
const FINDINGS_MAX = 12;
const PROGRESS_MS = 5_000;
const SHOWN_ID = /"(orderId|order_id|algoId|positionId|id)":"?(\d+)/g;
const NO_IDS = { spot: [], contract: [], any: [], position: [] };
/** Operations whose answers show orders and positions that are not over. */
const SHOWS_LIVING = /place|open.*Orders|currentPlan|Position$/i;
/** What chance does not bring: a password, a code, the id of a request, a second operator. */
const BEYOND_CHANCE =
  /^competition_|pprov|^people_(?!(session|sessions|events|accounts|keys|makeKey|exportPerson)$)/;
/** The clock, the state and the answers of a sandbox, and windows in which nothing is traded. */
const ENDS_MARKETS = /^sandbox_|Maintenance$/;
const LEARNT_CHARACTERS = 2_000;
const TIME = '/api/spot/v1/public/time';

/** Resolves with what was found; the venue is a new one, and gone afterwards. */
export async function attack(plan: AttackPlan): Promise<AttackReport> {
  const venue = await FuzzVenue.start();
  const one = new Attack(venue, await venue.person(), plan);
  try {
    await one.run();
  } finally {
    for (const wrong of await venue.close()) one.found('the venue', wrong, undefined);
  }
  return one.report();
}

/** Asks a venue again, as a finding says it was asked. */
export async function replay(sent: Sent): Promise<string> {
  const venue = await FuzzVenue.start();
  const line = new Line(venue.port);
  const knowledge = knowledgeOf(venue, await venue.person(), Date.now(), NO_IDS);
  const [answer] = await line.exchange([bytesOf(sent, knowledge)]);
  line.close();
  const wrong = await venue.close();
  return [answer === undefined ? 'no answer' : `${answer.status} ${answer.text}`, ...wrong].join(
    '\n',
  );
}

function knowledgeOf(
  { adminToken }: FuzzVenue,
  person: FuzzPerson,
  nowMs: number,
  ids: Knowledge['ids'],
): Knowledge {
  const signers = { credential: DEMO_CREDENTIAL, victim: MAKER_CREDENTIAL };
  return { nowMs, ids, adminToken, person, ...signers };
}

interface Waiting {
  readonly one: Case;
  readonly sent: Sent;
}

class Attack {
  readonly #venue: FuzzVenue;
  readonly #person: FuzzPerson;
  readonly #plan: AttackPlan;
  readonly #ids: Record<IdKind, string[]> = { spot: [], contract: [], any: [], position: [] };
  readonly #statuses = new Map<number, number>();
  readonly #spoilt = new Map<string, number>();
  readonly #undone = new Set<string>();
  readonly #findings = new Map<string, Finding>();
  /** How far the venue's clock is ahead of this machine's. */
  #aheadMs = 0;
  #answeredCount = 0;
  #peakMb = 0;

  constructor(venue: FuzzVenue, person: FuzzPerson, plan: AttackPlan) {
    this.#venue = venue;
    this.#person = person;
    this.#plan = plan;
  }

  async run(): Promise<void> {
    const { seed, requestsCount, print } = this.#plan;
    const operations = operationsOf(await this.#document());
    for (const { id } of operations) if (!BEYOND_CHANCE.test(id)) this.#undone.add(id);
    await this.#fund();
    const isAlone = ({ id, method }: Operation): boolean =>
      ENDS_MARKETS.test(id) && method !== 'GET';
    const aloneCount = Math.ceil(requestsCount * ALONE_SHARE);
    const timer = setInterval(() => print(this.#progress()), PROGRESS_MS);
    const together = operations.filter((operation) => !isAlone(operation));
    const cases = drawn(together, seed, requestsCount - aloneCount);
    await Promise.all(Array.from({ length: LINES }, (_, at) => this.#lane(cases, at + 1)));
    await this.#alone(drawn(operations.filter(isAlone), seed, aloneCount));
    clearInterval(timer);
    await this.#checkBooks();
    await this.#makeSmall();
  }

  report(): AttackReport {
    return {
      requestsCount: this.#answeredCount,
      statuses: this.#statuses,
      spoilt: this.#spoilt,
      neverDone: [...this.#undone],
      peakMb: this.#peakMb,
      findings: [...this.#findings.values()],
    };
  }

  /** One of each kind and operation. */
  found(operation: string, complaint: string, request: Sent | undefined): void {
    const name = `${operation} ${kindOf(complaint)}`;
    if (this.#findings.has(name) || this.#findings.size >= FINDINGS_MAX) return;
    this.#findings.set(name, { operation, complaint, request });
    this.#plan.print(`✖ ${operation}: ${complaint}`);
  }

  #progress(): string {
    this.#peakMb = Math.max(this.#peakMb, this.#venue.peakMb);
    const { size } = this.#findings;
    return `${this.#answeredCount} answered, ${size} found, at most ${this.#peakMb} MB`;
  }

  async #document(): Promise<OpenApi> {
    const answer = await fetch(`${this.#venue.url}/openapi.json`);
    return JSON.parse(await answer.text());
  }

  /** Money for the one that trades, and an account for the operator to play with. */
  async #fund(): Promise<void> {
    const { admin } = this.#venue;
    await admin.createAccount({ name: 'prey' });
    for (const [coin, amount] of [
      ['USDT', '10000000'],
      ['BTC', '1000'],
      ['ETH', '10000'],
    ] as const) {
      await admin.deposit({ account: 'demo', coin, amount });
      await admin.deposit({ account: 'prey', coin, amount });
    }
  }

  async #lane(cases: Iterator<Case>, start: number): Promise<void> {
    let line = new Line(this.#venue.port);
    for (let turn = start; ; turn += LINES) {
      const batch = this.#take(cases, 1 + (turn % AT_ONCE_MAX));
      if (batch.length === 0) break;
      const rest = await this.#exchange(line, batch);
      for (const waiting of rest) await this.#askAlone(waiting);
      if (!line.isOpen) line = new Line(this.#venue.port);
    }
    line.close();
  }

  #take(cases: Iterator<Case>, count: number): Waiting[] {
    const batch: Waiting[] = [];
    while (batch.length < count && !this.#venue.hasEnded) {
      const next = cases.next();
      if (next.done === true) break;
      batch.push({ one: next.value, sent: sentOf(next.value, this.#knowledge()) });
    }
    return batch;
  }

  /** Resolves with those that were not answered. */
  async #exchange(line: Line, batch: readonly Waiting[]): Promise<readonly Waiting[]> {
    const knowledge = this.#knowledge();
    const answers = await line.exchange(batch.map(({ sent }) => bytesOf(sent, knowledge)));
    for (const [at, answer] of answers.entries()) {
      const waiting = batch[at];
      if (waiting !== undefined) this.#judge(waiting, answer);
    }
    return batch.slice(answers.length);
  }

  /** After a call that ended the connection for the ones behind it. */
  async #askAlone(waiting: Waiting): Promise<void> {
    const line = new Line(this.#venue.port);
    const unanswered = await this.#exchange(line, [waiting]);
    line.close();
    if (unanswered.length === 0) return;
    this.found(waiting.one.operation.id, 'no answer', waiting.sent);
  }

  #judge({ one, sent }: Waiting, answer: Answer): void {
    this.#answeredCount += 1;
    count(this.#statuses, answer.status);
    for (const way of one.spoilt) count(this.#spoilt, way);
    if (answer.status === 200) {
      this.#undone.delete(one.operation.id);
      this.#learn(one.operation, answer.text);
    }
    const complaint = complaintOf(askedOf(one, answer), answer);
    if (complaint !== undefined) this.found(one.operation.id, complaint, sent);
  }

  #learn(operation: Operation, text: string): void {
    if (!SHOWS_LIVING.test(operation.id)) return;
    for (const [, name, id = ''] of text.slice(0, LEARNT_CHARACTERS).matchAll(SHOWN_ID)) {
      const ids = this.#ids[name === 'positionId' ? 'position' : marketOf(operation)];
      ids.push(id);
      if (ids.length > IDS_KEPT) ids.shift();
    }
  }

  #knowledge(): Knowledge {
    return knowledgeOf(this.#venue, this.#person, Date.now() + this.#aheadMs, this.#ids);
  }

  /** Those that move the clock, go back or spoil answers, and what undoes them. */
  async #alone(cases: Iterator<Case>): Promise<void> {
    for (;;) {
      const [waiting] = this.#take(cases, 1);
      if (waiting === undefined) return;
      await this.#askAlone(waiting);
      const { id } = waiting.one.operation;
      if (id === 'sandbox_addFault') await this.#venue.sandbox.removeFaults();
      const movesClock = /clock/i.test(id);
      if (movesClock) await this.#readClock();
    }
  }

  async #readClock(): Promise<void> {
    const answer = await fetch(`${this.#venue.url}${TIME}`);
    const { requestTime }: { requestTime: number } = JSON.parse(await answer.text());
    this.#aheadMs = requestTime - Date.now();
  }

  async #checkBooks(): Promise<void> {
    if (this.#venue.hasEnded) return;
    const audit = await this.#venue.admin.audit();
    if (Object(audit).balanced === true || Object(audit).balanced === 'true') return;
    this.found('the venue', `its books do not balance: ${JSON.stringify(audit)}`, undefined);
  }

  async #makeSmall(): Promise<void> {
    for (const [name, finding] of this.#findings) {
      const { request, complaint } = finding;
      if (request === undefined || this.#venue.hasEnded) continue;
      const small = await shrunk(request, (smaller) => this.#failsAgain(smaller, complaint));
      this.#findings.set(name, { ...finding, request: small });
    }
  }

  async #failsAgain(sent: Sent, complaint: string): Promise<boolean> {
    const line = new Line(this.#venue.port);
    const [answer] = await line.exchange([bytesOf(sent, this.#knowledge())]);
    line.close();
    if (answer === undefined) return complaint === 'no answer';
    return complaint.startsWith('a fault of the server') && answer.status >= 500;
  }
}

/** Calls drawn from a seed, a few hundred at a time. */
function* drawn(
  operations: readonly Operation[],
  seed: number,
  wantedCount: number,
): Generator<Case, void> {
  const cases = anyCase(operations);
  for (let leftCount = wantedCount; leftCount > 0; leftCount -= DRAWN_AT_ONCE) {
    const numRuns = Math.min(leftCount, DRAWN_AT_ONCE);
    yield* fc.sample(cases, { numRuns, seed: seed * 1_000_003 + leftCount });
  }
}

/** How a refusal is answered that comes before the call is known is not for the call to say. */
function askedOf({ operation, mustRefuse, isOfDocument }: Case, { status }: Answer): Asked {
  return { operation, mustRefuse, isOfDocument: isOfDocument && status !== HEAD_TOO_LONG };
}

function kindOf(complaint: string): string {
  return complaint.split(':', 1)[0] ?? '';
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
