/** Tokens that are shown once and kept as hashes: they have 256 bits, so a plain hash is enough. */
import { hash, randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
const ID_BYTES = 12;
/** Of 43 characters in base64url. */
const TOKEN = /^[\w-]{43}$/;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Text that can be no token of ours is not even hashed. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** Hexadecimal digits, as ids of people, sessions and invitations are; not a secret. */
export function newId(nowMs: number): string {
  return nowMs.toString(16).padStart(12, '0') + randomBytes(ID_BYTES).toString('hex').slice(0, 12);
}

/** What a page shows of it: an account name that nobody else can have. */
export function accountNameOf(personId: string, number: number): string {
  return number === 0 ? `p-${personId}` : `p-${personId}-${number}`;
}

/** Letters and digits that nobody mistakes for others. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** A code to be typed: groups of five, of almost five bits a letter. */
export function newCode(groups: number): string {
  const group = () =>
    Array.from({ length: GROUP_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: groups }, group).join('-');
}

/** As it is meant, however it was typed. */
function codeMeant(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

export function codeHash(text: string): string {
  return hash('sha256', codeMeant(text), 'base64url');
}
