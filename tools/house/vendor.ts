/** Words and files of a vendor's API, which only the dialects of vendors know. */
import { importsOf, resolve } from './imports.ts';
import { finding, type Rule } from './rule.ts';
import { lineAt } from './source.ts';

/** Of both interfaces: names of markets and fields, headers, and paths. */
const VENDOR = new RegExp(
  [
    'SPBL|cmt_|ACCESS-|access-(?:key|sign|timestamp|passphrase)|EXCHANGE|[Bb]itget|[Dd]elegate',
    'holdModel|match_price|/api/(?:spot|swap)/',
    '[Ww]eex|/capi/|/api/v3|positionSide|newClientOrderId|clientAlgoId|marginType',
  ].join('|'),
  'g',
);

const AREAS = /^(src|ui\/src|config)\//;
/** The vendor's own. */
const DIALECTS = /^src\/dialects\/(classic|current)\//;

/** What joins all dialects: the doors, the documents and the pages. */
const JOINING = /^src\/dialects\/(mod\.ts|testing\.ts|docs\/.*|pages\.ts)$/;

const NAMES_CALLS = 'names calls of theirs: to make, or for faults to hit';

/** Who may use them beside those dialects, and why. */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['src/dialects/kit/access-headers.ts', 'reads their headers'],
  ['src/dialects/docs/', 'describes every interface'],
  ['src/dialects/sandbox/faults.ts', NAMES_CALLS],
  ['config/scenarios/lost-answers.yaml', NAMES_CALLS],
  ['config/scenarios/outage-during-stop.yaml', NAMES_CALLS],
  ['config/scenarios/rate-limited-bot.yaml', NAMES_CALLS],
  ['ui/src/texts/', 'words answers that have their words'],
]);

export const vendorRule: Rule = {
  name: 'vendor',
  readsTexts: true,
  check: (project) =>
    project
      .filter(({ path }) => AREAS.test(path) && !DIALECTS.test(path) && !isException(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(VENDOR)].map(({ 0: word, index }) => ({
          path,
          line: lineAt(text, index),
          message: `${word} is a word of one API: it belongs in src/dialects`,
        })),
      ),
};

export const vendorImportsRule: Rule = {
  name: 'vendor-imports',
  check: (project) =>
    project
      .filter(({ path }) => path.startsWith('src/dialects/') && !JOINING.test(path))
      .flatMap((source) =>
        importsOf(source).flatMap(({ specifier, node }) => {
          const [, vendor] = DIALECTS.exec(resolve(source.path, specifier) ?? '') ?? [];
          if (vendor === undefined || source.path.startsWith(`src/dialects/${vendor}/`)) return [];
          return [finding(source, node, `${vendor} is a vendor's: share what is neutral in kit`)];
        }),
      ),
};

function isException(path: string): boolean {
  return [...EXCEPTIONS.keys()].some((start) => path.startsWith(start));
}
