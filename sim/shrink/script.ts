/** A run as a small text: JSON that says what must not happen, and the acts that lead to it. */
import { readFileSync } from 'node:fs';
import type { Found } from '../run.ts';
import type { Act } from '../world/act.ts';

export interface Script {
  /** Where it comes from, and what it shows. */
  readonly about: string;
  readonly rule: string;
  readonly acts: readonly Act[];
}

export function scriptText(about: string, found: Found, acts: readonly Act[]): string {
  const lines = acts.map((act) => `    ${JSON.stringify(act)}`).join(',\n');
  const [about1, rule] = [JSON.stringify(about), JSON.stringify(found.rule)];
  return `{\n  "about": ${about1},\n  "rule": ${rule},\n  "acts": [\n${lines}\n  ]\n}\n`;
}

export function readScript(path: string): Script {
  return JSON.parse(readFileSync(path, 'utf8')) as Script;
}
