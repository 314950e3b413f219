/** Opens an account, and then shows it. */
import { useState } from 'react';
import type { AccountRow } from '#dialects';
import { Field } from '../../look/mod.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { accounts } = useTexts().ops;
  const [name, setName] = useState('');
  const run = async (): Promise<string> => {
    const row = await operator.call<AccountRow>('POST', '/admin/v1/accounts', { name });
    go('accounts', row.accountId);
    return accounts.opened(row.name, row.accountId);
  };
  return (
    <ActionDialog title={accounts.open} action={accounts.open} {...{ run, onClose }}>
      <Field label={accounts.name} value={name} onValue={setName} required />
    </ActionDialog>
  );
}
