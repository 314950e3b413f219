/** New credentials. They are shown once, to the caller that asked for the key, and never again. */
import { randomBytes } from 'node:crypto';

export interface Credentials {
  readonly key: string;
  /** Empty where its owner signs with a pair of its own. */
  readonly secret: string;
  readonly passphrase: string;
}

/**
 * A key with 128 bits, a secret with 256 unless its owner signs with a pair of its own, and the
 * wanted passphrase or one with 96 bits.
 */
export function newCredentials(passphrase: string | undefined, hasOwnPair: boolean): Credentials {
  return {
    key: randomBytes(16).toString('hex'),
    secret: hasOwnPair ? '' : randomBytes(32).toString('base64url'),
    passphrase: passphrase ?? randomBytes(12).toString('base64url'),
  };
}
