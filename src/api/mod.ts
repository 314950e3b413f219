/** Door of the API: the HTTP interface over a venue and its views. */
export { buildApp } from './app.ts';
export { FaultInjector } from './faults/injector.ts';
export type { ApiKey, KeyRegistry, PassphraseVerdict } from './keys/port.ts';
export { KeyVault, MasterKeyWrong } from './keys/vault.ts';
export { type Certificate, OperatorListener } from './listeners.ts';
export type { AppOptions, Degradation } from './options.ts';
export type { Gauge } from './plugins/gauge.ts';
export { type AdminOptions, addAdminRoutes } from './routes/admin.ts';
export { OperatorDoor } from './routes/operator.ts';
export { addSandboxRoutes, type ScenarioDesk } from './routes/sandbox.ts';
export { STREAM_LIMITS, type StreamLimits } from './streams/limits.ts';
