/**
 * The accounts that are followed, by dialect. Each is shown a step as soon as it is applied, with
 * the state the step left, and takes in what it saw when the step is released.
 */
import type { AccountId, Event, StateReader, Step, VenuePort } from '#domain';
import { present } from '#kernel';
import type { AccountStep } from './account-feeds.ts';
import { AccountTopics } from './account-topics.ts';
import type { Connection } from './connection.ts';
import type { StreamDialect, Topic } from './dialect.ts';
import { KeptMessages } from './kept-messages.ts';
import type { StreamLimits } from './limits.ts';
import { Slices } from './slices.ts';

/** Called when an account cannot be followed, as when the venue has halted. */
type OnFault = (readers: Iterable<Connection>, error: unknown) => void;

interface Ahead {
  readonly topics: AccountTopics;
  readonly step: AccountStep;
}

export class PrivateTopics {
  readonly #venue: VenuePort;
  readonly #onFault: OnFault;
  readonly #limits: StreamLimits;
  readonly #shared: { readonly slices: Slices; readonly kept: KeptMessages };
  readonly #accounts = new Map<StreamDialect, Map<AccountId, AccountTopics>>();
  /** Accounts that nobody follows now, but somebody may come back to; the longest alone first. */
  readonly #idle = new Map<AccountTopics, NodeJS.Timeout>();
  /** What steps that are not released yet left, by their number; the venue bounds how many. */
  readonly #ahead = new Map<number, readonly Ahead[]>();

  constructor(venue: VenuePort, limits: StreamLimits, onFault: OnFault) {
    this.#venue = venue;
    this.#limits = limits;
    this.#shared = { slices: new Slices(), kept: new KeptMessages(limits) };
    this.#onFault = onFault;
    venue.onApplied((step, state) => this.#look(step, state));
  }

  /** Follows a topic, behind the message `since` where that can be resumed. */
  add(topic: Topic, connection: Connection, since?: number): void {
    const topics = this.#topicsOf(connection);
    clearTimeout(this.#idle.get(topics));
    this.#idle.delete(topics);
    topics.add(topic, connection, since);
  }

  canResume(topic: Topic, connection: Connection, since: number): boolean {
    return this.#known(connection)?.canResume(topic, since) === true;
  }

  remove({ spelling }: Topic, connection: Connection): void {
    const topics = this.#known(connection);
    topics?.remove(spelling, connection);
    if (topics?.isIdle !== true) return;
    if (topics.isWorthKeeping) this.#keep(topics);
    else this.#drop(topics);
  }

  /** Nobody comes back to an account that is not followed now. */
  forgetIdle(): void {
    for (const topics of [...this.#idle.keys()]) this.#drop(topics);
  }

  #known({ dialect, login }: Connection): AccountTopics | undefined {
    return login && this.#accounts.get(dialect)?.get(login.accountId);
  }

  #keep(topics: AccountTopics): void {
    const timer = setTimeout(() => this.#drop(topics), this.#limits.keptMs).unref();
    this.#idle.set(topics, timer);
    const [longest] = this.#idle.keys();
    if (longest !== undefined && this.#idle.size > this.#limits.keptAccountsMax) {
      this.#drop(longest);
    }
  }

  #drop(topics: AccountTopics): void {
    const { dialect, accountId } = topics;
    clearTimeout(this.#idle.get(topics));
    this.#idle.delete(topics);
    topics.close();
    const ofDialect = this.#accounts.get(dialect);
    ofDialect?.delete(accountId);
    if (ofDialect?.size === 0) this.#accounts.delete(dialect);
  }

  /** Publishes what a step changed of the accounts. */
  release({ seq }: Step): void {
    for (const { topics, step } of this.#ahead.get(seq) ?? []) topics.release(step);
    this.#ahead.delete(seq);
  }

  #topicsOf({ dialect, login }: Connection): AccountTopics {
    const { accountId } = present(login, 'login of a connection with private topics');
    const ofDialect = this.#accounts.get(dialect) ?? new Map<AccountId, AccountTopics>();
    this.#accounts.set(dialect, ofDialect);
    const known = ofDialect.get(accountId);
    if (known !== undefined) return known;
    const topics = new AccountTopics(dialect, accountId, this.#shared);
    ofDialect.set(accountId, topics);
    topics.open(this.#venue).catch((error: unknown) => this.#onFault(topics.readers(), error));
    return topics;
  }

  #look(step: Step, state: StateReader): void {
    if (this.#accounts.size === 0 || isReset(step)) return;
    const ahead: Ahead[] = [];
    for (const [dialect, accounts] of this.#accounts) {
      for (const [topics, events] of concernedBy(step, state, dialect, accounts)) {
        const seen = topics.look(step, events, state);
        if (seen !== undefined) ahead.push({ topics, step: seen });
      }
    }
    if (ahead.length > 0) this.#ahead.set(step.seq, ahead);
  }
}

/** After a reset an account may not even exist: every stream ends with it. */
function isReset({ events }: Step): boolean {
  return events.some(({ kind }) => kind === 'venue_reset');
}

/** The followed accounts that a step concerns, each with the events that do. */
function concernedBy(
  { events }: Step,
  { listings }: StateReader,
  dialect: StreamDialect,
  accounts: ReadonlyMap<AccountId, AccountTopics>,
): ReadonlyMap<AccountTopics, readonly Event[]> {
  const concerned = new Map<AccountTopics, Event[]>();
  const note = (topics: AccountTopics | undefined, event: Event) => {
    if (topics === undefined) return;
    const known = concerned.get(topics);
    if (known === undefined) concerned.set(topics, [event]);
    else known.push(event);
  };
  for (const event of events) {
    const owners = dialect.accountsOf(event, listings);
    if (owners !== 'many') for (const owner of new Set(owners)) note(accounts.get(owner), event);
    else for (const topics of accounts.values()) if (topics.isTouchedBy(event)) note(topics, event);
  }
  return concerned;
}
