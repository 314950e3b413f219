/**
 * A failing run made small: acts are left out in ever smaller pieces as long as the same rule is
 * broken (delta debugging), and then the figures of what is left are made simpler one by one.
 */
import { encodeCommand } from '#domain';
import type { Found, RunResult } from '../run.ts';
import type { Act } from '../world/act.ts';
import { readCommand } from '../world/machine.ts';

/** Plays acts; the caller says on which machine. */
export type Play = (acts: readonly Act[]) => Pick<RunResult, 'found'>;

export interface Shrunk {
  readonly acts: readonly Act[];
  readonly found: Found;
  readonly playsCount: number;
}

export function shrink(acts: readonly Act[], found: Found, play: Play, playsMax = 2_000): Shrunk {
  let playsCount = 0;
  let best: { acts: readonly Act[]; found: Found } = { acts: acts.slice(0, found.at + 1), found };
  /** Whether these acts break the same rule; what comes after the fault is of no use. */
  const tries = (candidate: readonly Act[]): boolean => {
    if (playsCount >= playsMax) return false;
    playsCount += 1;
    const outcome = play(candidate).found;
    if (outcome?.rule !== found.rule) return false;
    best = { acts: candidate.slice(0, outcome.at + 1), found: outcome };
    return true;
  };
  let piece = Math.ceil(best.acts.length / 2);
  while (piece >= 1 && playsCount < playsMax) {
    const before = best.acts.length;
    leaveOut(() => best.acts, piece, tries);
    if (piece > 1 || best.acts.length === before) piece = Math.floor(piece / 2);
  }
  simplify(() => best.acts, tries);
  return { ...best, playsCount };
}

/** From the end to the beginning: what comes later depends on what came before. */
function leaveOut(
  acts: () => readonly Act[],
  piece: number,
  tries: (candidate: readonly Act[]) => boolean,
): void {
  for (let end = acts().length; end > 0; end -= piece) {
    const start = Math.max(0, end - piece);
    if (end <= acts().length) tries([...acts().slice(0, start), ...acts().slice(end)]);
  }
}

/** Smaller sizes and amounts, and no client id, where that is still enough. */
function simplify(acts: () => readonly Act[], tries: (candidate: readonly Act[]) => boolean): void {
  for (let at = 0; at < acts().length; at += 1) {
    for (const text of simplerTexts(acts()[at])) {
      const act = acts()[at];
      if (act?.do !== 'command') break;
      if (tries([...acts().slice(0, at), { ...act, text }, ...acts().slice(at + 1)])) break;
    }
  }
}

function simplerTexts(act: Act | undefined): string[] {
  if (act?.do !== 'command') return [];
  const { command, timeMs } = readCommand(act.text);
  const simpler: (typeof command)[] = [];
  if ('sizeLots' in command && command.sizeLots !== undefined && command.sizeLots > 1) {
    simpler.push({ ...command, sizeLots: 1 } as typeof command);
    simpler.push({ ...command, sizeLots: Math.ceil(command.sizeLots / 2) } as typeof command);
  }
  if ('amount' in command && command.amount > 1n) {
    const digits = String(command.amount).length;
    simpler.push({ ...command, amount: 10n ** BigInt(digits - 1) } as typeof command);
  }
  if ('clientOrderId' in command && command.clientOrderId !== undefined) {
    simpler.push({ ...command, clientOrderId: undefined } as typeof command);
  }
  return simpler.map((one) => encodeCommand(timeMs, one));
}
