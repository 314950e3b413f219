/** Keys of an account, made and revoked by a person who manages it. */
import { refuseSaying } from '#api';
import { type AccountId, isRefused, type Permission, type Refused, refuse } from '#domain';
import { type LiveSession, note, refuseRight, refuseUnconfirmed } from '#people';
import { KEY, makeKey, NEW_KEY, NEW_KEY_FIELDS, REVOKED } from '../admin/keys.ts';
import { submit } from '../kit/carry-out.ts';
import { type PersonEndpoint, personEndpoint } from '../kit/endpoint.ts';
import { jsonList, listOf } from '../kit/row.ts';
import { accountIn, BASE, fromOf, type PeopleDialectContext } from './context.ts';
import { CHANGES, READS } from './rates.ts';

const KEYS = `${BASE}/accounts/:account/keys`;

export const KEY_ENDPOINTS = {
  keys: personEndpoint({
    method: 'GET',
    path: KEYS,
    rate: READS,
    summary: 'Keys of an account, without their secrets',
    request: {},
    response: listOf(KEY),
    answer: ({ vault }: PeopleDialectContext, _asked, call) => {
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const refused = refuseRight(call.session, accountId, 'manage');
      return refused ?? jsonList(vault.recordsOf(accountId), KEY.write);
    },
  }),
  makeKey: personEndpoint({
    method: 'POST',
    path: KEYS,
    rate: CHANGES,
    summary: 'Make a key; the answer is the only place its secret is ever shown',
    request: NEW_KEY_FIELDS,
    response: NEW_KEY,
    example: {
      request: { label: 'grid bot', permissions: ['read', 'trade'], ipAllowList: ['10.0.0.0/8'] },
    },
    answer: async (context: PeopleDialectContext, asked, call) => {
      const { people } = context;
      const { session } = call;
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const refused =
        refuseRight(session, accountId, 'manage') ??
        refuseUnconfirmed(people, session) ??
        refuseMore(session, accountId, asked.permissions);
      if (refused !== undefined) return refused;
      const fields = { ...asked, passphrase: '', madeBy: session.personId };
      const made = await makeKey(context, accountId, fields);
      if (isRefused(made)) return made;
      const store = await people.people.get();
      const detail = `${accountId}: ${made.record.key}`;
      await note(people, store, session.personId, 'key_made', fromOf(call), detail);
      return NEW_KEY.write(made);
    },
  }),
  revokeKey: personEndpoint({
    method: 'DELETE',
    path: `${KEYS}/:key`,
    rate: CHANGES,
    summary: 'Revoke a key for good; its streams close',
    request: {},
    response: REVOKED,
    answer: async ({ people, venue, vault }: PeopleDialectContext, _asked, call) => {
      const { session } = call;
      const accountId = accountIn(call);
      if (isRefused(accountId)) return accountId;
      const refused = refuseRight(session, accountId, 'manage');
      if (refused !== undefined) return refused;
      const key = call.path.key ?? '';
      if (vault.record(key)?.accountId !== accountId) return refuse('key_not_found');
      const event = await submit(venue, 'key_revoked', { kind: 'revoke_key', key });
      if (isRefused(event)) return event;
      const store = await people.people.get();
      const detail = `${accountId}: ${key}`;
      await note(people, store, session.personId, 'key_revoked', fromOf(call), detail);
      return REVOKED.write(event);
    },
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;

/** A key does no more than whoever makes it. */
function refuseMore(
  session: LiveSession,
  accountId: AccountId,
  permissions: readonly Permission[],
): Refused | undefined {
  const rights = session.rightsOf(accountId) ?? [];
  const more = permissions.find((permission) => !rights.includes(permission));
  return more === undefined ? undefined : refuseSaying('permission_missing', more);
}
