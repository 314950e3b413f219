/** The keys of simulated accounts, known to every process, and how their owners sign. */
import { createHmac } from 'node:crypto';
import type { ApiKey, KeyRegistry } from '#api';
import { RequestHmac } from '#api/testing';
import type { AccountId } from '#domain';

const PREFIX = 'key-';

/** Passphrases are not simulated: each is right. */
export class SimulatedKeys implements KeyRegistry {
  readonly #keys: ReadonlyMap<string, ApiKey>;

  constructor(accountsCount: number) {
    const all = Array.from({ length: accountsCount }, (_, at) => keyOf((at + 1) as AccountId));
    this.#keys = new Map(all.map((key) => [key.key, key]));
  }

  lookup(key: string): ApiKey | undefined {
    return this.#keys.get(key);
  }

  isFrozen(): boolean {
    return false;
  }

  sign(): 'new' {
    return 'new';
  }
}

function keyOf(accountId: AccountId): ApiKey {
  return {
    key: `${PREFIX}${accountId}`,
    accountId,
    permissions: ['read', 'trade', 'transfer'],
    ipAllowList: [],
    isLive: true,
    accountFrozen: false,
    strictSinceMs: undefined,
    madeBy: undefined,
    createdMs: 0,
    expiresMs: Number.POSITIVE_INFINITY,
    signing: new RequestHmac(Buffer.from(secretOf(accountId))),
    isPassphrase: () => true,
  };
}

function secretOf(accountId: AccountId): string {
  return `secret of ${accountId}`;
}

/** What an account shows: in headers of calls and handshakes, or in the login of a stream. */
export function credentials(accountId: AccountId, time: string, target: string, body = '') {
  const text = `${time}${target}${body}`;
  const sign = createHmac('sha256', secretOf(accountId)).update(text).digest('base64');
  return { key: `${PREFIX}${accountId}`, passphrase: 'any', time, sign };
}

export function signedHeaders(
  accountId: AccountId,
  timeMs: number,
  target: string,
  body = '',
): Record<string, string> {
  const { key, passphrase, time, sign } = credentials(accountId, String(timeMs), target, body);
  return {
    'access-key': key,
    'access-passphrase': passphrase,
    'access-timestamp': time,
    'access-sign': sign,
  };
}
