/**
 * The two secrets a venue cannot start without, the master key and the admin token: given from
 * outside, or made once and kept in a file of the data directory that only its owner can read.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigFault } from './document.ts';

const MASTER_KEY_BYTES = 32;
const ADMIN_TOKEN_BYTES = 32;
/** 32 characters cannot be guessed, even chosen by hand; the made ones have 43. */
const ADMIN_TOKEN = /^[\x21-\x7e]{32,256}$/;
const OTHERS_MAY = 0o077;

interface SecretSource {
  readonly dataDirectory: string;
}

/** The 32 bytes that seal every stored secret. Throws ConfigFault when they cannot be had. */
export function readMasterKey(
  source: SecretSource & { readonly masterKeyText: string | undefined },
): Buffer {
  if (source.masterKeyText !== undefined) {
    return masterKeyBytes(source.masterKeyText, 'OUTCRY_MASTER_KEY');
  }
  const file = join(source.dataDirectory, 'master.key');
  const create = () => randomBytes(MASTER_KEY_BYTES).toString('base64');
  return masterKeyBytes(readOrCreate(file, create), file);
}

/** The master key of a directory that is only read: given, or found there, or none. */
export function findMasterKey(
  source: SecretSource & { readonly masterKeyText: string | undefined },
): Buffer | undefined {
  const { masterKeyText } = source;
  if (masterKeyText !== undefined) return masterKeyBytes(masterKeyText, 'OUTCRY_MASTER_KEY');
  const file = join(source.dataDirectory, 'master.key');
  try {
    return masterKeyBytes(readPrivate(file), file);
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw asFault(cause, file);
  }
}

/** The bearer token of /admin/v1. Throws ConfigFault when it is unfit or cannot be had. */
export function readAdminToken(
  source: SecretSource & { readonly adminToken: string | undefined },
): string {
  const file = adminTokenFile(source.dataDirectory);
  const create = () => randomBytes(ADMIN_TOKEN_BYTES).toString('base64url');
  const token = source.adminToken ?? readOrCreate(file, create);
  if (ADMIN_TOKEN.test(token)) return token;
  const origin = source.adminToken === undefined ? ` (${file})` : '';
  throw new ConfigFault([
    `the admin token${origin} takes 32 to 256 visible characters without spaces, ` +
      `not ${token.length}: openssl rand -base64 32 makes one`,
  ]);
}

/** The token a server left in its data directory. Throws ConfigFault when there is none. */
export function savedAdminToken(dataDirectory: string): string {
  const file = adminTokenFile(dataDirectory);
  try {
    return readPrivate(file);
  } catch (cause) {
    throw asFault(cause, file);
  }
}

function adminTokenFile(dataDirectory: string): string {
  return join(dataDirectory, 'admin.token');
}

/** 64 hexadecimal digits or the base64 of 32 bytes. */
function masterKeyBytes(text: string, origin: string): Buffer {
  const trimmed = text.trim();
  if (/^[0-9a-fA-F]{64}$/.test(trimmed)) return Buffer.from(trimmed, 'hex');
  const bytes = Buffer.from(trimmed, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed);
  if (isBase64 && bytes.length === MASTER_KEY_BYTES) return bytes;
  throw new ConfigFault([`${origin} must hold 32 bytes, as base64 or as 64 hexadecimal digits`]);
}

/** Text of a secret file; a missing one is made first, readable by its owner only. */
function readOrCreate(file: string, create: () => string): string {
  try {
    return readPrivate(file);
  } catch (cause) {
    if (!isMissing(cause)) throw asFault(cause, file);
  }
  try {
    return writePrivate(file, create());
  } catch (cause) {
    throw asFault(cause, file);
  }
}

function readPrivate(file: string): string {
  const { mode } = statSync(file);
  if ((mode & OTHERS_MAY) !== 0) {
    throw new ConfigFault([`${file} can be read by others: run chmod 600 on it`]);
  }
  return readFileSync(file, 'utf8').trim();
}

/** Whole or not at all: a file without its secret would keep the venue from ever starting. */
function writePrivate(file: string, secret: string): string {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${process.pid}`;
  const handle = openSync(unfinished, 'w', 0o600);
  try {
    writeSync(handle, `${secret}\n`);
    // A master key lost in a crash would take every key sealed with it along.
    fsyncSync(handle);
    linkSync(unfinished, file);
  } finally {
    closeSync(handle);
    rmSync(unfinished);
  }
  return secret;
}

function isMissing(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
}

function asFault(cause: unknown, file: string): ConfigFault {
  if (cause instanceof ConfigFault) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ConfigFault([`cannot use the secret file ${file}: ${why}`], { cause });
}
