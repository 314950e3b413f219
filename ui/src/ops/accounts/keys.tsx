/** The API keys of an account: what they may do, and how to make and revoke them. */
import { useState } from 'react';
import type { AccountRow, KeyRow, NewKey } from '#dialects';
import { Button, type Column, Table, Time } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { Refusal } from '../refusal.tsx';
import { Mark, Section } from '../section.tsx';
import { useLoaded } from '../use-loaded.ts';
import { KeyExpiry } from './key-terms.tsx';
import { MadeKeyDialog } from './made-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

export function Keys({ account }: { readonly account: AccountRow }) {
  const { accounts } = useOpsTexts();
  const path = `/admin/v1/accounts/${account.accountId}/keys`;
  const { data, failure, reload } = useLoaded<readonly KeyRow[]>(path);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const [revoked, setRevoked] = useState<KeyRow>();
  const show = (key: NewKey): void => {
    setMade(key);
    reload();
  };
  return (
    <Section
      title={accounts.keys}
      actions={<Button onClick={() => setMaking(true)}>{accounts.makeKey}</Button>}
    >
      <Refusal failure={failure} />
      <KeyTable rows={data} onRevoke={setRevoked} />
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

interface KeyTableProps {
  readonly rows: readonly KeyRow[] | undefined;
  readonly onRevoke: (row: KeyRow) => void;
}

function KeyTable({ rows, onRevoke }: KeyTableProps) {
  const ops = useOpsTexts();
  const { accounts } = ops;
  const { keys } = usePeopleTexts();
  const columns: readonly Column<KeyRow>[] = [
    { name: 'key', title: accounts.key, cell: ({ key }) => <code>{key}</code> },
    { name: 'label', title: accounts.label, cell: ({ label }) => label },
    {
      name: 'permissions',
      title: accounts.permissions,
      cell: ({ permissions }) => (
        <span className="ops-marks">
          {permissions.map((name) => (
            <Mark key={name} tone="plain">
              {name}
            </Mark>
          ))}
        </span>
      ),
    },
    {
      name: 'addresses',
      title: accounts.addresses,
      cell: ({ ipAllowList }) => ipAllowList.join(', ') || accounts.anyAddress,
    },
    { name: 'kind', title: keys.kind, cell: ({ kind }) => (kind === 'hmac' ? 'HMAC' : 'Ed25519') },
    { name: 'expires', title: keys.expires, cell: (row) => <KeyExpiry row={row} /> },
    { name: 'created', title: accounts.created, cell: (row) => <Time at={Number(row.cTime)} /> },
    {
      name: 'action',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <Button aria-label={accounts.revokeKey(row.key)} onClick={() => onRevoke(row)}>
          {accounts.revoke}
        </Button>
      ),
    },
  ];
  return (
    <Table
      label={accounts.keys}
      columns={columns}
      rows={rows}
      keyOf={({ key }) => key}
      empty={accounts.noKeys}
    />
  );
}

interface RevokeDialogProps {
  readonly row: KeyRow;
  readonly account: AccountRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ row, account, onDone, onClose }: RevokeDialogProps) {
  const { accounts } = useOpsTexts();
  const run = async (): Promise<string> => {
    await operator.call('DELETE', `/admin/v1/keys/${encodeURIComponent(row.key)}`);
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
