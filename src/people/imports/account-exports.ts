/** Accounts as lines of a file that an import takes back: with people, and what is in spot. */
import {
  type AccountId,
  type AccountView,
  accountId,
  type Listings,
  type StateReader,
  type VenuePort,
} from '#domain';
import type { PeopleContext } from '../context.ts';
import { type AccountLine, csvHeader, csvLine } from './account-csv.ts';

export interface ExportedAccounts {
  readonly csv: string;
  /** Where the next page goes on; undefined after the last account. */
  readonly next: AccountId | undefined;
}

interface ExportContext {
  readonly people: Pick<PeopleContext, 'people'>;
  readonly venue: VenuePort;
}

type Line = Omit<AccountLine, 'line'>;

/** A page of accounts behind `after`; the first one begins with the line of the columns. */
export async function exportAccounts(
  { people, venue }: ExportContext,
  listings: Listings,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ExportedAccounts> {
  const { found, count } = await venue.read((state) => ({
    found: accountsAfter(state, after, limit),
    count: state.accountsCount,
  }));
  const store = await people.people.get();
  let csv = after === 0 ? csvHeader() : '';
  for (const { id, account, balances } of found) {
    const lines: Line[] = [];
    for (const access of await store.accessTo(id, 'all')) {
      const { personId, name, label, rights } = access;
      const email = (await store.person(personId))?.email ?? '';
      lines.push({ account, email, name, label, rights, balances: [] });
    }
    const [first = WITHOUT_PERSON, ...others] = lines;
    csv += csvLine({ ...first, account, balances }, listings);
    for (const line of others) csv += csvLine(line, listings);
  }
  const last = found.at(-1)?.id;
  return { csv, next: last === undefined || last >= count ? undefined : last };
}

const NOBODY = { email: '', name: '', label: '', rights: [] };
const WITHOUT_PERSON: Line = { account: '', ...NOBODY, balances: [] };

function accountsAfter(state: StateReader, after: number, limit: number) {
  const found: (Pick<Line, 'account' | 'balances'> & { readonly id: AccountId })[] = [];
  for (let id = after + 1; id <= state.accountsCount && found.length < limit; id += 1) {
    const account = state.account(accountId(id));
    if (account === undefined) continue;
    found.push({ id: account.accountId, account: account.name, balances: spotOf(account) });
  }
  return found;
}

function spotOf(account: AccountView): Line['balances'] {
  return [...account.spotBalances()]
    .filter(({ balance }) => balance > 0n)
    .map(({ assetId, balance }) => ({ assetId, amount: balance }));
}
