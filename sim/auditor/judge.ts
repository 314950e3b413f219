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
  if (isSame(actual, expected)) return;
  const [one, other] = [show(actual), show(expected)];
  throw new Finding(rule, `${what} is\n  ${one}\nand should be\n  ${other}`);
}

/** Whether two values have the same fields; one that is undefined is not there. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const [these, those] = [one as Fields, other as Fields];
  for (const name in these) if (!isSame(these[name], those[name])) return false;
  for (const name in those) {
    if (those[name] !== undefined && these[name] === undefined) return false;
  }
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

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
