/** Who runs the venue: owners appoint persons, and take their role from them again. */
import { isRefused, type Refused, refuse } from '#domain';
import { FROM_OPERATOR, note, type PeopleContext, refuseSaying } from '../context.ts';
import { provedPerson } from '../identities/persons.ts';
import type { PeopleStore } from '../port.ts';
import type { ActingOperator, OperatorRecord, OperatorRole } from './port.ts';

const OPERATORS_MAX = 200;

export async function listOperators({ people }: PeopleContext): Promise<readonly OperatorRecord[]> {
  return (await people.get()).operators(OPERATORS_MAX);
}

async function recordOf(store: PeopleStore, personId: string): Promise<OperatorRecord | Refused> {
  const all = await store.operators(OPERATORS_MAX);
  return all.find((one) => one.personId === personId) ?? refuse('person_unknown');
}

/** Gives a person a role, or another one. It holds at once, in every process. */
export async function appoint(
  context: PeopleContext,
  by: ActingOperator,
  { personId, role }: { readonly personId: string; readonly role: OperatorRole },
): Promise<OperatorRecord | Refused> {
  const store = await context.people.get();
  const person = await provedPerson(store, personId);
  if (isRefused(person)) return person;
  if (personId === by.id) return refuseSaying('role_insufficient', 'your own role');
  const all = await store.operators(OPERATORS_MAX);
  const before = all.find((one) => one.personId === personId)?.role;
  const isNew = before === undefined;
  if (isNew && all.length >= OPERATORS_MAX) {
    return refuseSaying('people_exceeded', `${OPERATORS_MAX} operators`);
  }
  await store.setOperator(personId, role, context.nowMs());
  // Links that were handed out, and codes that were made, end with the role they were made in.
  if (before !== role) await store.dropMadeBy(personId);
  await context.sessions.changed(personId);
  await note(context, store, personId, 'changed_by_operator', FROM_OPERATOR, `role: ${role}`);
  return recordOf(store, personId);
}

/** The person stays and may still trade. */
export async function dismiss(
  context: PeopleContext,
  by: ActingOperator,
  personId: string,
): Promise<OperatorRecord | Refused> {
  const store = await context.people.get();
  const record = await recordOf(store, personId);
  if (isRefused(record)) return record;
  if (personId === by.id) return refuseSaying('role_insufficient', 'your own role');
  await store.removeOperator(personId);
  await store.dropMadeBy(personId);
  await context.sessions.changed(personId);
  await note(context, store, personId, 'changed_by_operator', FROM_OPERATOR, 'role: none');
  return record;
}
