/** The trading accounts of a person: their names, who else may use them, and more of them. */

import { useState } from 'react';
import { people } from '#client';
import { ActionDialog, Button, type Column, Field, Section, Table } from '../../look/mod.ts';
import { nameOf } from '../../session/account-select.tsx';
import { chosenAccount } from '../../session/chosen-account.ts';
import { person } from '../../session/person.ts';
import { useStore } from '../../store/store.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Access, PersonSession } from '../../wire/person.ts';
import { go, place } from '../place.ts';
import { Members } from './members.tsx';
import { Rights } from './rights.tsx';

export function Accounts({ session }: { readonly session: PersonSession }) {
  const { accounts } = usePeopleTexts();
  const words = useTexts().session;
  const detail = useStore(place, (now) => now.detail);
  const [asked, setAsked] = useState<'open' | 'enter' | Access>();
  const shown = session.accounts.find(({ accountId }) => accountId === detail);
  const close = (): void => setAsked(undefined);
  return (
    <div className="account-page">
      <Section
        title={accounts.title}
        actions={
          <>
            <Button onClick={() => setAsked('enter')}>{accounts.enterCode}</Button>
            <Button onClick={() => setAsked('open')}>{accounts.open}</Button>
          </>
        }
      >
        <AccountTable rows={session.accounts} onRename={setAsked} />
      </Section>
      {shown === undefined ? null : <Members key={shown.accountId} account={shown} />}
      {asked === 'open' ? <OpenDialog onClose={close} /> : null}
      {asked === 'enter' ? <EnterDialog onClose={close} /> : null}
      {typeof asked === 'object' ? (
        <RenameDialog account={asked} name={nameOf(asked, words)} onClose={close} />
      ) : null}
    </div>
  );
}

interface AccountTableProps {
  readonly rows: readonly Access[];
  readonly onRename: (account: Access) => void;
}

function AccountTable({ rows, onRename }: AccountTableProps) {
  const { accounts } = usePeopleTexts();
  const words = useTexts().session;
  const columns: readonly Column<Access>[] = [
    { name: 'account', title: accounts.account, cell: (row) => nameOf(row, words) },
    {
      name: 'permissions',
      title: accounts.permissions,
      cell: ({ permissions }) => <Rights rights={permissions} />,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{accounts.account}</span>,
      cell: (row) => (
        <span className="actions">
          <a
            className="button"
            href="/"
            aria-label={accounts.tradeIn(nameOf(row, words))}
            onClick={() => chosenAccount.set(row.accountId)}
          >
            {accounts.trade}
          </a>
          <Button aria-label={accounts.renameOf(nameOf(row, words))} onClick={() => onRename(row)}>
            {accounts.rename}
          </Button>
          {row.permissions.includes('manage') ? (
            <Button
              aria-label={accounts.peopleOf(nameOf(row, words))}
              onClick={() => go('accounts', row.accountId)}
            >
              {accounts.people}
            </Button>
          ) : null}
        </span>
      ),
    },
  ];
  return (
    <Table
      label={accounts.title}
      columns={columns}
      rows={rows}
      keyOf={({ accountId }) => accountId}
      empty={accounts.none}
    />
  );
}

interface DialogProps {
  readonly onClose: () => void;
}

function OpenDialog({ onClose }: DialogProps) {
  const { accounts } = usePeopleTexts();
  const words = useTexts().session;
  const [label, setLabel] = useState('');
  const run = async (): Promise<string> => {
    const opened = await person.call(people.openAccount, { label: label.trim() });
    await person.check();
    return accounts.opened(nameOf(opened, words));
  };
  return (
    <ActionDialog title={accounts.open} action={accounts.openSubmit} {...{ run, onClose }}>
      <Field label={accounts.label} value={label} onValue={setLabel} />
    </ActionDialog>
  );
}

function EnterDialog({ onClose }: DialogProps) {
  const { accounts } = usePeopleTexts();
  const words = useTexts().session;
  const [code, setCode] = useState('');
  const run = async (): Promise<string> => {
    const asked = { code: code.trim() };
    const entered = await person.call(people.enterAccessCode, asked);
    await person.check();
    return accounts.entered(nameOf(entered, words));
  };
  return (
    <ActionDialog title={accounts.enterCode} action={accounts.enterSubmit} {...{ run, onClose }}>
      <Field label={accounts.code} value={code} onValue={setCode} required />
      <p className="remark">{accounts.codeMeans}</p>
    </ActionDialog>
  );
}

interface RenameDialogProps extends DialogProps {
  readonly account: Access;
  readonly name: string;
}

function RenameDialog({ account, name, onClose }: RenameDialogProps) {
  const { accounts } = usePeopleTexts();
  const [label, setLabel] = useState(account.label);
  const run = async (): Promise<string> => {
    await person.call(people.nameAccount, { account: account.accountId, label: label.trim() });
    await person.check();
    return accounts.renamed;
  };
  return (
    <ActionDialog title={accounts.renameOf(name)} action={accounts.rename} {...{ run, onClose }}>
      <Field label={accounts.label} value={label} onValue={setLabel} />
    </ActionDialog>
  );
}
