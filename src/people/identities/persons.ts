/**
 * Persons as others deal with them: by their id, and only once they have proved their address. What
 * an import gives to an address that nobody has proved waits: it counts nowhere until the link to
 * the address is used.
 */
import { isRefused, type Refused, refuse } from '#domain';
import { type PeopleContext, refuseSaying } from '../context.ts';
import { type ActingOperator, TOKEN_OPERATOR } from '../operators/port.ts';
import type { PeopleStore } from '../port.ts';
import type { Person } from './port.ts';

export async function personOf(store: PeopleStore, personId: string): Promise<Person | Refused> {
  return (await store.person(personId)) ?? refuse('person_unknown');
}

/** Nothing is given to an address that nobody has proved. */
export async function provedPerson(
  store: PeopleStore,
  personId: string,
): Promise<Person | Refused> {
  const person = await personOf(store, personId);
  if (isRefused(person) || person.state !== 'pending') return person;
  return refuseSaying('person_unknown', 'the address is not proved yet');
}

/**
 * Gives a person an address that it has proved: false when another person has. One who took the
 * address first and proved nothing makes room, and what waits for the address is the prover's.
 */
export async function takeAddress(
  store: PeopleStore,
  personId: string,
  email: string,
  nowMs: number,
): Promise<boolean> {
  const other = await store.personByEmail(email);
  if (other?.state === 'pending' && other.personId !== personId) {
    const waiting = await store.accessOf(other.personId);
    for (const access of waiting) {
      await store.addAccess({ ...access, personId }, nowMs);
      await store.removeAccess(other.personId, access.accountId);
    }
    await store.deletePerson(other.personId);
  }
  return store.changeEmail(personId, email);
}

/** Whoever lets an operator in again, or keeps one out, could become one: only owners may. */
export async function refuseForOperators(
  { people }: PeopleContext,
  by: ActingOperator,
  personId: string,
): Promise<Refused | undefined> {
  if (by.role === TOKEN_OPERATOR.role) return undefined;
  const role = await (await people.get()).operatorRole(personId);
  if (role === undefined) return undefined;
  return refuseSaying('role_insufficient', 'the person is an operator; an owner may');
}
