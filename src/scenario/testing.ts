/** The scenarios' door for tests: the language as tables, and how a figure is compared. */
export { ACTIONS } from './actions/all.ts';
export { isExpected, meets } from './compare.ts';
export { actionTable, subjectTable } from './language.ts';
export { SUBJECTS } from './subjects/all.ts';
