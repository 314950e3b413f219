/**
 * The routes of a sandbox: its operator sets its clock and prices, goes back to a kept state
 * and has answers go wrong. Every change is a journaled command.
 */
import type { Dialect } from '#api';
import {
  type Event,
  isRefused,
  type Refused,
  refuse,
  type StateReader,
  type VenuePort,
  ZERO_TICKS,
} from '#domain';

import { contractHandlers } from '../admin/contracts.ts';
import { moneyHandlers } from '../admin/money.ts';
import { findContract } from '../admin/read-contract.ts';
import { submit, workDone } from '../carry-out.ts';
import { OPERATOR_FORM } from '../classic/dialect.ts';
import { shown } from '../fields.ts';
import { type OperatorCall, type OperatorHandler, operatorRoutes } from '../handlers.ts';
import { SANDBOX_ENDPOINTS, type SandboxEndpointName } from './endpoints.ts';
import {
  readFaultRule,
  readFundingJump,
  readJump,
  readPriceMove,
  readSpeed,
  readStep,
  readText,
} from './read.ts';
import {
  type ClockReading,
  checkpointData,
  checkpointsData,
  clockData,
  faultData,
  faultsData,
} from './write.ts';

/** The clock of the venue, which a command sets and only time itself moves back from. */
export interface SandboxClock {
  nowMs(): number;
  readonly isControlled: boolean;
  readonly speedPermille: number;
  /** It is this time now, unless it is later already. */
  leapTo(timeMs: number): void;
}

export interface ScenarioOutcome {
  readonly passed: boolean;
  readonly steps: readonly { readonly text: string; readonly ok: boolean; detail: string }[];
}

/** Scenarios are clients of the venue; the composition root hands them in. */
export interface ScenarioDesk {
  list(): Promise<
    readonly { readonly name: string; readonly title: string; description: string }[]
  >;
  /** Undefined for a name that is none. */
  run(name: string): Promise<ScenarioOutcome | undefined>;
}

export interface SandboxOptions {
  readonly clock: SandboxClock;
  /** Resolves with the events of the command once all that follows the venue is as it was. */
  resetTo(name: string): Promise<readonly Event[]>;
  readonly scenarios: ScenarioDesk;
}

const TICK_MS = 1_000;
/** Ticks submitted before the answers are awaited: others get their turn in between. */
const TICKS_AT_ONCE = 100;

export function sandboxDialect(options: SandboxOptions): Dialect {
  return {
    ...OPERATOR_FORM,
    name: 'sandbox',
    prefixes: ['/sandbox/'],
    routes: (services) => {
      // What a sandbox offers under another name.
      const { deposit } = moneyHandlers(services.venue);
      const { reportIndex } = contractHandlers(services);
      const control = new SandboxControl(services.venue, options);
      return operatorRoutes(SANDBOX_ENDPOINTS, control.handlers(deposit, reportIndex));
    },
  };
}

