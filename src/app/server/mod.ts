/** Door of the server: everything joined into one that is running. */
export { ConsoleLink } from './console-link.ts';
export { fundedOpener } from './demo-people.ts';
export { type Server, startServer } from './start.ts';
export { endWithin, Stopping } from './stopping.ts';
