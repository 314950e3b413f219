/** One data directory over many lives of its server, and all that its two accounts were told. */
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DEMO, MAKER, Trader } from '../support/http-trader.ts';
import { type Program, readyUrl, serve } from '../support/program.ts';
import type { Side } from './load.ts';
import { AccountRecord } from './record.ts';

const DEMO_CONFIG = resolve(import.meta.dirname, '../../config/demo.yaml');
/** Many snapshots in a short life, so that some are being written when it ends. */
const SNAPSHOT_EVERY_COMMANDS = 1_000;

export interface Running {
  readonly program: Program;
  readonly url: string;
  readonly sides: readonly Side[];
}

export class DataDirectory {
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

  /** In a database in place of a file, from the next start on. */
  keepHistoryIn(url: string): void {
    appendFileSync(this.#configFile, `history: ${url}\n`);
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

  /** The same data and their story in a directory of its own, to be harmed there. */
  copy(directory: string): DataDirectory {
    cpSync(this.directory, directory, { recursive: true });
    return new DataDirectory(directory, this.demo, this.maker);
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
