/** One data directory over many lives of its server, and all that its two accounts were told. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, type TestContext } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { Side } from './load.ts';
import { AccountRecord } from './record.ts';
import { type Program, readyUrl, serve } from './server-process.ts';
import { DEMO, MAKER, Trader } from './trader.ts';

const DEMO_CONFIG = resolve(import.meta.dirname, '../../config/demo.yaml');
/** Many snapshots in a short life, so that some are being written when it ends. */
const SNAPSHOT_EVERY_COMMANDS = 1_000;

/** A directory that is gone when the test, or without one the file, is over. */
export function scratch(context?: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'outcry-crash-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  if (context === undefined) after(remove);
  else context.after(remove);
  return directory;
}

export interface Running {
  readonly program: Program;
  readonly url: string;
  readonly sides: readonly Side[];
}

export class House {
  readonly directory: string;
  readonly demo: AccountRecord;
  readonly maker: AccountRecord;
  readonly #configFile: string;
  /** How long the last start took. */
  startMs = 0;

  constructor(
    directory: string,
    demo = new AccountRecord('demo'),
    maker = new AccountRecord('maker'),
  ) {
    this.directory = directory;
    this.demo = demo;
    this.maker = maker;
    this.#configFile = join(directory, 'often.yaml');
    const often = `snapshotIntervalCommands: ${SNAPSHOT_EVERY_COMMANDS}\n`;
    writeFileSync(this.#configFile, readFileSync(DEMO_CONFIG, 'utf8') + often);
  }

  file(name: string): string {
    return join(this.directory, name);
  }

  /** A life that may end before it is ready. */
  spawn(): Program {
    return serve({ directory: this.directory, configFile: this.#configFile });
  }

  async start(): Promise<Running> {
    const program = this.spawn();
    const url = await readyUrl(program);
    this.startMs = program.ageMs;
    return { program, url, sides: this.sides(url) };
  }

  /** The same house and its story in a directory of its own, to be harmed there. */
  copy(directory: string): House {
    cpSync(this.directory, directory, { recursive: true });
    return new House(directory, this.demo, this.maker);
  }

  sides(url: string): Side[] {
    return [
      { trader: new Trader(url, DEMO), record: this.demo },
      { trader: new Trader(url, MAKER), record: this.maker },
    ];
  }

  removeHistory(): void {
    for (const end of ['', '-wal', '-shm']) {
      rmSync(this.file(`history.sqlite${end}`), { force: true });
    }
  }

  removeSnapshots(): void {
    rmSync(this.file('snapshots'), { recursive: true });
  }
}

/** Every row of what has happened. Starting is also a pulse, which moves how far it reaches. */
export function pastRows(file: string): Map<string, unknown[]> {
  const tables = dumpTables(file);
  tables.delete('meta');
  return tables;
}

/** Every row of every table, with the tables' names. */
function dumpTables(file: string): Map<string, unknown[]> {
  const database = new Sqlite(file, { readonly: true });
  try {
    const names = database
      .prepare<[], string>("select name from sqlite_master where type = 'table' order by name")
      .pluck()
      .all();
    const rowsIn = (name: string) => database.prepare(`select * from "${name}"`).raw().all();
    const inOrder = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    return new Map(names.map((name) => [name, inOrder(rowsIn(name))]));
  } finally {
    database.close();
  }
}
