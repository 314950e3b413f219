/** Door of the API: the HTTP interface over a venue and its views. */
export { buildApp } from './app.ts';
export type { ApiKey, KeyRegistry, PassphraseVerdict } from './keys/port.ts';
export { KeyVault, MasterKeyWrong } from './keys/vault.ts';
export type { AppOptions, Gauge } from './options.ts';
export { type AdminOptions, addAdminRoutes } from './routes/admin.ts';
export { STREAM_LIMITS, type StreamLimits } from './streams/limits.ts';
