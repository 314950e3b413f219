/** Door for the tests of others, `outcry/testing`: a venue of its own for one test. */
export type { Credential } from '#child';
export { startVenue, type TestVenue, type VenueOptions } from './start-venue.ts';
