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
  readonly #slices = new Slices();
  readonly #accounts = new Map<StreamDialect, Map<AccountId, AccountTopics>>();
  /** What steps that are not released yet left, by their number; the venue bounds how many. */
  readonly #ahead = new Map<number, readonly Ahead[]>();

  constructor(venue: VenuePort, onFault: OnFault) {
    this.#venue = venue;
    this.#onFault = onFault;
    venue.onApplied((step, state) => this.#look(step, state));
  }

  add(topic: Topic, connection: Connection): void {
    this.#topicsOf(connection).add(topic, connection);
  }

  remove({ spelling }: Topic, connection: Connection): void {
    const { dialect, login } = connection;
    const ofDialect = this.#accounts.get(dialect);
    const topics = login === undefined ? undefined : ofDialect?.get(login.accountId);
    topics?.remove(spelling, connection);
    if (topics?.isIdle !== true) return;
    topics.close();
    ofDialect?.delete(topics.accountId);
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
    const topics = new AccountTopics(dialect, accountId, this.#slices);
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
