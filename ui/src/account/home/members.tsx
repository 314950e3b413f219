/** Who may use an account: others are let in by a code, and their permissions changed here. */

import { useState } from 'react';
import { people } from '#client';
import {
  ActionDialog,
  Button,
  type Column,
  Mark,
  Refusal,
  Section,
  Table,
} from '../../look/mod.ts';
import { nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Access, AccessRight } from '../../wire/person.ts';
import { go } from '../place.ts';
import { OnceDialog } from './once-dialog.tsx';
import { OpenCodes } from './open-codes.tsx';
import { proven } from './proof.tsx';
import { RightChecks } from './right-checks.tsx';
import { Rights } from './rights.tsx';
import { useOwn } from './use-own.ts';

type Asked =
  | { readonly does: 'give' }
  | { readonly does: 'change' | 'remove'; readonly member: people.PeopleRow };

export function Members({ account }: { readonly account: Access }) {
  const { accounts } = usePeopleTexts();
  const name = nameOf(account, useTexts().session);
  const { data, failure, reload } = useOwn(people.people, { account: account.accountId });
  const codes = useOwn(people.accessCodes, { account: account.accountId });
  const [asked, setAsked] = useState<Asked>();
  const [code, setCode] = useState<string>();
  const close = (): void => setAsked(undefined);
  const showCode = (made: string): void => {
    setCode(made);
    codes.reload();
  };
  return (
    <Section
      title={accounts.peopleOf(name)}
      actions={<Button onClick={() => setAsked({ does: 'give' })}>{accounts.give}</Button>}
    >
      <Refusal failure={failure} />
      <MemberTable rows={data} onAsk={setAsked} />
      <OpenCodes account={account} rows={codes.data} members={data} onDone={codes.reload} />
      {asked?.does === 'give' ? (
        <GiveDialog account={account} onCode={showCode} onClose={close} />
      ) : null}
      {asked?.does === 'change' ? (
        <ChangeDialog account={account} member={asked.member} onDone={reload} onClose={close} />
      ) : null}
      {asked?.does === 'remove' ? (
        <RemoveDialog account={account} member={asked.member} onDone={reload} onClose={close} />
      ) : null}
      {code === undefined ? null : (
        <OnceDialog
          title={accounts.codeOnce}
          means={accounts.codeOnceMeans}
          parts={[[accounts.code, code]]}
          onClose={() => setCode(undefined)}
        />
      )}
    </Section>
  );
}

interface MemberTableProps {
  readonly rows: readonly people.PeopleRow[] | undefined;
  readonly onAsk: (asked: Asked) => void;
}

function MemberTable({ rows, onAsk }: MemberTableProps) {
  const { accounts } = usePeopleTexts();
  const shown = (name: string) => name || accounts.noName;
  const columns: readonly Column<people.PeopleRow>[] = [
    {
      name: 'person',
      title: accounts.person,
      cell: ({ name, you }) => (
        <>
          {shown(name)} {you ? <Mark tone="good">{accounts.you}</Mark> : null}
        </>
      ),
    },
    {
      name: 'access',
      title: accounts.access,
      cell: ({ permissions }) => <Rights rights={permissions} />,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{accounts.access}</span>,
      cell: (member) => (
        <span className="actions">
          {member.you ? null : (
            <Button
              aria-label={accounts.changeOf(shown(member.name))}
              onClick={() => onAsk({ does: 'change', member })}
            >
              {accounts.change}
            </Button>
          )}
          <Button
            aria-label={member.you ? accounts.leave : accounts.removeOf(shown(member.name))}
            onClick={() => onAsk({ does: 'remove', member })}
          >
            {member.you ? accounts.leave : accounts.remove}
          </Button>
        </span>
      ),
    },
  ];
  const label = accounts.people;
  return <Table {...{ label, columns, rows }} keyOf={({ personId }) => personId} />;
}

interface GiveDialogProps {
  readonly account: Access;
  readonly onCode: (code: string) => void;
  readonly onClose: () => void;
}

function GiveDialog({ account, onCode, onClose }: GiveDialogProps) {
  const { accounts } = usePeopleTexts();
  const [permissions, setPermissions] = useState<readonly AccessRight[]>(['read']);
  const run = async (): Promise<string> => {
    const call = () =>
      person.call(people.makeAccessCode, { account: account.accountId, permissions });
    onCode((await proven(call)).code);
    return accounts.codeOnce;
  };
  return (
    <ActionDialog title={accounts.give} action={accounts.giveSubmit} {...{ run, onClose }}>
      <RightChecks {...{ account }} value={permissions} onValue={setPermissions} />
      <p className="remark">{accounts.giveMeans}</p>
    </ActionDialog>
  );
}

interface MemberDialogProps {
  readonly account: Access;
  readonly member: people.PeopleRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function ChangeDialog({ account, member, onDone, onClose }: MemberDialogProps) {
  const { accounts } = usePeopleTexts();
  const [permissions, setPermissions] = useState(member.permissions);
  const run = async (): Promise<string> => {
    await proven(() =>
      person.call(people.changeAccess, {
        account: account.accountId,
        person: member.personId,
        permissions,
      }),
    );
    onDone();
    return accounts.changed;
  };
  return (
    <ActionDialog
      title={accounts.changeOf(member.name || accounts.noName)}
      action={accounts.change}
      {...{ run, onClose }}
    >
      <RightChecks {...{ account }} value={permissions} onValue={setPermissions} />
    </ActionDialog>
  );
}

function RemoveDialog({ account, member, onDone, onClose }: MemberDialogProps) {
  const { accounts } = usePeopleTexts();
  const name = member.name || accounts.noName;
  const run = async (): Promise<string> => {
    await proven(() =>
      person.call(people.takeAccess, { account: account.accountId, person: member.personId }),
    );
    if (!member.you) {
      onDone();
      return accounts.removed(name);
    }
    go('accounts');
    await person.check();
    return accounts.left;
  };
  return (
    <ActionDialog
      title={member.you ? accounts.leave : accounts.removeOf(name)}
      action={member.you ? accounts.leave : accounts.remove}
      question={member.you ? accounts.leaveQuestion : accounts.removeQuestion(name)}
      {...{ run, onClose }}
    />
  );
}
