/** The account that the reader has chosen, here as in the terminal. */
import { chosenAccount } from '../../session/chosen-account.ts';
import { useStore } from '../../store/store.ts';
import type { Access, PersonSession } from '../../wire/person.ts';

/** Undefined for a person who has none. */
export function useChosen({ accounts }: PersonSession): Access | undefined {
  const chosen = useStore(chosenAccount);
  return accounts.find(({ accountId }) => accountId === chosen) ?? accounts[0];
}
