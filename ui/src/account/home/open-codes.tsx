/** Codes that let others into an account and nobody has entered yet: by whom, and until when. */

import { useState } from 'react';
import { people } from '#client';
import { ActionDialog, Button, type Column, Table, Time } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { Access } from '../../wire/person.ts';
import { Rights } from './rights.tsx';

interface Named {
  readonly personId: string;
  readonly name: string;
}

interface OpenCodesProps {
  readonly account: Access;
  readonly rows: readonly people.AccessCodesRow[] | undefined;
  readonly members: readonly Named[] | undefined;
  readonly onDone: () => void;
}

/** Nothing where there is none. */
export function OpenCodes({ account, rows = [], members = [], onDone }: OpenCodesProps) {
  const { accounts } = usePeopleTexts();
  const [asked, setAsked] = useState<people.AccessCodesRow>();
  if (rows.length === 0) return null;
  const makerOf = ({ madeBy }: people.AccessCodesRow) =>
    members.find(({ personId }) => personId === madeBy)?.name || accounts.noName;
  const columns: readonly Column<people.AccessCodesRow>[] = [
    { name: 'maker', title: accounts.codeBy, cell: makerOf },
    {
      name: 'access',
      title: accounts.access,
      cell: ({ permissions }) => <Rights rights={permissions} />,
    },
    {
      name: 'until',
      title: accounts.codeUntil,
      cell: ({ expiresTime }) => <Time at={Number(expiresTime)} />,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{accounts.withdraw}</span>,
      cell: (code) => (
        <Button aria-label={accounts.withdraw} onClick={() => setAsked(code)}>
          {accounts.withdraw}
        </Button>
      ),
    },
  ];
  const label = accounts.codes;
  return (
    <>
      <Table {...{ label, columns, rows }} keyOf={({ codeId }) => codeId} />
      {asked === undefined ? null : (
        <WithdrawDialog
          account={account}
          codeId={asked.codeId}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface WithdrawDialogProps {
  readonly account: Access;
  readonly codeId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function WithdrawDialog({ account, codeId, onDone, onClose }: WithdrawDialogProps) {
  const { accounts } = usePeopleTexts();
  const run = async (): Promise<string> => {
    await person.call(people.dropAccessCode, { account: account.accountId, code: codeId });
    onDone();
    return accounts.withdrawn;
  };
  const question = accounts.withdrawQuestion;
  const action = accounts.withdraw;
  return <ActionDialog title={action} {...{ action, question, run, onClose }} />;
}
