/** Names of files and folders, and the header that says what a file is. */
import { isDelivered } from './rooms.ts';
import type { Rule } from './rule.ts';

const BANNED = /^(utils?|helpers?|common|misc)$/i;
const FILE_NAME =
  /^([a-z0-9-]+\/)*[a-z0-9-]+((\.(browser|slow|cluster|recordings))?\.test|\.config)?\.tsx?$/;

/** Such a name says nothing, so anything ends up there. */
export const namesRule: Rule = {
  name: 'names',
  check: (project) =>
    project.flatMap(({ path }) => {
      const banned = path.split(/[/.-]/).find((part) => BANNED.test(part));
      if (banned === undefined) return [];
      return [{ path, line: 1, message: `"${banned}" says nothing: name what the code is about` }];
    }),
};

/** kebab-case, so that a path reads the same on every file system. */
export const fileCaseRule: Rule = {
  name: 'file-case',
  check: (project) =>
    project
      .filter(({ path }) => !FILE_NAME.test(path))
      .map(({ path }) => ({ path, line: 1, message: 'file names are kebab-case' })),
};

/** The first thing in a file is a block comment: what it is, and what it is not. */
export const headerRule: Rule = {
  name: 'header',
  check: (project) =>
    project
      .filter(({ path }) => isDelivered(path) || path.startsWith('sim/'))
      .filter(({ text }) => !/^(#![^\n]*\n)?\/\*\*?[ \n]/.test(text))
      .map(({ path }) => ({ path, line: 1, message: 'starts with a block comment on what it is' })),
};
