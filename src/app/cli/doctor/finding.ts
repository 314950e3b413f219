/** What a check has found, and how it is printed. */
import type { Output } from '../output.ts';

export type Grade = 'ok' | 'warning' | 'problem';

export interface Finding {
  readonly grade: Grade;
  /** What was seen, with its value. */
  readonly text: string;
  /** What to do; only where something is to be done. */
  readonly advice?: string;
}

export function ok(text: string): Finding {
  return { grade: 'ok', text };
}

/** A venue can be served, but not as well, as safely or for as long as it could. */
export function warning(text: string, advice: string): Finding {
  return { grade: 'warning', text, advice };
}

/** A start would be refused, or lose what it should keep. */
export function problem(text: string, advice: string): Finding {
  return { grade: 'problem', text, advice };
}

const WIDTH = 'problem'.length + 2;

/** Prints it as it comes: a check may take a while. */
export function print({ grade, text, advice }: Finding, output: Output): void {
  output.result(`${grade.padEnd(WIDTH)}${text}`);
  if (advice !== undefined) output.result(`${' '.repeat(WIDTH)}-> ${advice}`);
}

/** The message of whatever was thrown, without its stack. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
