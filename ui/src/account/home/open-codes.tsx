/** Codes that let others into an account and nobody has entered yet: by whom, and until when. */
import { useState } from 'react';
import { ActionDialog, Button, type Column, Table, Time } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { AccessRight } from '../../wire/person.ts';
import { Rights } from './rights.tsx';

export interface CodeRow {
  readonly codeId: string;
  readonly madeBy: string;
  readonly permissions: readonly AccessRight[];
  readonly expiresTime: string;
}

interface Named {
  readonly personId: string;
  readonly name: string;
}

interface OpenCodesProps {
  readonly path: string;
  readonly rows: readonly CodeRow[] | undefined;
  readonly members: readonly Named[] | undefined;
  readonly onDone: () => void;
}

/** Nothing where there is none. */
export function OpenCodes({ path, rows = [], members = [], onDone }: OpenCodesProps) {
  const { accounts } = usePeopleTexts();
  const [asked, setAsked] = useState<CodeRow>();
  if (rows.length === 0) return null;
  const makerOf = ({ madeBy }: CodeRow) =>
    members.find(({ personId }) => personId === madeBy)?.name || accounts.noName;
  const columns: readonly Column<CodeRow>[] = [
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
          path={`${path}/${asked.codeId}`}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface WithdrawDialogProps {
  readonly path: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function WithdrawDialog({ path, onDone, onClose }: WithdrawDialogProps) {
  const { accounts } = usePeopleTexts();
  const run = async (): Promise<string> => {
    await person.call('DELETE', path);
    onDone();
    return accounts.withdrawn;
  };
  const question = accounts.withdrawQuestion;
  const action = accounts.withdraw;
  return <ActionDialog title={action} {...{ action, question, run, onClose }} />;
}
