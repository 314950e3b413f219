/** Door of the cluster for tests: what a process decides, and its side of a connection. */
export { Freshness } from './freshness.ts';
export { LinkServer } from './link-server.ts';
export { minoritySeal, signed, trimmedBefore } from './seals.ts';
export { type ReleaseVersions, THIS_RELEASE, VersionFault } from './versions.ts';
