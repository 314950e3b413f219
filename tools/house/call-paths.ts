/** Pages make calls by the tables of the client: no path of an API is written in them. */
import type { Rule } from './rule.ts';
import { lineAt } from './source.ts';

/** Of texts in quotes and of templates, which may begin with what stands before the API. */
const PATH = /['"`](?:\$\{\w+\})?\/(?:v1|(?:people|competition|admin|sandbox)\/v1|api|capi)\//g;
/** The terminal speaks another API still, and the wire knows its words. */
const PAGES = /^ui\/src\/(account|competition|ops|session|shell|store|look)\//;
/** Asks whether a key is known there. */
const EXCEPTIONS: ReadonlySet<string> = new Set(['ui/src/session/session.ts']);

export const callPathsRule: Rule = {
  name: 'call-paths',
  check: (project) =>
    project
      .filter(({ path }) => PAGES.test(path) && !EXCEPTIONS.has(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(PATH)].map(({ 0: found, index }) => ({
          path,
          line: lineAt(text, index),
          message: `${found.slice(1)} is a path of an API: name the call of #client`,
        })),
      ),
};
