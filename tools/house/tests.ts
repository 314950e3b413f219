/** Files of tests: what they open stands before their first test. */
import type { Rule } from './rule.ts';
import { lineAt } from './source.ts';

const FILE = /^test\/.*\.test\.ts$/;
const TEST = /^(?:test|describe)\(/m;
const WAITED = /^(?:const [^=]*= |let [^=]*= )?(?:\w+\()?await\b.*$/gm;

/** The tests above would run meanwhile, and after them the file closes what it has opened. */
export const openingRule: Rule = {
  name: 'opening',
  readsTexts: true,
  check: (project) =>
    project
      .filter(({ path }) => FILE.test(path))
      .flatMap(({ path, text }) => {
        const first = text.search(TEST);
        const late = [...text.matchAll(WAITED)].filter(
          ({ index }) => first !== -1 && index > first,
        );
        return late.map(({ index }) => ({
          path,
          line: lineAt(text, index),
          message: 'open it above the first test, or inside of a test',
        }));
      }),
};
