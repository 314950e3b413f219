/** What the endpoints of competitions work with. */
import type { Services } from '#api';
import type { CompetitionContext, Spectators } from '#competition';
import { type AccountId, isRefused, type Refused, refuse } from '#domain';
import type { PeopleContext } from '#people';

/** Competitions of the venue, for the operator, for spectators, and to join. */
export interface CompetitionOptions {
  readonly competitions: CompetitionContext;
  readonly spectators: Spectators;
  readonly people: PeopleContext;
}

export type CompetitionDialectContext = Services & CompetitionOptions;

/** What everybody may see. */
export const PUBLIC_BASE = '/competition/v1';

type Path = Readonly<Record<string, string | undefined>>;

export const competitionIn = ({ competition = '' }: Path): string => competition;

/** The number of a round or a trader in a path. */
export function numberIn(text = ''): number | Refused {
  return /^[1-9][0-9]{0,5}$/.test(text) ? Number(text) : refuse('competition_unknown');
}

/** Accounts of these people; each has one at least once it has signed in. */
export async function accountsOf(
  { people }: CompetitionOptions,
  persons: readonly string[],
): Promise<readonly AccountId[] | Refused> {
  const store = await people.people.get();
  const found: AccountId[] = [];
  for (const named of persons) {
    const person = named.includes('@')
      ? await store.personByEmail(named.trim().toLowerCase())
      : await store.person(named);
    if (person === undefined) return refuse('person_unknown');
    const account = firstOf(await store.accessOf(person.personId));
    if (isRefused(account)) return account;
    found.push(account);
  }
  return found;
}

/** The account that a person has had longest: ids grow. */
function firstOf(access: readonly { readonly accountId: AccountId }[]): AccountId | Refused {
  const [first, ...others] = access.map(({ accountId }) => accountId);
  if (first === undefined) return refuse('account_unknown');
  return others.reduce((one, other) => (other < one ? other : one), first);
}
