/** Writes a case as the bytes of a request: marks filled in, signed, with its length. */
import { createHmac } from 'node:crypto';
import type { Case, Pair, Proof } from './cases.ts';
import { type IdKind, marketOf } from './document.ts';

export interface Credential {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** The session of somebody who has signed in, with an account. */
export interface FuzzPerson {
  readonly cookie: string;
  readonly csrfToken: string;
  readonly accountId: string;
  /** Somebody else, who may be suspended or lose everything. */
  readonly otherId: string;
}

/** What is known when a case is sent. */
export interface Knowledge {
  readonly nowMs: number;
  /** Ids that answers have shown. */
  readonly ids: Readonly<Record<IdKind, readonly string[]>>;
  readonly adminToken: string;
  readonly credential: Credential;
  readonly person: FuzzPerson;
  /** For proofs that must fail: what counts failures is not to meet the one that trades. */
  readonly victim: Credential;
}

/** All of a request but its proof, which has a time. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Pair[];
  readonly body: string | undefined;
  readonly encoding: 'utf8' | 'latin1';
  readonly isChunked: boolean;
  readonly permission: string;
  readonly proof: Proof;
}

const ID_UNKNOWN = '1000000000000000';
const AWAY_MS = 600_000;

export function sentOf(one: Case, { nowMs, ids: shown, person }: Knowledge): Sent {
  const ids = shown[marketOf(one.operation)];
  const { position } = shown;
  const fill = (text: string): string =>
    text
      .replace(/~id(\d+)~/g, (_, at: string) => idAt(ids, at))
      .replace(/~position(\d+)~/g, (_, at: string) => idAt(position, at))
      .replaceAll('~account~', person.accountId)
      .replaceAll('~person~', person.otherId)
      .replace(/~now(-?\d+)~/g, (_, ms: string) => String(nowMs + Number(ms)));
  const { method, headers, encoding, isChunked, operation, proof } = one;
  const { permission } = operation;
  const body = one.body === undefined ? undefined : fill(one.body);
  const target = fill(one.target);
  return { method, target, headers, body, encoding, isChunked, permission, proof };
}

function idAt(ids: readonly string[], at: string): string {
  return ids[Number(at) % ids.length] ?? ID_UNKNOWN;
}

export function bytesOf(sent: Sent, knowledge: Knowledge): Buffer {
  const { method, target, headers, body = '', encoding, isChunked } = sent;
  const content = Buffer.from(body, encoding);
  const hasHost = headers.some(([name]) => name === 'host');
  const lines = [
    ...(hasHost ? [] : [['host', 'localhost'] as const]),
    ...headers,
    ...proofOf(sent, content, knowledge),
    isChunked ? ['transfer-encoding', 'chunked'] : ['content-length', String(content.length)],
  ];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const start = Buffer.from(`${method} ${target} HTTP/1.1\r\n${head}\r\n`, 'latin1');
  return Buffer.concat([start, ...(isChunked ? chunksOf(content) : [content])]);
}

/** Two chunks and the end. */
function chunksOf(content: Buffer): Buffer[] {
  const middle = Math.floor(content.length / 2);
  const parts = [content.subarray(0, middle), content.subarray(middle), Buffer.alloc(0)];
  return parts
    .filter((part, at) => part.length > 0 || at === 2)
    .flatMap((part) => [Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
}

function proofOf(sent: Sent, content: Buffer, knowledge: Knowledge): Pair[] {
  const { permission, proof } = sent;
  if (permission === 'none' || proof === 'no proof') return [];
  if (permission === 'person') return sessionOf(sent, knowledge);
  if (permission !== 'operator') return signed(sent, content, knowledge);
  const { adminToken } = knowledge;
  const token = proof === 'right' ? adminToken : adminToken.slice(1);
  return [['authorization', proof === 'half a proof' ? 'Bearer' : `Bearer ${token}`]];
}

/** What ends a session is not sent with the one that the others need. */
const ENDS_SESSION = /^DELETE \/people\/v1\/(session|person)(\?.*)?$/;

function sessionOf({ method, target, proof }: Sent, { person }: Knowledge): Pair[] {
  const isOther = proof !== 'right' || ENDS_SESSION.test(`${method} ${target}`);
  const cookie = isOther ? person.cookie.replace(/=.*/, '=another') : person.cookie;
  const shown = [
    ['cookie', cookie],
    ['x-csrf-token', person.csrfToken],
  ] as const;
  return proof === 'half a proof' ? shown.slice(1) : [...shown];
}

const ACCESS_HEADERS = {
  key: 'access-key',
  passphrase: 'access-passphrase',
  time: 'access-timestamp',
  signature: 'access-sign',
};
/** Of the house's own API. */
const OWN_HEADERS = {
  key: 'x-outcry-key',
  passphrase: 'x-outcry-passphrase',
  time: 'x-outcry-time',
  signature: 'x-outcry-signature',
};

function signed(
  { method, target, proof }: Sent,
  content: Buffer,
  { nowMs, credential, victim }: Knowledge,
): Pair[] {
  const { key, secret, passphrase } = proof === 'right' ? credential : victim;
  const offsetMs = { 'time long past': -AWAY_MS, 'time to come': AWAY_MS }[proof as string] ?? 0;
  const timestamp = proof === 'no time' ? 'soon' : String(nowMs + offsetMs);
  const sign = createHmac('sha256', proof === 'bad signature' ? 'x' : secret)
    .update(timestamp + method + target)
    .update(content)
    .digest('base64');
  const names = target.startsWith('/v1/') ? OWN_HEADERS : ACCESS_HEADERS;
  const headers: Pair[] = [
    [names.key, proof === 'unknown key' ? 'nobody' : key],
    [names.passphrase, proof === 'wrong passphrase' ? 'wrong' : passphrase],
    [names.time, timestamp],
    [names.signature, sign],
  ];
  return proof === 'half a proof' ? headers.slice(1) : headers;
}
