/**
 * The record of commands that made the engine fail: a small file of its own in the data directory,
 * because such a command is in no journal. It outlives the process that it ends, and by it the next
 * start knows what not to try a third time.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, type CommandKind, type EngineFailure, encodeCommand } from '#domain';
import type { EngineFault, FaultKeeper } from './venue-options.ts';

/** So many failures of one market, or of one command, and it is not tried again. */
const FAILURES_MAX = 2;
/** The oldest of more goes. */
const ROWS_MAX = 100;
const MESSAGE_LENGTH_MAX = 300;

/** All failures of one market, or of one command that concerns none: the last stands for all. */
interface FaultRow {
  /** Of the pair or contract; empty when the command concerned none that could be suspended. */
  readonly symbol: string;
  readonly kind: CommandKind;
  /** SHA-256 of the command's text without its time. */
  readonly digest: string;
  readonly message: string;
  readonly count: number;
  readonly seq: number;
  readonly timeMs: number;
  /** No start has acted on it yet. */
  readonly isNew: boolean;
}

export interface DueSuspension {
  readonly symbol: string;
  readonly failure: EngineFailure;
}

export class FaultRecord implements FaultKeeper {
  readonly #file: string;
  readonly #onWarning: (text: string) => void;
  #rows: readonly FaultRow[];
  #withheld: ReadonlyMap<string, CommandKind> = new Map();

  constructor(directory: string, onWarning: (text: string) => void) {
    this.#file = join(directory, 'engine-faults.json');
    this.#onWarning = onWarning;
    this.#rows = this.#read();
    this.#withheld = new Map(this.#hopeless().map(({ digest, kind }) => [digest, kind]));
  }

  /** Failures of the engine, of whatever age. */
  get failuresCount(): number {
    return this.#rows.reduce((sum, { count }) => sum + count, 0);
  }

  /** Commands that are refused because they have ended the process twice. */
  get withheld(): EngineFailure[] {
    return this.#hopeless().map(failureOf);
  }

  /** Markets that have failed since the last start, and too often by now. */
  due(): DueSuspension[] {
    return this.#rows
      .filter(({ symbol, isNew, count }) => symbol !== '' && isNew && count >= FAILURES_MAX)
      .map((row) => ({ symbol: row.symbol, failure: failureOf(row) }));
  }

  /** What was due has been done. Counts stay: a market that is resumed and fails is due at once. */
  settle(): void {
    if (!this.#rows.some(({ isNew }) => isNew)) return;
    this.#rows = this.#rows.map((row) => ({ ...row, isNew: false }));
    this.#write();
  }

  withholds(command: Command): boolean {
    if (this.#withheld.size === 0) return false;
    return this.#withheld.get(digestOf(command)) === command.kind;
  }

  failed({ command, instrument, seq, timeMs, error }: EngineFault): void {
    // What fails in a suspended market is stopped by nothing but its own text.
    const symbol = instrument?.status === 'suspended' ? '' : (instrument?.symbol ?? '');
    const digest = digestOf(command);
    const isSame = (row: FaultRow) => keyOf(row) === keyOf({ symbol, digest });
    const count = (this.#rows.find(isSame)?.count ?? 0) + 1;
    const message = messageOf(error);
    const row = { symbol, kind: command.kind, digest, message, count, seq, timeMs, isNew: true };
    this.#rows = [...this.#rows.filter((other) => !isSame(other)), row].slice(-ROWS_MAX);
    this.#write();
  }

  /** There is no market whose suspension would keep them from failing again. */
  #hopeless(): FaultRow[] {
    return this.#rows.filter(({ symbol, count }) => symbol === '' && count >= FAILURES_MAX);
  }

  #read(): readonly FaultRow[] {
    if (!existsSync(this.#file)) return [];
    try {
      const found: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      if (Array.isArray(found) && found.every(isRow)) return found;
    } catch {
      // What is not JSON is as damaged as what is other JSON.
    }
    this.#onWarning(`${this.#file} is damaged: earlier failures of the engine are not counted`);
    return [];
  }

  /** Whole or not at all, and on disk when it returns. */
  #write(): void {
    const unfinished = `${this.#file}.new`;
    try {
      const text = `${JSON.stringify(this.#rows, undefined, 2)}\n`;
      writeFileSync(unfinished, text, { mode: 0o600, flush: true });
      renameSync(unfinished, this.#file);
      syncDirectory(dirname(this.#file));
    } catch (error) {
      this.#onWarning(`cannot write ${this.#file}: ${messageOf(error)}`);
    }
  }
}

function keyOf({ symbol, digest }: Pick<FaultRow, 'symbol' | 'digest'>): string {
  return symbol === '' ? digest : symbol;
}

function failureOf({ kind, message, count }: FaultRow): EngineFailure {
  return { command: kind, failuresCount: count, message };
}

function digestOf(command: Command): string {
  return createHash('sha256').update(encodeCommand(0, command)).digest('hex');
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.slice(0, MESSAGE_LENGTH_MAX);
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function isRow(row: unknown): row is FaultRow {
  if (typeof row !== 'object' || row === null) return false;
  const texts = ['symbol', 'kind', 'digest', 'message'];
  const numbers = ['count', 'seq', 'timeMs'];
  const typeOf = (name: string) => typeof Reflect.get(row, name);
  return (
    texts.every((name) => typeOf(name) === 'string') &&
    numbers.every((name) => typeOf(name) === 'number') &&
    typeOf('isNew') === 'boolean'
  );
}
