/**
 * Door to what a program needs that starts a venue as a process of its own. It imports nothing, so
 * that a test on another Node than the venue's can use it.
 */
export {
  type Credential,
  DEMO_CREDENTIAL,
  isKnownCredential,
  KNOWN_CREDENTIALS,
  MAKER_CREDENTIAL,
} from './demo.ts';
export { childEnvironment } from './environment.ts';
