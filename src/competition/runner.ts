/**
 * Brings rounds from state to state, on the process that orders commands alone. Each turn looks at
 * what is kept and at the venue and does what is missing, so that after a crash, or on the next
 * leader, a turn goes on where the last one ended.
 */
import {
  type AccountId,
  accountId,
  type Command,
  type StateReader,
  type Step,
  type VenuePort,
} from '#domain';
import type { Clock } from '#kernel';
import {
  cancelsOf,
  closesOf,
  holderOf,
  holdOf,
  notReady,
  offersOf,
  paymentsOf,
  setFrozen,
  type Target,
  targetsOf,
} from './level.ts';
import { type Past, tradesIn } from './past.ts';
import type {
  Competition,
  CompetitionPeople,
  CompetitionStore,
  CompetitionTerms,
  Entry,
  Round,
  RoundChanges,
  Seat,
  StartingMoney,
} from './port.ts';
import { Running, type Taken } from './running.ts';

const BUSY_TURN_MS = 250;
const IDLE_TURN_MS = 2_000;
/** Accounts whose commands are submitted together; then others come in between. */
const TOGETHER = 10;
const NAMED_MAX = 5;
const NOTE_LENGTH_MAX = 500;

/** Plays a scenario on the venue and says how it went; undefined where none can be played. */
export type PlayScenario = (name: string) => Promise<string>;

export interface RunnerOptions {
  readonly people: CompetitionPeople;
  readonly venue: VenuePort;
  readonly clock: Clock;
  readonly play: PlayScenario | undefined;
  /** Why a round may not pay starting money to these accounts now; undefined when it may. */
  readonly refusePaying?: (pay: RoundPay) => Promise<string | undefined>;
  /** What happened while no process looked. */
  readonly past: Past;
  /** Whether this process orders commands now, and there may be competitions at all. */
  readonly isNeeded: () => boolean;
  readonly onFault: (error: unknown) => void;
}

/** What a round pays at most: so much to each of these accounts. */
export interface RoundPay {
  readonly round: Round;
  readonly money: readonly StartingMoney[];
  readonly accounts: readonly number[];
}

interface Kept {
  readonly running: Running;
  readonly taken: Taken;
}

