/** Door of the cluster for tests: what a process decides, and its side of a connection. */
export { Agreement } from './agreement.ts';
export { Freshness } from './freshness.ts';
export { Doorkeeper, HELLO_PATH, httpOf, introduce } from './handshake.ts';
export { Holdings } from './holdings.ts';
export { Holds, OwnHold } from './holds.ts';
export { Lag } from './lag.ts';
export { LinkClient, type LinkEnd } from './link-client.ts';
export { type Led, LinkServer } from './link-server.ts';
export { LogCalls } from './log-calls.ts';
export { type SentStatus, STATUS_PATH } from './member-status.ts';
export { OpenRequests } from './open-requests.ts';
export { Replica } from './replica.ts';
export { Roster } from './roster.ts';
export { minoritySeal, signed, trimmedBefore } from './seals.ts';
export { askForSnapshot } from './snapshot-link.ts';
export { Suspicion } from './suspicion.ts';
export { type ReleaseVersions, THIS_RELEASE, VersionFault } from './versions.ts';
