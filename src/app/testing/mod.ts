/** Door for the tests of others, `outcry/testing`: a venue of its own for one test. */
export type { Credential } from '#child';
export type {
  SandboxCheckpoint,
  SandboxClient,
  SandboxClock,
  SandboxFault,
  SandboxState,
} from '#client';
export {
  type DepositOrder,
  type IndexPrice,
  startVenue,
  type TestVenue,
  type VenueAdmin,
  type VenueOptions,
} from './start-venue.ts';
