/** The API keys of an account: what they may do, and how to make and revoke them. */

import { useState } from 'react';
import { admin } from '#client';
import { Refusal, Section } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator, useMay } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { KeyTable } from './key-table.tsx';
import { MadeKeyDialog } from './made-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

export function Keys({ account }: { readonly account: admin.AccountsRow }) {
  const { accounts } = useOpsTexts();
  const { data, failure, reload } = useLoaded(admin.keys, { account: account.accountId });
  const mayRun = useMay('run');
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<admin.CreateKeyAnswer>();
  const [revoked, setRevoked] = useState<admin.KeysRow>();
  const show = (key: admin.CreateKeyAnswer): void => {
    setMade(key);
    reload();
  };
  return (
    <Section
      title={accounts.keys}
      actions={<Act onClick={() => setMaking(true)}>{accounts.makeKey}</Act>}
    >
      <Refusal failure={failure} />
      <KeyTable
        label={accounts.keys}
        empty={accounts.noKeys}
        rows={data}
        onRevoke={mayRun ? setRevoked : undefined}
      />
      {isMaking ? (
        <NewKeyDialog account={account} onMade={show} onClose={() => setMaking(false)} />
      ) : null}
      {made === undefined ? null : <MadeKeyDialog made={made} onClose={() => setMade(undefined)} />}
      {revoked === undefined ? null : (
        <RevokeDialog
          row={revoked}
          account={account}
          onDone={reload}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Section>
  );
}

interface RevokeDialogProps {
  readonly row: admin.KeysRow;
  readonly account: admin.AccountsRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ row, account, onDone, onClose }: RevokeDialogProps) {
  const { accounts } = useOpsTexts();
  const run = async (): Promise<string> => {
    await operator.call(admin.revokeKey, { key: row.key });
    onDone();
    return accounts.revoked(row.key);
  };
  return (
    <ActionDialog
      title={accounts.revokeKey(row.key)}
      action={accounts.revoke}
      question={accounts.revokeQuestion(row.key, row.label, account.name)}
      {...{ run, onClose }}
    />
  );
}
