/**
 * What a passphrase is checked by. It is kept sealed under the master key beside the secret, so
 * whoever has the data alone has nothing to guess at. A passphrase that the venue made up has 96
 * random bits, which a plain digest does not give away. A chosen one is stretched, against who has
 * data and master key, by as much as the first call of a key after a start may cost.
 */
import { hash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

/** Who thought of it: the venue, or a person. */
export type PassphraseOrigin = 'made' | 'chosen';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Of scrypt1: 16 kB and some 60 µs, about as much as a signed read. */
const COST = { N: 16, r: 8, p: 1 };

/** Text without a space: "sha256.hash" or "scrypt1.salt.hash", in base64url. */
export function checkOf(passphrase: string, origin: PassphraseOrigin): string {
  return origin === 'made' ? digested(passphrase) : stretched(passphrase, randomBytes(SALT_BYTES));
}

/** Whether this is the passphrase of a check. Text that is no check matches nothing. */
export function isPassphraseOf(passphrase: string, check: string): boolean {
  const [form, salt = ''] = check.split('.');
  if (form === 'sha256') return isSame(digested(passphrase), check);
  if (form !== 'scrypt1') return false;
  return isSame(stretched(passphrase, Buffer.from(salt, 'base64url')), check);
}

/** Compares in constant time; only a difference in length shows. */
export function isSame(given: string, right: string): boolean {
  const [left, other] = [Buffer.from(given), Buffer.from(right)];
  return left.length === other.length && timingSafeEqual(left, other);
}

function digested(passphrase: string): string {
  return `sha256.${hash('sha256', passphrase, 'base64url')}`;
}

function stretched(passphrase: string, salt: Buffer): string {
  const bytes = scryptSync(passphrase, salt, HASH_BYTES, COST);
  return `scrypt1.${salt.toString('base64url')}.${bytes.toString('base64url')}`;
}
