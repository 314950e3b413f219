/**
 * What is kept of competitions: their terms, who takes part, their rounds, and the equities at each
 * sample. They own the tables `competitions`, `competition_entries`, `competition_rounds` and
 * `competition_samples`, in the database of people and in its transactions; codes to join by are
 * invitations of people. Amounts are decimal text in coins; times are of the venue, in
 * milliseconds.
 */
import type { AccountId } from '#domain';
import type { LazyPeople, PeopleStore } from '#people';

/** What a leaderboard is sorted by. */
export const RANKINGS = ['return', 'sharpe'] as const;
export type Ranking = (typeof RANKINGS)[number];

/** Who may join: anybody with an account, whoever has a code, or whom the operator adds. */
export const JOIN_MODES = ['open', 'code', 'operator'] as const;
export type JoinMode = (typeof JOIN_MODES)[number];

export const ROUND_STATES = [
  'scheduled',
  'preparing',
  'running',
  'ended',
  'closed',
  'cancelled',
] as const;
export type RoundState = (typeof ROUND_STATES)[number];

/** So much of a coin in a wallet. */
export interface StartingMoney {
  readonly coin: string;
  readonly wallet: string;
  readonly amount: string;
}

export interface CompetitionTerms {
  readonly name: string;
  /** What spectators and those who may join read; may be empty. */
  readonly description: string;
  readonly joinBy: JoinMode;
  /** The coin that equities are in. */
  readonly coin: string;
  /** What every account has when a round starts, and nothing else. */
  readonly money: readonly StartingMoney[];
  readonly sampleMs: number;
  readonly rankBy: Ranking;
  /** Accounts stay frozen when a round has ended, until it is closed. */
  readonly holdsAccounts: boolean;
  /** Whether spectators see it. */
  readonly isPublic: boolean;
}

export interface Competition {
  readonly competitionId: string;
  readonly terms: CompetitionTerms;
  readonly createdMs: number;
  /** Since when it is over for good; undefined while it is not. */
  readonly cancelledMs: number | undefined;
}

/** An account that takes part, under the name that spectators see. */
export interface Entry {
  readonly entryId: string;
  readonly competitionId: string;
  readonly accountId: AccountId;
  readonly name: string;
  /** Empty for none. */
  readonly team: string;
  /** The competition has frozen the account, and unfreezes it. */
  readonly isHeld: boolean;
  readonly joinedMs: number;
}

export type EntryAdded = 'added' | 'account_in' | 'person_in' | 'name_taken';

/** An entry as a round takes it: what changes later is of the next round. */
export interface Seat {
  readonly entryId: string;
  readonly accountId: number;
  readonly name: string;
  readonly team: string;
}

export interface Round {
  readonly roundId: string;
  readonly competitionId: string;
  /** From 1 on. */
  readonly number: number;
  readonly name: string;
  /** The operator who has planned it: who causes the money that it pays. */
  readonly madeBy: { readonly id: string; readonly name: string };
  readonly state: RoundState;
  /** When accounts are made flat and equal for it. */
  readonly prepareMs: number;
  /** When it starts, or was to start. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly sampleMs: number;
  /** Undefined where none drives the market. */
  readonly scenario: string | undefined;
  /** Those who are not ready when it starts are left out. */
  readonly isForced: boolean;
  readonly startedMs: number | undefined;
  /** When it ends, once it has started. */
  readonly endMs: number | undefined;
  readonly seats: readonly Seat[];
  /** The leaderboard at the last sample, as JSON; empty before the first. */
  readonly board: string;
  /** What it waits for, and how its scenario went. */
  readonly note: string;
}

/** A round as a list shows it: without what grows with those who take part. */
export interface RoundSummary extends Omit<Round, 'madeBy' | 'seats' | 'board' | 'note'> {
  readonly seatsCount: number;
}

export type RoundChanges = Partial<
  Pick<
    Round,
    | ('name' | 'state' | 'prepareMs' | 'startMs' | 'durationMs' | 'sampleMs')
    | ('isForced' | 'startedMs' | 'endMs' | 'seats' | 'note')
  >
>;

/** One sample of a round: what each seat had, in the order of the seats, as JSON. */
export interface Sample {
  readonly number: number;
  readonly timeMs: number;
  readonly values: string;
  /** The newest id of the state it shows. */
  readonly lastId: number;
}

export interface CompetitionStore {
  addCompetition(competition: Competition): Promise<void>;
  /** Newest first. */
  competitions(limit: number): Promise<readonly Competition[]>;
  competition(competitionId: string): Promise<Competition | undefined>;
  changeCompetition(
    competitionId: string,
    changes: { readonly terms?: CompetitionTerms; readonly cancelledMs?: number },
  ): Promise<boolean>;
  /** With its entries, rounds, samples and codes. */
  removeCompetition(competitionId: string): Promise<boolean>;

  /**
   * One after the other in a competition: why it is not added, when the account, another of these
   * accounts of the same person, or the name is in it.
   */
  addEntry(entry: Entry, ownIds?: readonly AccountId[]): Promise<EntryAdded>;
  /** In the order in which they joined. */
  entries(competitionId: string): Promise<readonly Entry[]>;
  /** Of these accounts, in all competitions. */
  entriesOf(accountIds: readonly AccountId[]): Promise<readonly Entry[]>;
  /** Those whose accounts are frozen by a competition. */
  heldEntries(): Promise<readonly Entry[]>;
  /** False when it is unknown, or the name is another's. */
  changeEntry(
    entryId: string,
    changes: Partial<Pick<Entry, 'name' | 'team' | 'isHeld'>>,
  ): Promise<boolean>;
  removeEntry(competitionId: string, entryId: string): Promise<boolean>;

  /** False when its number is taken. */
  addRound(round: Round): Promise<boolean>;
  rounds(competitionId: string): Promise<readonly Round[]>;
  /** Of all competitions, by their numbers. */
  roundSummaries(): Promise<readonly RoundSummary[]>;
  round(competitionId: string, number: number): Promise<Round | undefined>;
  /** Of all competitions, in one of these states. */
  roundsIn(states: readonly RoundState[]): Promise<readonly Round[]>;
  /** Only from one of these states; false from another. */
  changeRound(
    roundId: string,
    from: readonly RoundState[],
    changes: RoundChanges,
  ): Promise<boolean>;
  /** A sample with the leaderboard after it, of a round that is running; none that is older. */
  addSample(roundId: string, sample: Sample, board: string): Promise<void>;
  samples(roundId: string): Promise<readonly Sample[]>;
  /** In their order. */
  sampleNumbers(roundId: string): Promise<readonly number[]>;
  /** These alone, in their order. */
  samplesAt(roundId: string, numbers: readonly number[]): Promise<readonly Sample[]>;
}

/** Competitions are kept in the database of people: what is asked of both, once it is open. */
export type CompetingPeople = PeopleStore & CompetitionStore;
export type CompetitionPeople = Pick<LazyPeople<CompetingPeople>, 'get'>;