class SandboxControl {
  readonly #options: SandboxOptions;
  readonly #venue: VenuePort;
  #isScenarioRunning = false;
  /** One change of time or state after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(venue: VenuePort, options: SandboxOptions) {
    this.#options = options;
    this.#venue = venue;
  }

  handlers(
    deposit: OperatorHandler,
    reportIndex: OperatorHandler,
  ): Record<SandboxEndpointName, OperatorHandler> {
    return {
      sandbox: () => this.#venue.read((state) => this.#state(state)),
      pauseClock: () => this.#inTurn(() => this.#setSpeed(0)),
      runClock: ({ input }) => this.#inTurn(() => this.#run(readSpeed(input))),
      stepClock: ({ input }) => this.#inTurn(() => this.#step(readStep(input))),
      jumpClock: ({ input }) =>
        this.#inTurn(() => this.#jump(readJump(input, this.#options.clock.nowMs()))),
      jumpToFunding: ({ input }) => this.#inTurn(() => this.#jumpToFunding(input)),
      setIndex: (call) => named(call, 'symbol', reportIndex),
      movePrice: ({ input }) => this.#movePrice(input),
      credit: (call) => named(call, 'account', deposit),
      checkpoints: () => this.#venue.read(({ sandbox }) => checkpointsData(sandbox)),
      saveCheckpoint: ({ input }) => this.#inTurn(() => this.#save(readText(input, 'name'))),
      resetToCheckpoint: ({ path }) => this.#inTurn(() => this.#reset(path.name ?? '')),
      dropCheckpoint: ({ path }) => this.#drop(path.name ?? ''),
      faults: () => this.#venue.read(({ sandbox }) => faultsData(sandbox)),
      addFault: ({ input }) => this.#addFault(input),
      removeFault: ({ path }) => this.#removeFault(path.faultId ?? ''),
      removeFaults: () => this.#removeFaults(0),
      scenarios: () => this.#options.scenarios.list(),
      runScenario: ({ path }) => this.#runScenario(path.scenario ?? ''),
    };
  }

  /** Not in turn: it sets the clock by calls of its own. */
  async #runScenario(name: string): Promise<object | Refused> {
    if (this.#isScenarioRunning) return refuse('venue_busy', 'a scenario is running');
    this.#isScenarioRunning = true;
    try {
      const outcome = await this.#options.scenarios.run(name);
      return outcome ?? refuse('scenario_unknown', shown(name));
    } finally {
      this.#isScenarioRunning = false;
    }
  }

