/** Words of one vendor's API, which only the dialects speak. */
import type { Rule } from './rule.ts';
import { lineAt } from './source.ts';

const VENDOR = /SPBL|cmt_|ACCESS-|EXCHANGE|[Bb]itget|[Dd]elegate/g;

/** Who may use them beside the dialects, and why. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['src/scenario/', 'a client of the classic interface'],
]);

export const vendorRule: Rule = {
  name: 'vendor',
  check: (project) =>
    project
      .filter(({ path }) => path.startsWith('src/') && !maySpeak(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(VENDOR)].map(({ 0: word, index }) => ({
          path,
          line: lineAt(text, index),
          message: `${word} is a word of one API: it belongs in src/dialects`,
        })),
      ),
};

function maySpeak(path: string): boolean {
  if (path.startsWith('src/dialects/')) return true;
  return [...EXCEPTIONS.keys()].some((start) => path.startsWith(start));
}
