/**
 * Door of the clients. `outcry/client` is all of it: the typed client of a running venue, and its
 * calls one by one for whoever bundles only some of them.
 */
export { type Caller, type CallOptions, type ClientOptions, callerOf } from './caller.ts';
export type { AccountData, BookData, Channel, ContractSettings, DataOf } from './channels.ts';
export type { StreamState } from './connection.ts';
export { type AnswerOf, type Endpoint, type InputOf, targetOf } from './endpoint.ts';
export type { StreamListener, StreamMessage } from './followed.ts';
export * as admin from './generated/admin.ts';
export * as competition from './generated/competition.ts';
export * as native from './generated/native.ts';
export * as people from './generated/people.ts';
export * as sandbox from './generated/sandbox.ts';
export { type OutcryClient, outcryClient } from './outcry-client.ts';
export { bearer, ed25519, hmac, type SessionSigner, type Signer, session } from './signing.ts';
export { NO_ANSWER, type RefusalDetails, VenueError } from './venue-error.ts';
export { type StreamLogin, type StreamOptions, VenueStream } from './venue-stream.ts';
