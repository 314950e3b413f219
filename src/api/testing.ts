/**
 * The API's door for tests: key crypto and its bounds, checked value by value, and what a benchmark
 * runs without a server.
 */
export { CallerCounts } from './bounds/caller-counts.ts';
export { boundConnections } from './bounds/connections.ts';
export { FairTurns } from './bounds/fair-turns.ts';
export { LoopLag } from './bounds/loop-lag.ts';
export { Frames } from './dialect.ts';
export { HeldCalls } from './faults/held-calls.ts';
export { Incoming } from './incoming.ts';
export { checkOf, isPassphraseOf } from './keys/passphrase.ts';
export { ReplayGuard } from './keys/replay-guard.ts';
export { RequestEd25519 } from './keys/request-ed25519.ts';
export { RequestHmac } from './keys/request-hmac.ts';
export { openSecret, sealSecret } from './keys/seal.ts';
export { createListener } from './listeners.ts';
export { Admission, workOf } from './plugins/admission.ts';
export { Authenticator } from './plugins/auth.ts';
export { Durations } from './plugins/durations.ts';
export { MetricsPast } from './plugins/metrics-past.ts';
export { Seldom } from './plugins/seldom.ts';
export { bookChecksum, type LevelText } from './streams/checksum.ts';
export { Streams } from './streams/mount.ts';
