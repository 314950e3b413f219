/** Opens an account, and then shows it. */

import { useState } from 'react';
import { admin } from '#client';
import { WALLET_SCOPES, WALLETS_DEFAULT, type WalletScope } from '#domain';
import { Field, Select } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';

export function NewAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { accounts } = useOpsTexts();
  const [name, setName] = useState('');
  const [wallets, setWallets] = useState<WalletScope>(WALLETS_DEFAULT);
  const run = async (): Promise<string> => {
    const asked = { name, wallets };
    const row = await operator.call(admin.createAccount, asked);
    go('accounts', row.accountId);
    return accounts.opened(row.name, row.accountId);
  };
  return (
    <ActionDialog title={accounts.open} action={accounts.open} {...{ run, onClose }}>
      <Field label={accounts.name} value={name} onValue={setName} required />
      <Select
        label={accounts.wallets}
        value={wallets}
        choices={WALLET_SCOPES.map((scope) => [scope, accounts.walletScopes[scope]] as const)}
        onValue={(chosen) => setWallets(chosen === 'contract' ? 'contract' : 'coin')}
      />
      <p className="remark">{accounts.walletsMeaning}</p>
    </ActionDialog>
  );
}
