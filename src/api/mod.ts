/** Door of the API: the HTTP and stream server over a venue, and what its dialects are made of. */
export { buildApp } from './app.ts';
export { SharedBounds } from './bounds/shared.ts';
export type { RateLimit } from './bounds/windows.ts';
export type { Dialect, Frame, Frames, Signer } from './dialect.ts';
export type {
  Access,
  Admission,
  Admit,
  Answer,
  Call,
  Caller,
  Cost,
  DataJson,
  Endpoint,
  KeptJson,
  Route,
  SignedCall,
} from './endpoint.ts';
export { readsQuery } from './endpoint.ts';
export { FaultInjector } from './faults/injector.ts';
export { HttpThreads } from './http-threads/http-threads.ts';
export { comesTwice, type JsonObject, jsonFault, parseJsonList, parseJsonObject } from './json.ts';
export { type Credentials as NewCredentials, newCredentials } from './keys/credentials.ts';
export type { PassphraseOrigin } from './keys/passphrase.ts';
export type { ApiKey, KeyRegistry, Principal, Signing } from './keys/port.ts';
export type { SignatureUse } from './keys/replay-guard.ts';
export { publicKeyOf } from './keys/request-ed25519.ts';
export { openSecret, sealSecret } from './keys/seal.ts';
export { KeyVault, MasterKeyWrong } from './keys/vault.ts';
export { type Certificate, OwnListener } from './listeners.ts';
export type { AppOptions, Degradation } from './options.ts';
export type { Authenticated, KeyDoor, KeyUse, UseCheck } from './plugins/auth.ts';
export type { CallWatcher, EndedCall } from './plugins/calls.ts';
export { refusalOf } from './plugins/errors.ts';
export { FailedChecks } from './plugins/failed-checks.ts';
export type { Gauge } from './plugins/gauge.ts';
export { networkOf } from './plugins/network.ts';
export { printable } from './plugins/printable.ts';
export type { Quota } from './plugins/quota.ts';
export { RateLimiter } from './plugins/rate-limit.ts';
export { retryAfter, sendRefusal } from './plugins/reply.ts';
export { Timings } from './plugins/timings.ts';
export { refuseSaying } from './refusal.ts';
export type { RefusalForm } from './refusal-form.ts';
export { type AnswerHead, type ApiRequest, HttpRequest } from './request.ts';
export type { Services, StreamServices } from './services.ts';
export type { KeyFollower, Monitors, SessionRequest, Sessions } from './sessions.ts';
export type { AccountWriter, PrivateRow, StateRow } from './streams/account-feeds.ts';
export {
  type ContractOrderChange,
  contractOrdersOf,
  type OrderChange,
  type SpotOrderChange,
  spotOrdersOf,
  type TriggerOrderChange,
} from './streams/account-orders.ts';
export { type BookChoices, BookFeed } from './streams/book-feed.ts';
export type { CallOutcome, SocketCall } from './streams/call-frames.ts';
export { CandleFeed } from './streams/candle-feed.ts';
export type {
  ClientMessage,
  HeaderLogin,
  LoginAttempt,
  PublicFeed,
  PushAction,
  StepPlace,
  StreamDialect,
  StreamFault,
  StreamRefusal,
  Topic,
} from './streams/dialect.ts';
export { type ConnectionLimits, STREAM_LIMITS, type StreamLimits } from './streams/limits.ts';
export { StateFeed } from './streams/state-feed.ts';
export { TradeFeed } from './streams/trade-feed.ts';
