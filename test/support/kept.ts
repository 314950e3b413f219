/**
 * Data directories that earlier releases left behind, kept as they were. `rules-1.json.br` is the
 * demo venue of commit 1dac33b after some hundred random calls of spot and contracts and a key made
 * at run time: `stopped` after a clean stop whose snapshot covers every command, `behind` after a
 * second life too short for another snapshot, `said` what the first life answered at its end.
 * `rules-2.json.br` is the demo venue of commit 0f6f38d as a sandbox, copied while it ran: pairs,
 * contracts (some under free names), trigger orders, take-profit and stop-loss, both margin modes,
 * transfers, funding, liquidations, checkpoints and a reset; a third of its commands come after its
 * snapshot. `said` is what it answered right before.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Content of every file by its name, in base64. */
type Files = Readonly<Record<string, string>>;

interface Kept {
  readonly stopped: Files;
  readonly behind: Files;
  readonly said: Readonly<Record<string, unknown>>;
}

interface KeptRunning {
  readonly nowMs: number;
  readonly seq: number;
  readonly files: Files;
  /** The body of each answer by its call, as in `demo-key GET /account/assets`. */
  readonly said: Readonly<Record<string, unknown>>;
}

function read<T>(name: string): T {
  const file = resolve(import.meta.dirname, 'kept', name);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString());
}

const kept = read<Kept>('rules-1.json.br');

/** The directory of a running venue under rules 2, with orders of every kind. */
export const keptRunning = read<KeptRunning>('rules-2.json.br');

/** The last command of each directory. */
export const KEPT_LAST_SEQ = { stopped: 1_223, behind: 1_281 } as const;

export function layDown(which: 'stopped' | 'behind' | 'running', directory: string): void {
  chmodSync(directory, 0o700);
  const files = which === 'running' ? keptRunning.files : kept[which];
  for (const [name, content] of Object.entries(files)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.from(content, 'base64'), { mode: 0o600 });
  }
}

/** What the first life answered to a call, as in `demo-key GET /account/assets`. */
export function saidTo(call: string): unknown {
  const answer = kept.said[call];
  assert.notEqual(answer, undefined, `no answer to ${call}`);
  return answer;
}
