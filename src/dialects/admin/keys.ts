/** Keys of accounts: listed without their secrets, made and revoked. */
import { isIP } from 'node:net';
import Type from 'typebox';
import { newCredentials, publicKeyOf, refuseSaying } from '#api';
import {
  type AccountId,
  isRefused,
  type KeyRecord,
  LIMITS,
  PERMISSIONS,
  type Permission,
  type Refused,
} from '#domain';
import { movesMoney, noteKeyOfOperator } from '#people';
import { submit } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { shown } from '../kit/fields.ts';
import { type Field, optionalText, type Values } from '../kit/request.ts';
import {
  columnsOf,
  encoded,
  jsonList,
  listOf,
  nullOr,
  oneOf,
  row,
  text,
  texts,
  timeMs,
  truth,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { ACCOUNT_PATH, type AdminContext, BASE, onAccount } from './context.ts';
import { flag, textList } from './fields.ts';
import { mayGrant } from './granting.ts';
import { onOpenAccount } from './payment-accounts.ts';

const KINDS = ['hmac', 'ed25519'] as const;
const DAY_MS = 86_400_000;
export const KEY_EXPIRES_DAYS_MAX = 3_650;
/** Up to that many, as the document says it. */
const EXPIRES_DAYS_TEXT = '^0{0,3}([1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650)$';
const PASSPHRASE = /^[\x21-\x7e]{8,128}$/;
/** A label is shown on the operator's terminal, where these would act and not be seen. */
const INVISIBLE = /\p{C}/u;

const LABEL: Field<string> = {
  ...optionalText('What it is for'),
  read: (fields, name) => {
    const label = fields.text(name);
    if (INVISIBLE.test(label)) {
      fields.refuse('parameter_invalid', `${name} takes visible characters`);
    }
    return label;
  },
};

const PASSPHRASE_WANTED: Field<string> = {
  ...optionalText('8 to 128 visible characters; made up when absent'),
  read: (fields, name) => {
    const passphrase = fields.text(name);
    if (passphrase !== '' && !PASSPHRASE.test(passphrase)) {
      fields.refuse('parameter_invalid', `${name} takes 8 to 128 visible characters`);
    }
    return passphrase;
  },
};

const PERMISSIONS_WANTED: Field<readonly Permission[]> = {
  schema: Type.Optional(
    Type.Union([Type.Array(Type.Enum([...PERMISSIONS]), { minItems: 1 }), Type.Null()], {
      description: 'read, trade, transfer; read and trade if absent',
    }),
  ),
  read: (fields, name) => {
    if (!fields.has(name)) return ['read', 'trade'];
    const words = fields.list(name, PERMISSIONS.length);
    const found = PERMISSIONS.filter((permission) => words.includes(permission));
    if (found.length !== words.length) {
      fields.refuse('parameter_invalid', `permissions are among ${PERMISSIONS.join(', ')}`);
    }
    return found;
  },
};

const EXPIRES_DAYS: Field<number | undefined> = {
  schema: schema.optional(
    `Days until it expires, 1 to ${KEY_EXPIRES_DAYS_MAX}; absent to have it stay`,
    {
      text: Type.String({ pattern: EXPIRES_DAYS_TEXT }),
      number: Type.Integer({ minimum: 1, maximum: KEY_EXPIRES_DAYS_MAX }),
    },
  ),
  read: (fields, name) => fields.wholeNumber(name, { min: 1, max: KEY_EXPIRES_DAYS_MAX }),
};

const PUBLIC_KEY: Field<string | undefined> = {
  ...optionalText('Of Ed25519, as PEM or as 32 bytes in base64, to sign without a secret'),
  read: (fields, name) => {
    const given = fields.text(name);
    if (given === '') return undefined;
    const publicKey = publicKeyOf(given);
    if (publicKey === undefined) {
      fields.refuse('parameter_invalid', `${name} takes an Ed25519 public key: PEM or base64`);
    }
    return publicKey;
  },
};

/** Without anything secret: what is sealed does not leave the venue. */
export const KEY = row<KeyRecord>()({
  key: text('The key', '5b1f0a3c9d2e4f6081a2b3c4d5e6f708', ({ key }) => key),
  accountId: text('Account id', '1', ({ accountId }) => String(accountId)),
  label: text('What it is for', 'grid bot', ({ label }) => label),
  permissions: encoded(
    {
      schema: Type.Array(schema.oneOf(PERMISSIONS, 'Permission')),
      example: ['read', 'trade'] as readonly string[],
    },
    ({ permissions }) => JSON.stringify(permissions),
  ),
  ipAllowList: texts(
    'Address or CIDR block; none for any',
    ['10.0.0.0/8'],
    ({ ipAllowList }) => ipAllowList,
  ),
  strictReplay: truth(
    'Whether each signed change is executed once',
    false,
    ({ strictReplay }) => strictReplay === true,
  ),
  kind: oneOf(KINDS, 'What its requests are signed with', 'hmac', ({ publicKey }) =>
    publicKey === undefined ? 'hmac' : 'ed25519',
  ),
  publicKey: text(
    'Of Ed25519, 32 bytes in base64; empty for a key with a secret',
    '',
    ({ publicKey = '' }) => publicKey,
  ),
  expiresTime: nullOr(
    'From when on it is as good as revoked; null where it stays',
    timeMs('When it expires', TIME_MS + 90 * DAY_MS, ({ expiresTimeMs = 0 }) => expiresTimeMs),
    ({ expiresTimeMs }) => expiresTimeMs === undefined,
  ),
  madeBy: text(
    'Person id of its maker, within whose rights it stays; empty for one of the operator',
    '',
    ({ madeBy = '' }) => madeBy,
  ),
  cTime: timeMs('When it was created', TIME_MS, ({ createdTimeMs }) => createdTimeMs),
});

/** What is asked of a new key, whoever asks. */
export const NEW_KEY_FIELDS = {
  label: LABEL,
  permissions: PERMISSIONS_WANTED,
  ipAllowList: textList(
    'Addresses or CIDR blocks; absent for any',
    LIMITS.ipAllowListMax,
    checkAddress,
  ),
  strictReplay: flag('true to have each signed change executed once (false)'),
  expiresDays: EXPIRES_DAYS,
  publicKey: PUBLIC_KEY,
};

interface NewKey {
  readonly record: KeyRecord;
  readonly secret: string;
  readonly passphrase: string;
}

/** A new key under what was asked; `context` says the venue's time. */
export async function makeKey(
  { vault, clock, venue }: Pick<AdminContext, 'vault' | 'clock' | 'venue'>,
  accountId: AccountId,
  asked: Values<typeof NEW_KEY_FIELDS> & {
    readonly passphrase: string;
    /** The person within whose rights it stays. */
    readonly madeBy?: string;
  },
): Promise<NewKey | Refused> {
  const { label, permissions, ipAllowList, strictReplay, expiresDays, publicKey, madeBy } = asked;
  const wanted = asked.passphrase === '' ? undefined : asked.passphrase;
  const made = newCredentials(wanted, publicKey !== undefined);
  const { key, secret, passphrase } = made;
  const sealed = vault.seal(made, wanted === undefined ? 'made' : 'chosen');
  const record = {
    ...{ key, accountId, label, permissions, ipAllowList, sealed },
    ...(strictReplay === true ? ({ strictReplay } as const) : {}),
    ...(publicKey === undefined ? {} : { publicKey }),
    ...(madeBy === undefined ? {} : { madeBy }),
    ...(expiresDays === undefined ? {} : { expiresTimeMs: clock.nowMs() + expiresDays * DAY_MS }),
  };
  const event = await submit(venue, 'key_created', { kind: 'create_key', record });
  return isRefused(event) ? event : { record: event.record, secret, passphrase };
}

/** The only answer with a secret in it, given once. */
export const NEW_KEY = row<NewKey>()({
  ...columnsOf(KEY, ({ record }: NewKey) => record),
  secret: text(
    'Signs requests; shown once; empty for a key with a public key',
    'w6nVg0sYw0cN1p2yqkqv9c1mYlq3m2b7tq0aZxk8dEs',
    ({ secret }) => secret,
  ),
  passphrase: text(
    'The passphrase; shown once',
    'p0Vt9sXk2LmQ4rYw',
    ({ passphrase }) => passphrase,
  ),
});

export const REVOKED = row<{ readonly key: string }>()({
  key: text('The key', KEY.example.key, ({ key }) => key),
});

export const KEY_ENDPOINTS = {
  keys: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/keys`,
    summary: 'Keys of an account, without their secrets',
    request: {},
    response: listOf(KEY),
    answer: ({ venue, vault }: AdminContext, _asked, { path }) =>
      venue.read((state) =>
        onAccount(state, path.account, ({ accountId }) =>
          jsonList(vault.recordsOf(accountId), KEY.write),
        ),
      ),
  }),
  createKey: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/keys`,
    duty: 'run',
    summary: 'Make a key; the answer is the only place its secret is ever shown',
    request: { ...NEW_KEY_FIELDS, passphrase: PASSPHRASE_WANTED },
    response: NEW_KEY,
    example: {
      request: { label: 'grid bot', permissions: ['read', 'trade'], ipAllowList: ['10.0.0.0/8'] },
    },
    answer: async (context: AdminContext, asked, call) => {
      const { people, desk, venue } = context;
      const owner = await venue.read((state) =>
        onOpenAccount(state, call.path.account, (account) => account),
      );
      if (isRefused(owner)) return owner;
      const { accountId } = owner;
      const grant = { subject: `key ${asked.permissions.join(' ')}`, personId: '', accountId };
      const may = movesMoney(asked.permissions)
        ? await mayGrant(desk, venue, call, grant)
        : undefined;
      if (may !== undefined && isRefused(may)) return may;
      const made = await makeKey(context, accountId, asked);
      if (isRefused(made)) {
        await may?.forget();
        return made;
      }
      // The answer does not wait: it alone has the secret.
      if (people !== undefined) void noteKeyOfOperator(people, made.record).catch(people.onFault);
      return NEW_KEY.write(made);
    },
  }),
  revokeKey: operatorEndpoint({
    method: 'DELETE',
    path: `${BASE}/keys/:key`,
    duty: 'run',
    summary: 'Revoke a key for good',
    request: {},
    response: REVOKED,
    answer: async ({ venue }: AdminContext, _asked, { path }) => {
      const key = path.key ?? '';
      const event = await submit(venue, 'key_revoked', { kind: 'revoke_key', key });
      return isRefused(event) ? event : REVOKED.write(event);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

function checkAddress(text: string, name: string): Refused | undefined {
  if (isAddressBlock(text)) return undefined;
  return refuseSaying(
    'parameter_invalid',
    `${name}: ${shown(text)} is no address and no CIDR block`,
  );
}

function isAddressBlock(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128);
}
