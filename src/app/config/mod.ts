/** Door of the configuration: the one reader of environment, configuration file and secrets. */
export { bootstrap } from './bootstrap.ts';
export { type ClusterConfig, type ClusterKind, readCluster } from './cluster.ts';
export { openDataDirectory } from './data-directory.ts';
export { type DepositConfig, depositsOf, isDue } from './deposits.ts';
export { diskFreeBytes, diskTrouble } from './disk-space.ts';
export { ConfigDocument, ConfigFault, type Renamed, type TextPlace } from './document.ts';
export {
  type Config,
  type ConfigFlags,
  DEMO_CONFIG_FILE,
  type Environment,
  loadConfig,
  refuseDemoOnNetwork,
  type TracingConfig,
} from './load.ts';
export type { PeopleConfig } from './people.ts';
export { readRecording } from './recording.ts';
export { FILE_SCHEMA, type LogLevel } from './schema.ts';
export { findMasterKey, readAdminToken, readMasterKey, savedAdminToken } from './secrets.ts';
export { isLoopback, networkRisks, readCertificate, type ServerSettings } from './server.ts';
export {
  checkedHistoryUrl,
  type HistoryPlace,
  historyPlaceOf,
  type LogPlace,
  logPlaceOf,
  sharedLogPlaceOf,
} from './stores.ts';
