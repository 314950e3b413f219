/** How the auditor says no: a rule with a name, what was expected and what came. */
import { Finding } from '../world/finding.ts';

export function must(holds: boolean, rule: string, what: () => string): asserts holds {
  if (!holds) throw new Finding(rule, what());
}

export function mustBe(rule: string, what: string, actual: unknown, expected: unknown): void {
  if (actual === expected) return;
  if (typeof actual !== 'object' || typeof expected !== 'object') {
    throw new Finding(rule, `${what} is ${show(actual)} and should be ${show(expected)}`);
  }
  const [one, other] = [show(actual), show(expected)];
  if (one === other) return;
  throw new Finding(rule, `${what} is\n  ${one}\nand should be\n  ${other}`);
}

/** A value as text in which names are in order and what is undefined is not there. */
export function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'nothing';
  const fields = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, inner]) => `${name}: ${show(inner)}`).join(', ')}}`;
}
