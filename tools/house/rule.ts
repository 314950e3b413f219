/** The shape of a house rule: a name that docs/STYLE.md explains, and a check over the project. */
import type { Node } from 'typescript/unstable/ast';
import { isCode, lineOf, type Project, type Source } from './source.ts';

export interface Violation {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  /** What is wrong and what to write in its place. */
  readonly message: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

export interface Rule {
  readonly name: string;
  /** It reads files that are no code, too: their trees are empty. */
  readonly readsTexts?: true;
  readonly check: (project: Project) => readonly Finding[];
}

/** A finding at the line where the node starts. */
export function finding(source: Source, node: Node, message: string): Finding {
  return { path: source.path, line: lineOf(source, node), message };
}

/** Everything that breaks one of the rules, in path order. */
export function violations(rules: readonly Rule[], project: Project): Violation[] {
  const code = project.filter(isCode);
  return rules
    .flatMap((rule) =>
      rule.check(rule.readsTexts ? project : code).map((found) => ({ ...found, rule: rule.name })),
    )
    .sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** One violation as a line that editors can follow. */
export function describe(violation: Violation): string {
  const { path, line, rule, message } = violation;
  return `${path}:${line}: ${rule}: ${message}`;
}
