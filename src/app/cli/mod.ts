/** Door of the command line. */
export { ephemeralDirectory } from './ephemeral.ts';
export type { Output } from './output.ts';
export { runCommandLine, type ServeOptions } from './program.ts';
