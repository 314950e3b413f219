/**
 * Requests signed with Ed25519 (RFC 8032): the client makes the pair, the venue has the public key
 * only. The signature is over the same bytes as the HMAC of other keys.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Signing } from './port.ts';

const SIGNATURE_BYTES = 64;
const PUBLIC_KEY_BYTES = 32;
/** In DER, what stands before the 32 bytes of a public key (RFC 8410). */
const DER_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PEM = /^-----BEGIN PUBLIC KEY-----\s*([A-Za-z0-9+/=\s]{1,200})-----END PUBLIC KEY-----\s*$/;
/** Canonical base64 of 32 and of 64 bytes: any other spelling is refused, so that each is one. */
const RAW = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const SIGNATURE = /^[A-Za-z0-9+/]{85}[AQgw]==$/;

/**
 * Points of small order, without their sign bit: whatever is signed, a signature for one of them
 * can be made up by anybody.
 */
const WEAK: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

export class RequestEd25519 implements Signing {
  /** Some 100 µs, thirty times an HMAC: failed checks of a caller are held off before it. */
  readonly isCostly = true;
  readonly #key: KeyObject;

  /** Of a public key as publicKeyOf gives it. */
  constructor(publicKey: string) {
    this.#key = keyObject(Buffer.from(publicKey, 'base64'));
  }

  isSigned(text: string, body: Buffer | undefined, signature: string): boolean {
    if (!SIGNATURE.test(signature)) return false;
    const signed = Buffer.from(signature, 'base64');
    if (signed.length !== SIGNATURE_BYTES) return false;
    const head = Buffer.from(text, 'latin1');
    const message = body === undefined ? head : Buffer.concat([head, body]);
    return verify(null, message, this.#key, signed);
  }
}

/** The 32 bytes in base64 of a key as PEM or as that base64; undefined for anything else. */
export function publicKeyOf(text: string): string | undefined {
  const bytes = rawBytes(text.trim());
  if (bytes === undefined || isWeak(bytes)) return undefined;
  try {
    keyObject(bytes);
  } catch {
    return undefined;
  }
  return bytes.toString('base64');
}

function rawBytes(text: string): Buffer | undefined {
  if (RAW.test(text)) return Buffer.from(text, 'base64');
  const inner = PEM.exec(text)?.[1];
  if (inner === undefined) return undefined;
  const der = Buffer.from(inner, 'base64');
  if (der.length !== DER_PREFIX.length + PUBLIC_KEY_BYTES) return undefined;
  return der.indexOf(DER_PREFIX) === 0 ? der.subarray(DER_PREFIX.length) : undefined;
}

function isWeak(bytes: Buffer): boolean {
  const unsigned = Buffer.from(bytes);
  const last = PUBLIC_KEY_BYTES - 1;
  unsigned[last] = (unsigned[last] ?? 0) & 0x7f;
  return WEAK.has(unsigned.toString('hex'));
}

function keyObject(bytes: Buffer): KeyObject {
  const key = Buffer.concat([DER_PREFIX, bytes]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}
