/**
 * One machine with the production engine on it, behind its ports: commands reach the engine as the
 * journal's text says them, what was carried out is written and synced before anybody hears of it,
 * and a start reads the snapshot and the log. The network and other members have their seam here.
 */
import { createHash } from 'node:crypto';
import { type Command, decodeEntry, encodeCommand, joinCommands, type TimedCommand } from '#domain';
import { Engine } from '#engine';
import type { Seen } from './act.ts';
import { Disk } from './disk.ts';
import { Finding } from './finding.ts';

export class Machine {
  readonly disk: Disk;
  #engine = Engine.empty();
  /** Of the state that callers know of, while it is known. */
  #timeMs = 0;

  constructor(disk: Disk = new Disk()) {
    this.disk = disk;
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** Carries out a command, and returns once it is durable. */
  submit(text: string): Seen {
    const { command, timeMs } = readCommand(text);
    this.#timeMs = Math.max(this.#timeMs, timeMs);
    const seen = this.#attempt(command, this.#timeMs);
    if (seen.events[0]?.kind !== 'refused') this.disk.sync();
    return seen;
  }

  /** What comes before a command. */
  dueBefore({ command, timeMs }: TimedCommand): TimedCommand | undefined {
    return this.#engine.dueBefore({ command, timeMs: Math.max(this.#timeMs, timeMs) });
  }

  /** What is no command is refused where it is read. */
  malformed(text: string): void {
    let found: unknown;
    try {
      found = readCommand(text).command;
    } catch {
      return;
    }
    throw new Finding('codec', `${text} is read as ${JSON.stringify(found)}`);
  }

  snapshot(): void {
    this.disk.keep([...this.#engine.dump()]);
  }

  /** Dies and starts again. What was acknowledged is there, and nothing else. */
  crash(): void {
    const before = stateHash(this.#engine);
    this.#restart();
    if (stateHash(this.#engine) === before) return;
    throw new Finding('crash', 'a start from snapshot and log leads to another state');
  }

  /** Dies while a command is under way that nobody has heard of yet: it never was. */
  crashWithin(text: string): void {
    const { command, timeMs } = readCommand(text);
    const before = stateHash(this.#engine);
    this.#attempt(command, Math.max(this.#timeMs, timeMs));
    this.#restart();
    if (stateHash(this.#engine) === before) return;
    throw new Finding('crash', 'a command that was never acknowledged has left something behind');
  }

  #attempt(command: Command, timeMs: number): Seen {
    const step = this.#engine.attempt(command, timeMs);
    if ('reject' in step) return { command, timeMs, events: [step] };
    this.disk.append(encodeCommand(timeMs, command));
    return { command, timeMs, events: step.events };
  }

  #restart(): void {
    this.disk.crash();
    const { snapshot, log } = this.disk.read();
    this.#engine = snapshot.length === 0 ? Engine.empty() : Engine.restore(snapshot);
    for (const { command, timeMs } of decodeEntry(joinCommands(log))) {
      this.#engine.apply(command, timeMs);
    }
    this.#engine.check();
  }
}

/** A command as the journal would read it. */
export function readCommand(text: string): { readonly command: Command; readonly timeMs: number } {
  const [timed] = decodeEntry(joinCommands([text]));
  if (timed === undefined) throw new Finding('script', 'an act without a command');
  return timed;
}

function stateHash(engine: Engine): string {
  const hash = createHash('sha256');
  for (const row of engine.dump()) hash.update(row);
  return hash.digest('hex');
}
