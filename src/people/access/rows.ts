/** Rows of access as what they stand for. Rights are one text, with commas. */
import type { Selectable } from 'kysely';
import { accountId } from '#domain';
import type { PeopleDatabase } from '../store/tables.ts';
import { ACCESS_RIGHTS, type Access, type AccessCode, type AccessRight } from './port.ts';

type Row<T extends keyof PeopleDatabase> = Selectable<PeopleDatabase[T]>;

export function rightsText(rights: readonly AccessRight[]): string {
  return rights.join(',');
}

function rightsOf(text: string): AccessRight[] {
  const found = text.split(',');
  return ACCESS_RIGHTS.filter((right) => found.includes(right));
}

export function accessOf(row: Omit<Row<'access'>, 'createdMs' | 'managePlace'>): Access {
  return {
    personId: row.personId,
    accountId: accountId(row.accountId),
    label: row.label,
    rights: rightsOf(row.rights),
  };
}

export function accessCodeOf(row: Row<'access_codes'>): AccessCode {
  return { ...row, accountId: accountId(row.accountId), rights: rightsOf(row.rights) };
}
