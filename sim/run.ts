/**
 * One run: a seed draws acts in the state that they meet, or a list of acts is played again. Either
 * way the production engine carries them out on a simulated machine, and the auditor judges what
 * it says. Nothing here reads a clock or draws but from the seed.
 */

import { type Command, encodeCommand, type OrderId, type TimedCommand } from '#domain';
import { Auditor } from './auditor/auditor.ts';
import { Coverage } from './coverage.ts';
import { START_MS } from './workload/listings.ts';
import { spoilt } from './workload/malformed.ts';
import { commandsOf, endowment, planOf } from './workload/plan.ts';
import { Scene } from './workload/scene.ts';
import { type Act, type OrderOf, ordersMade } from './world/act.ts';
import { Draw } from './world/draw.ts';
import { Finding } from './world/finding.ts';
import { Machine, readCommand } from './world/machine.ts';

export interface Found {
  readonly rule: string;
  readonly message: string;
  /** Number of the act in the list. */
  readonly at: number;
}

export interface RunResult {
  readonly acts: readonly Act[];
  readonly found: Found | undefined;
  readonly coverage: Coverage;
}

export interface RunOptions {
  /** About so many commands are drawn. */
  readonly length: number;
  /** Where it runs: a machine with a fault of its own, for canaries. */
  readonly machine?: Machine | undefined;
}

export const USUAL_LENGTH = 600;

/** Draws a whole run from its seed. It ends at the first thing that must not be. */
export function runSeed(seed: number, { length, machine }: RunOptions): RunResult {
  const stage = new Stage(machine);
  const draw = new Draw(seed, 'acts');
  const plan = planOf(draw);
  let nowMs = START_MS + draw.below(86_400_000);
  const scene = new Scene(draw, plan.temper, stage.view, nowMs);
  const play = (commands: readonly Command[]): void => {
    for (const command of commands) {
      nowMs = nextMs(draw, plan.pausesMs, nowMs, stage.fundingDueMs);
      stage.command(nowMs, command);
      if (draw.below(200) === 0) {
        stage.perform({ do: 'malformed', text: spoilt(draw, encodeCommand(nowMs, command)) });
      }
      if (draw.below(plan.restartEvery) === 0) restart(stage, draw);
      if (stage.hasWork && draw.percent(70)) {
        stage.command(nowMs, { kind: 'continue_work' });
      }
    }
  };
  stage.guarded(() => {
    play(plan.opening);
    scene.view = stage.view;
    play(endowment(scene));
    while (stage.commandsCount < length) {
      scene.view = stage.view;
      scene.nowMs = nowMs;
      const kind = draw.weighted(plan.weights);
      const commands = kind === undefined ? [] : commandsOf(kind, scene);
      play(commands);
      if (draw.below(plan.crashEvery) === 0) disturb(stage, draw, commands, nowMs);
    }
    stage.perform({ do: 'crash' });
  });
  return stage.result();
}

/** Plays a list of acts again. */
export function replay(acts: readonly Act[], machine?: Machine): RunResult {
  const stage = new Stage(machine);
  stage.guarded(() => {
    for (const act of acts) stage.perform(act);
  });
  return stage.result();
}

function disturb(stage: Stage, draw: Draw, commands: readonly Command[], nowMs: number): void {
  const [again] = commands;
  const how = draw.below(3);
  if (how === 0) stage.perform({ do: 'snapshot' });
  else if (how === 1 && again !== undefined) {
    stage.perform({ do: 'crash_within', n: 0, text: encodeCommand(nowMs, again) });
  } else stage.perform({ do: 'crash' });
}

/** The next command meets what a snapshot of now, or a replay, has led to. */
function restart(stage: Stage, draw: Draw): void {
  if (draw.percent(70)) stage.perform({ do: 'snapshot' });
  stage.perform({ do: 'crash' });
}

/** More settlements are missed than are charged one by one. */
const SLEEP_MS = 40 * 86_400_000;