export class CompetitionRunner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<string, Running>();
  readonly #unkept: Kept[] = [];
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #isAsked = false;
  #isStopped = true;
  #isFollowing = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    if (!this.#isFollowing) {
      this.#isFollowing = true;
      this.#options.venue.onApplied((step, state) => this.#look(step, state));
    }
    this.#wait(BUSY_TURN_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#turn;
    // What was not kept is taken again by whoever goes on.
    this.#running.clear();
    this.#unkept.length = 0;
  }

  /** Something was changed: a turn comes at once. */
  nudge(): void {
    if (this.#isStopped) return;
    this.#isAsked = true;
    if (this.#turn === undefined) this.#wait(0);
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#begin(), ms).unref();
  }

  #begin(): void {
    this.#isAsked = false;
    this.#turn = this.#takeTurn()
      .catch((error: unknown) => {
        this.#options.onFault(error);
        return IDLE_TURN_MS;
      })
      .then((waitMs) => {
        this.#turn = undefined;
        this.#wait(this.#isAsked ? 0 : waitMs);
      });
  }

  /** Resolves with how long the next turn may wait. */
  async #takeTurn(): Promise<number> {
    const { people, clock, isNeeded } = this.#options;
    if (!isNeeded()) return IDLE_TURN_MS;
    const store = await people.get();
    const rounds = await store.roundsIn(['scheduled', 'preparing', 'running', 'ended']);
    this.#forget(rounds);
    let isBusy = false;
    for (const round of rounds) {
      if (this.#isStopped) break;
      if (round.state === 'scheduled' && round.prepareMs > clock.nowMs()) continue;
      isBusy ||= round.state !== 'ended';
      await this.#advance(store, round);
    }
    await this.#keep(store);
    // Whoever trades again has free money.
    await this.#releaseMoney(store);
    await this.#release(store);
    return isBusy ? BUSY_TURN_MS : IDLE_TURN_MS;
  }

  async #advance(store: CompetitionStore, round: Round): Promise<void> {
    const competition = await store.competition(round.competitionId);
    if (competition === undefined) return;
    if (round.state === 'scheduled') await this.#prepareFirst(store, competition, round);
    else if (round.state === 'preparing') await this.#prepare(store, competition, round);
    else if (round.state === 'running') await this.#run(store, competition, round);
    else await this.#hold(store, competition, round);
  }

  /** From here on the seats of the round stand. The round before is over for good. */
  async #prepareFirst(
    store: CompetitionStore,
    competition: Competition,
    round: Round,
  ): Promise<void> {
    const { competitionId } = competition;
    const rounds = await store.rounds(competitionId);
    if (rounds.some(({ state }) => state === 'preparing' || state === 'running')) {
      return this.#say(store, round, 'another round of the competition is not over');
    }
    for (const { roundId, state } of rounds) {
      if (state === 'ended') await store.changeRound(roundId, ['ended'], { state: 'closed' });
    }
    const changes: RoundChanges = { state: 'preparing', seats: [], note: '' };
    if (!(await store.changeRound(round.roundId, ['scheduled'], changes))) return;
    await this.#prepare(store, competition, { ...round, ...changes });
  }

  async #prepare(store: CompetitionStore, competition: Competition, given: Round): Promise<void> {
    const { venue, clock } = this.#options;
    const targets = await venue.read(({ listings }) =>
      targetsOf(competition.terms.money, listings),
    );
    if (targets === undefined) return this.#say(store, given, 'the starting money is not listed');
    const round = await this.#seated(store, given, competition.terms);
    if (typeof round === 'string') return this.#say(store, given, round);
    await this.#holdMoney(round);
    await this.#holdSeats(store, competition, round.seats);
    await this.#level(round, targets);
    if (clock.nowMs() < round.startMs) return this.#say(store, round, '');
    await this.#start(store, competition, round, targets);
  }

  /**
   * Who takes part: those of the competition now, but for those of another round that goes on. Or
   * why nobody does yet.
   */
  async #seated(
    store: CompetitionStore,
    round: Round,
    { money }: CompetitionTerms,
  ): Promise<Round | string> {
    if (round.seats.length > 0) return round;
    const others = await store.roundsIn(['preparing', 'running']);
    const taken = new Set(
      others
        .filter(({ roundId }) => roundId !== round.roundId)
        .flatMap(({ seats }) => seats.map((seat) => seat.accountId)),
    );
    const entries = await store.entries(round.competitionId);
    const seats = entries
      .filter((entry) => !taken.has(entry.accountId))
      .map(({ entryId, accountId: account, name, team }): Seat => {
        return { entryId, accountId: account, name, team };
      });
    if (seats.length === 0) return 'nobody takes part';
    const accounts = seats.map((seat) => seat.accountId);
    const refused = await this.#options.refusePaying?.({ round, money, accounts });
    if (refused !== undefined) return refused;
    await store.changeRound(round.roundId, ['preparing'], { seats });
    return { ...round, seats };
  }

  /** From here to its end nothing comes in or goes out but what the round pays. */
  async #holdMoney(round: Round): Promise<void> {
    const holder = holderOf(round);
    await this.#submitFor(playersOf(round), (state, one) => holdOf(state, one.accountId, holder));
  }

  /** Freezes the accounts of seats. Whoever was frozen before stays the operator's. */
  async #holdSeats(
    store: CompetitionStore,
    { competitionId }: Competition,
    seats: readonly Seat[],
  ): Promise<void> {
    const entries = await store.entries(competitionId);
    const seated = new Set(seats.map(({ entryId }) => entryId));
    for (const entry of entries) {
      if (entry.isHeld || !seated.has(entry.entryId)) continue;
      const isFrozen = await this.#isFrozen(entry.accountId);
      if (isFrozen === false) await store.changeEntry(entry.entryId, { isHeld: true });
    }
    const held = (await store.entries(competitionId)).filter(({ isHeld }) => isHeld);
    await this.#submitFor(held, (state, { accountId: account }) =>
      state.account(account)?.frozen === false ? [setFrozen(account, true)] : [],
    );
  }

  #isFrozen(account: AccountId): Promise<boolean | undefined> {
    return this.#options.venue.read((state) => state.account(account)?.frozen);
  }

  /** One pass towards flat and equal accounts; what is left is for the next turn. */
  async #level(round: Round, targets: readonly Target[]): Promise<void> {
    const players = playersOf(round);
    const holder = holderOf(round);
    const passes: readonly Build<Player>[] = [
      (state, one) => cancelsOf(state, one.accountId),
      (state, one) => closesOf(state, one.accountId),
      (state, one) => offersOf(state, one.accountId),
      (state, one) => cancelsOf(state, one.accountId),
      (state, one) => paymentsOf(state, one.accountId, targets, holder),
    ];
    for (const build of passes) await this.#submitFor(players, build);
  }

  /** Submits what each of them needs, worked out on the state of the moment. */
  async #submitFor<T>(list: readonly T[], build: Build<T>): Promise<void> {
    const { venue } = this.#options;
    for (let at = 0; at < list.length; at += TOGETHER) {
      const some = list.slice(at, at + TOGETHER);
      const wanted = await venue.read((state) => some.map((one) => build(state, one)));
      const commands = wanted.flat();
      if (commands.length === 0) continue;
      await Promise.all(commands.map((command) => venue.submit(command)));
      await this.#workDone();
    }
  }

  async #workDone(): Promise<void> {
    const { venue } = this.#options;
    while (venue.hasWork) await new Promise((resolve) => setImmediate(resolve));
    await venue.read(() => undefined);
  }

  /** Everybody is equal, or those who are not are left out as the operator has said. */
  async #start(
    store: CompetitionStore,
    competition: Competition,
    given: Round,
    targets: readonly Target[],
  ): Promise<void> {
    const { venue, clock } = this.#options;
    // The operator may have put it off, or made it longer, since this turn began.
    const round = await store.round(given.competitionId, given.number);
    if (round?.state !== 'preparing' || clock.nowMs() < round.startMs) return;
    const reasons = await venue.read((state) =>
      round.seats.map((seat) =>
        notReady(state, accountId(seat.accountId), targets, holderOf(round)),
      ),
    );
    const seats = round.seats.filter((_, at) => reasons[at] === '');
    if (seats.length === 0 || (seats.length < round.seats.length && !round.isForced)) {
      const waits = round.seats.flatMap(({ name }, at) =>
        reasons[at] === '' ? [] : [`${name} (${reasons[at]})`],
      );
      return this.#say(store, round, `waits for ${listed(waits)}`);
    }
    const startedMs = clock.nowMs();
    const times = { startedMs, endMs: startedMs + round.durationMs };
    const changes: RoundChanges = { state: 'running', seats, note: '', ...times };
    if (!(await store.changeRound(round.roundId, ['preparing'], changes))) return;
    await this.#run(store, competition, { ...round, ...changes, ...times, state: 'running' });
    await this.#release(store);
    if (round.scenario !== undefined) void this.#play(store, round, round.scenario);
  }

  async #play(store: CompetitionStore, round: Round, scenario: string): Promise<void> {
    const { play, onFault } = this.#options;
    try {
      const said = play === undefined ? 'this venue is no sandbox' : await play(scenario);
      const note = `scenario ${scenario}: ${said}`.slice(0, NOTE_LENGTH_MAX);
      await store.changeRound(round.roundId, ['running', 'ended', 'closed'], { note });
    } catch (error) {
      onFault(error);
    }
  }

  /** Takes a running round up, once; afterwards its steps are looked at as they come. */
  async #run(store: CompetitionStore, competition: Competition, round: Round): Promise<void> {
    const { venue, clock } = this.#options;
    const taken =
      this.#running.get(round.roundId) ?? (await this.#takeUp(store, competition, round));
    if (taken === undefined) return;
    if (round.endMs !== undefined) taken.endAt(round.endMs);
    await this.#catchUp(taken);
    const nowMs = clock.nowMs();
    if (nowMs >= taken.nextMs && !taken.isOver) {
      await venue.read((state) => this.#note(taken, taken.take(nowMs, state)));
    }
    await this.#keep(store);
    if (!taken.isOver) return;
    const ended: RoundChanges = { state: 'ended', endMs: taken.lastMs };
    if (await store.changeRound(round.roundId, ['running'], ended)) {
      this.#running.delete(round.roundId);
      await this.#hold(store, competition, round);
    }
  }

  /** From the moment at which its state is read it is shown every step. */
  async #takeUp(
    store: CompetitionStore,
    { terms }: Competition,
    round: Round,
  ): Promise<Running | undefined> {
    const samples = await store.samples(round.roundId);
    const running = await this.#options.venue.read(({ listings, lastId }) => {
      const coin = listings.assetByCode(terms.coin);
      if (coin === undefined) return undefined;
      const taken = new Running(round, terms, coin, samples, lastId);
      this.#running.set(round.roundId, taken);
      return taken;
    });
    if (running === undefined) await this.#say(store, round, `${terms.coin} is not listed`);
    return running;
  }

  /** Adds what happened after the last sample and before this process had the round. */
  async #catchUp(running: Running): Promise<void> {
    const { past } = this.#options;
    const span = running.lacks;
    if (span === undefined) return;
    running.addPast(await tradesIn(past, span, running.accounts));
  }

  /** Comes with every step of the venue: what is not due costs a comparison. */
  #look(step: Step, state: StateReader): void {
    for (const running of this.#running.values()) {
      if (running.isOver) continue;
      running.count(step.events);
      this.#note(running, running.take(step.timeMs, state));
      if (running.isOver) this.nudge();
    }
  }

  #note(running: Running, taken: readonly Taken[]): void {
    for (const one of taken) this.#unkept.push({ running, taken: one });
  }

  /** Keeps samples once what they show is durable. */
  async #keep(store: CompetitionStore): Promise<void> {
    if (this.#unkept.length === 0) return;
    await this.#options.venue.read(() => undefined);
    for (let next = this.#unkept[0]; next !== undefined; next = this.#unkept[0]) {
      const { sample, board } = next.taken;
      await store.addSample(next.running.roundId, sample, JSON.stringify(board));
      this.#unkept.shift();
    }
  }

  /** After the end nobody trades until the round is closed, where that is wanted. */
  async #hold(store: CompetitionStore, competition: Competition, round: Round): Promise<void> {
    if (!competition.terms.holdsAccounts) return;
    await this.#holdSeats(store, competition, round.seats);
    await this.#submitFor(playersOf(round), (state, one) => cancelsOf(state, one.accountId));
  }

  /** Unfreezes what no round holds any more. */
  async #release(store: CompetitionStore): Promise<void> {
    const held = await store.heldEntries();
    if (held.length === 0) return;
    const rounds = await store.roundsIn(['preparing', 'ended']);
    const holding = new Set<string>();
    for (const { competitionId, state } of rounds) {
      const competition = await store.competition(competitionId);
      const isHolding = state === 'preparing' || competition?.terms.holdsAccounts === true;
      if (isHolding) holding.add(competitionId);
    }
    const free = held.filter(({ competitionId }) => !holding.has(competitionId));
    await this.#submitFor(free, (_state, { accountId: account }: Entry) => [
      setFrozen(account, false),
    ]);
    for (const { entryId } of free) await store.changeEntry(entryId, { isHeld: false });
  }

  /** Lets go what is held for rounds that are over, or go on without the account. */
  async #releaseMoney(store: CompetitionStore): Promise<void> {
    const { venue } = this.#options;
    const held = await venue.read((state) =>
      [...state.heldAccounts()].map(({ accountId: of, moneyHolder: holder }) => ({ of, holder })),
    );
    if (held.length === 0) return;
    const holding = new Set<string>();
    for (const round of await store.roundsIn(['preparing', 'running'])) {
      for (const player of playersOf(round)) holding.add(`${player.accountId} ${holderOf(round)}`);
    }
    const over = held.filter(({ of, holder }) => !holding.has(`${of} ${holder}`));
    await this.#submitFor(over, (_state, { of, holder }) => [
      { kind: 'hold_money', accountId: of, holder, isHeld: false },
    ]);
  }

  /** Rounds that the operator has cancelled meanwhile are not looked at any more. */
  #forget(rounds: readonly Round[]): void {
    const running = new Set(
      rounds.filter(({ state }) => state === 'running').map(({ roundId }) => roundId),
    );
    for (const roundId of this.#running.keys()) {
      if (!running.has(roundId)) this.#running.delete(roundId);
    }
  }

  async #say(store: CompetitionStore, round: Round, note: string): Promise<void> {
    if (note === round.note) return;
    await store.changeRound(round.roundId, [round.state], { note: note.slice(0, NOTE_LENGTH_MAX) });
  }
}

interface Player {
  readonly accountId: AccountId;
}

function playersOf({ seats }: Round): readonly Player[] {
  return seats.map((seat) => ({ accountId: accountId(seat.accountId) }));
}

type Build<T> = (state: StateReader, one: T) => readonly Command[];

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ');
  return names.length > NAMED_MAX ? `${shown} and ${names.length - NAMED_MAX} more` : shown;
}
