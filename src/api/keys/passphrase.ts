/**
 * Passphrases at rest: scrypt with its parameters in the text, "scrypt1.N.r.p.salt.hash" in
 * base64url. Parameters are read from the text, so they can grow without breaking old hashes.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { assert } from '#kernel';

const VERSION = 'scrypt1';
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 16 MB and some 40 ms per guess, with a secret behind it that guessing does not reach. */
export const PASSPHRASE_COST: PassphraseCost = { N: 16_384, r: 8, p: 1 };
const COST_MAX = { N: 1_048_576, r: 16, p: 4 } as const;
const FORMAT = /^scrypt1\.([0-9]+)\.([0-9]+)\.([0-9]+)\.([\w-]+)\.([\w-]+)$/;

export interface PassphraseCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export async function hashPassphrase(passphrase: string, cost: PassphraseCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(passphrase, salt, cost);
  const parts = [VERSION, cost.N, cost.r, cost.p, salt.toString('base64url')];
  return [...parts, hash.toString('base64url')].join('.');
}

/** True when the passphrase is the hashed one. Text that is no hash of ours matches nothing. */
export async function matchesHash(passphrase: string, hashText: string): Promise<boolean> {
  const match = FORMAT.exec(hashText);
  if (match === null) return false;
  const [, n = '', r = '', p = '', salt = '', hash = ''] = match;
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  if (cost.N > COST_MAX.N || cost.r > COST_MAX.r || cost.p > COST_MAX.p) return false;
  const wanted = Buffer.from(hash, 'base64url');
  const found = await derive(passphrase, Buffer.from(salt, 'base64url'), cost);
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

function derive(passphrase: string, salt: Buffer, cost: PassphraseCost): Promise<Buffer> {
  assert(cost.N > 1 && cost.r > 0 && cost.p > 0, 'scrypt parameters are above zero');
  const maxmem = 256 * cost.N * cost.r;
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, HASH_BYTES, { ...cost, maxmem }, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}
