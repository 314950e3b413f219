/** A key that an operator has made is noted for, and mailed to, those who manage its account. */
import type { KeyRecord } from '#domain';
import { FROM_OPERATOR, note, type PeopleContext } from '../context.ts';

export async function noteKeyOfOperator(
  context: PeopleContext,
  { accountId, key }: KeyRecord,
): Promise<void> {
  const store = await context.people.get();
  for (const { personId, rights } of await store.accessTo(accountId)) {
    if (!rights.includes('manage')) continue;
    await note(context, store, personId, 'key_made', FROM_OPERATOR, `${accountId}: ${key}`);
  }
}