  #state(state: StateReader): object {
    const { seq, sandbox } = state;
    const clock = this.#reading();
    return {
      seq,
      time: clock.timeMs,
      clock: clockData(clock),
      checkpoints: checkpointsData(sandbox),
      faults: faultsData(sandbox),
    };
  }

  #reading(): ClockReading {
    const { clock } = this.#options;
    const { isControlled, speedPermille } = clock;
    return { timeMs: clock.nowMs(), isControlled, speedPermille };
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #setSpeed(speedPermille: number): Promise<object | Refused> {
    const event = await submit(this.#venue, 'clock_set', { kind: 'set_clock', speedPermille });
    return isRefused(event) ? event : clockData(this.#reading());
  }

  #run(speedPermille: number | Refused): Promise<object | Refused> {
    return isRefused(speedPermille)
      ? Promise.resolve(speedPermille)
      : this.#setSpeed(speedPermille);
  }

  /** The clock is set first, so that the journal has a clock that was not the system's. */
  async #step(ms: number | Refused): Promise<object | Refused> {
    if (isRefused(ms)) return ms;
    const { clock } = this.#options;
    const set = await this.#setSpeed(clock.speedPermille);
    if (isRefused(set)) return set;
    const endMs = clock.nowMs() + ms;
    let ticks: Promise<readonly Event[]>[] = [];
    while (clock.nowMs() < endMs) {
      clock.leapTo(Math.min(endMs, clock.nowMs() + TICK_MS));
      ticks.push(this.#venue.submit({ kind: 'tick' }));
      // What a tick sets off belongs to its second, however much it is.
      const isDue = ticks.length >= TICKS_AT_ONCE || this.#venue.hasWork;
      if (!isDue && !this.#venue.isCrowded) continue;
      if (this.#venue.hasWork) await workDone(this.#venue);
      const refused = refusalOf(await Promise.all(ticks));
      if (refused !== undefined) return refused;
      ticks = [];
    }
    return refusalOf(await Promise.all(ticks)) ?? clockData(this.#reading());
  }

  async #jump(timeMs: number | Refused, pause = false): Promise<object | Refused> {
    if (isRefused(timeMs)) return timeMs;
    const { clock } = this.#options;
    const set = await this.#setSpeed(pause ? 0 : clock.speedPermille);
    if (isRefused(set)) return set;
    clock.leapTo(timeMs);
    return refusalOf([await this.#venue.submit({ kind: 'tick' })]) ?? clockData(this.#reading());
  }

  async #jumpToFunding(input: OperatorCall['input']): Promise<object | Refused> {
    const jump = readFundingJump(input);
    if (isRefused(jump)) return jump;
    const nextMs = await this.#venue.read((state) => {
      const contract = findContract(state.listings, jump.symbol);
      if (isRefused(contract)) return contract;
      return state.contractPrices(contract.instrumentId)?.nextFundingMs ?? 0;
    });
    if (isRefused(nextMs)) return nextMs;
    const nowMs = this.#options.clock.nowMs();
    const timeMs = nextMs - jump.beforeMs;
    if (timeMs > nowMs) return this.#jump(timeMs, true);
    if (nextMs > nowMs) return this.#setSpeed(0);
    return refuse('clock_invalid', `${jump.symbol} has no funding ahead`);
  }

  /**
   * The reference price of the pair is where the simulated market goes on from. The same price
   * again is no news to it, so it is taken back first.
   */
  async #movePrice(input: OperatorCall['input']): Promise<object | Refused> {
    const move = await this.#venue.read(({ listings }) => readPriceMove(input, listings));
    if (isRefused(move)) return move;
    const { pair, priceTicks } = move;
    const isNews = pair.referencePriceTicks !== priceTicks;
    const steps = isNews ? [priceTicks] : [ZERO_TICKS, priceTicks];
    const answers = steps.map((referencePriceTicks) =>
      submit(this.#venue, 'spot_updated', {
        kind: 'update_spot',
        instrumentId: pair.instrumentId,
        changes: { referencePriceTicks },
      }),
    );
    for (const answer of await Promise.all(answers)) if (isRefused(answer)) return answer;
    return { symbols: [pair.symbol] };
  }

  async #save(name: string | Refused): Promise<object | Refused> {
    if (isRefused(name)) return name;
    const event = await submit(this.#venue, 'checkpoint_saved', { kind: 'save_checkpoint', name });
    return isRefused(event) ? event : checkpointData(event.checkpoint);
  }

  async #reset(name: string): Promise<object | Refused> {
    for (const event of await this.#options.resetTo(name)) {
      if (event.kind === 'refused') return event;
      if (event.kind === 'venue_reset') return checkpointData(event.checkpoint);
    }
    throw new Error(`a reset to ${name} yielded nothing`);
  }

  async #drop(name: string): Promise<object | Refused> {
    const command = { kind: 'drop_checkpoint', name } as const;
    const event = await submit(this.#venue, 'checkpoint_dropped', command);
    return isRefused(event) ? event : { name: event.name };
  }

  async #addFault(input: OperatorCall['input']): Promise<object | Refused> {
    const command = readFaultRule(input);
    if (isRefused(command)) return command;
    const event = await submit(this.#venue, 'fault_added', command);
    return isRefused(event) ? event : faultData(event.rule);
  }

  #removeFault(id: string): Promise<object | Refused> {
    const isNumber = /^[1-9][0-9]{0,14}$/.test(id);
    return isNumber ? this.#removeFaults(Number(id)) : Promise.resolve(refuse('fault_unknown'));
  }

  /** Zero stands for all of them. */
  async #removeFaults(faultId: number): Promise<object | Refused> {
    const command = { kind: 'remove_faults', faultId } as const;
    const event = await submit(this.#venue, 'faults_removed', command);
    return isRefused(event) ? event : { removed: event.faultIds.length };
  }
}

/** Hands a call to an operator's handler, which has one of the fields in its path. */
async function named(
  { input }: OperatorCall,
  field: string,
  handler: OperatorHandler,
): Promise<object | Refused> {
  const text = readText(input, field);
  if (isRefused(text)) return text;
  const { [field]: _, ...others } = input;
  return handler({ path: { [field]: text }, input: others });
}

function refusalOf(answers: readonly (readonly Event[])[]): Refused | undefined {
  for (const [event] of answers) if (event?.kind === 'refused') return event;
  return undefined;
}
