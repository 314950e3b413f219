/** Door of the server: everything joined into one that is running. */
export { type Server, startServer } from './start.ts';
