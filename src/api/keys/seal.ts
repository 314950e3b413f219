/**
 * Secrets at rest: AES-256-GCM under the master key. The text is "v1." + base64url of nonce (12
 * bytes), tag (16) and ciphertext. The key's own name is authenticated along, so that a sealed
 * secret moved to another key does not open.
 */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { assert } from '#kernel';

const CIPHER = 'aes-256-gcm';
const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MASTER_KEY_BYTES = 32;

/** A sealed secret did not open: another master key, another owner, or changed text. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/** Its 32 bytes. Whoever opens many secrets has them as a key object, which is cheaper to use. */
type MasterKey = Buffer | KeyObject;

/** Seals the secret of `key`; never the same text twice. The master key has 32 bytes. */
export function sealSecret(masterKey: MasterKey, key: string, secret: string): string {
  const bytes = Buffer.isBuffer(masterKey) ? masterKey.length : masterKey.symmetricKeySize;
  assert(bytes === MASTER_KEY_BYTES, 'a master key has 32 bytes');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, masterKey, nonce);
  cipher.setAAD(Buffer.from(key));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The secret's bytes. Throws SealBroken. */
export function openSecret(masterKey: MasterKey, key: string, sealedSecret: string): Buffer {
  if (!sealedSecret.startsWith(VERSION)) throw new SealBroken('unknown version of a sealed secret');
  const bytes = Buffer.from(sealedSecret.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('sealed secret is cut short');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, masterKey, nonce);
  decipher.setAAD(Buffer.from(key));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ]);
  } catch (cause) {
    throw new SealBroken('a sealed secret does not open with this master key', { cause });
  }
}
