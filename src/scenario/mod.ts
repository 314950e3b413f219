/** Door of the scenarios: files that play a bad day on a venue and hold it against figures. */
export { VenueUnusable } from './client.ts';
export { readScenario } from './file.ts';
export { runScenario, type StartVenue, scenarioFile, shippedScenarios } from './play.ts';
export type { Failure, Progress } from './runner.ts';
export type { Spelling } from './spelling.ts';
