/** The API keys of an account in a list, for their owner and for the operator. */
import type { admin } from '#client';
import { Rights } from '../../account/home/rights.tsx';
import { Button, type Column, Table, Time } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { AccessRight } from '../../wire/person.ts';
import { KeyExpiry } from './key-terms.tsx';

interface KeyTableProps {
  readonly label: string;
  readonly empty: string;
  readonly rows: readonly admin.KeysRow[] | undefined;
  /** Undefined for who may not. */
  readonly onRevoke: ((row: admin.KeysRow) => void) | undefined;
}

export function KeyTable({ label, empty, rows, onRevoke }: KeyTableProps) {
  const { accounts } = useOpsTexts();
  const { keys } = usePeopleTexts();
  const columns: readonly Column<admin.KeysRow>[] = [
    { name: 'key', title: accounts.key, cell: ({ key }) => <code>{key}</code> },
    { name: 'label', title: accounts.label, cell: (row) => row.label },
    {
      name: 'permissions',
      title: accounts.permissions,
      cell: ({ permissions }) => <Rights rights={permissions.filter(isRight)} />,
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
      title: <span className="only-read-out">{accounts.revoke}</span>,
      cell: (row) =>
        onRevoke === undefined ? null : (
          <Button aria-label={accounts.revokeKey(row.key)} onClick={() => onRevoke(row)}>
            {accounts.revoke}
          </Button>
        ),
    },
  ];
  return <Table {...{ label, columns, rows, empty }} keyOf={({ key }) => key} />;
}

function isRight(word: string): word is AccessRight {
  return word === 'read' || word === 'trade' || word === 'transfer';
}
