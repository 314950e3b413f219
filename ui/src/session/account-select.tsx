/** Chooses the account that the page is about, where a person has several. */
import { Select } from '../look/mod.ts';
import { useTexts } from '../texts/texts.ts';
import type { Access } from '../wire/person.ts';
import { chosenAccount } from './chosen-account.ts';

interface AccountSelectProps {
  readonly accounts: readonly Access[];
  readonly account: Access;
  readonly isLabelHidden?: boolean;
}

export function AccountSelect({ accounts, account, isLabelHidden = true }: AccountSelectProps) {
  const { session } = useTexts();
  if (accounts.length < 2) return null;
  return (
    <Select
      label={session.account}
      isLabelHidden={isLabelHidden}
      value={account.accountId}
      choices={accounts.map((one) => [one.accountId, nameOf(one, session)] as const)}
      onValue={chosenAccount.set}
    />
  );
}

type Words = ReturnType<typeof useTexts>['session'];

/** What the person calls it, or its number. */
export function nameOf({ label, accountId }: Access, session: Words): string {
  return label === '' ? session.accountNumber(accountId) : `${label} (${accountId})`;
}
