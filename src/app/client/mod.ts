/** Door of the operator's clients, of a running venue and of its sandbox. */
export { AdminCallFailed, AdminClient } from './admin-client.ts';
export {
  type SandboxCheckpoint,
  SandboxClient,
  type SandboxClock,
  type SandboxFault,
  type SandboxState,
} from './sandbox-client.ts';