/** Time goes on: by a pause, or to the edge of the next settlement of funding or far beyond it. */
function nextMs(draw: Draw, pauses: readonly number[], nowMs: number, dueMs: number): number {
  if (Number.isFinite(dueMs) && draw.below(60) === 0) {
    const drawn = draw.below(90);
    return Math.max(nowMs, dueMs + (drawn === 0 ? SLEEP_MS : (drawn % 3) - 1));
  }
  return nowMs + (draw.of(pauses) ?? 1);
}

/** Where acts are carried out and judged. */
class Stage {
  readonly #machine: Machine;
  readonly #auditor = new Auditor();
  readonly #coverage = new Coverage();
  readonly #acts: Act[] = [];
  readonly #made = new Map<number, readonly number[]>();
  readonly #makers = new Map<number, OrderOf>();
  #found: Found | undefined;
  #commandsCount = 0;

  constructor(machine = new Machine()) {
    this.#machine = machine;
  }

  get view() {
    return this.#machine.engine;
  }

  get hasWork(): boolean {
    return this.#machine.engine.hasWork;
  }

  get fundingDueMs(): number {
    return this.#machine.engine.fundingDueMs;
  }

  get commandsCount(): number {
    return this.#commandsCount;
  }

  /** A command that was drawn: which order it is about is noted by the act that made it. */
  command(timeMs: number, command: Command): void {
    const text = encodeCommand(timeMs, command);
    const order = 'orderId' in command ? this.#makers.get(command.orderId) : undefined;
    this.perform({ do: 'command', n: this.#commandsCount + 1, text, ...(order && { order }) });
  }

  perform(act: Act): void {
    this.#acts.push(act);
    if (act.do === 'snapshot') this.#machine.snapshot();
    else if (act.do === 'crash') this.#machine.crash();
    else if (act.do === 'crash_within') this.#machine.crashWithin(act.text);
    else if (act.do === 'malformed') this.#machine.malformed(act.text);
    else this.#carryOut(act);
    if (act.do !== 'command') this.#coverage.count(`machine ${act.do}`);
    if (act.do !== 'command' && act.do !== 'malformed') {
      this.#auditor.checkAll(this.#machine.engine);
    }
  }

  /** Runs until something is found. */
  guarded(run: () => void): void {
    try {
      run();
    } catch (cause) {
      const rule = cause instanceof Finding ? cause.rule : 'engine';
      const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      this.#found = { rule, message, at: this.#acts.length - 1 };
    }
  }

  result(): RunResult {
    for (const [what, times] of this.#auditor.judged) this.#coverage.count(what, times);
    return { acts: this.#acts, found: this.#found, coverage: this.#coverage };
  }

  #carryOut(act: Extract<Act, { do: 'command' }>): void {
    this.#commandsCount += 1;
    const text = this.#resolved(act);
    this.#settle(readCommand(text));
    const seen = this.#machine.submit(text);
    const made = ordersMade(seen.events);
    this.#made.set(act.n, made);
    for (const [nth, orderId] of made.entries()) this.#makers.set(orderId, [act.n, nth]);
    this.#coverage.see(seen);
    this.#auditor.see(seen, this.#machine.engine);
  }

  /** What is due before a command, as the venue puts it there: no act of its own. */
  #settle(next: TimedCommand): void {
    for (;;) {
      const due = this.#machine.dueBefore(next);
      if (due === undefined) return;
      const seen = this.#machine.submit(encodeCommand(due.timeMs, due.command));
      this.#coverage.see(seen);
      this.#auditor.see(seen, this.#machine.engine);
    }
  }

  /** The text with the number that its order has in this run: acts may be missing before it. */
  #resolved({ text, order }: Extract<Act, { do: 'command' }>): string {
    if (order === undefined) return text;
    const id = this.#made.get(order[0])?.[order[1]];
    if (id === undefined) return text;
    const { command, timeMs } = readCommand(text);
    if (!('orderId' in command) || command.orderId === id) return text;
    return encodeCommand(timeMs, { ...command, orderId: id as OrderId });
  }
}
