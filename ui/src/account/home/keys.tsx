/** The API keys of an account: made, looked at and revoked by a person who manages it. */

import { type ReactNode, useState } from 'react';
import { people } from '#client';
import { ActionDialog, Button, Refusal, Section } from '../../look/mod.ts';
import { KeyTable } from '../../ops/accounts/key-table.tsx';
import { AccountSelect, nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Access, PersonSession } from '../../wire/person.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { OnceDialog } from './once-dialog.tsx';
import { useChosen } from './use-chosen.ts';
import { useOwn } from './use-own.ts';

export function Keys({ session }: { readonly session: PersonSession }) {
  const texts = usePeopleTexts();
  const account = useChosen(session);
  if (account === undefined) return <p className="empty">{texts.accounts.none}</p>;
  const isManager = account.permissions.includes('manage');
  const choice = (
    <AccountSelect accounts={session.accounts} account={account} isLabelHidden={false} />
  );
  return (
    <div className="account-page">
      {isManager ? (
        <KeyList key={account.accountId} account={account} choice={choice} />
      ) : (
        <Section title={texts.keys.title} actions={choice}>
          <p className="empty">{texts.keys.noManage}</p>
        </Section>
      )}
    </div>
  );
}

interface KeyListProps {
  readonly account: Access;
  readonly choice: ReactNode;
}

function KeyList({ account, choice }: KeyListProps) {
  const { keys } = usePeopleTexts();
  const words = useOpsTexts().accounts;
  const { data, failure, reload } = useOwn(people.keys, { account: account.accountId });
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<people.MakeKeyAnswer>();
  const [revoked, setRevoked] = useState<people.KeysRow>();
  const show = (key: people.MakeKeyAnswer): void => {
    setMade(key);
    reload();
  };
  return (
    <Section
      title={keys.title}
      actions={
        <>
          {choice}
          <Button onClick={() => setMaking(true)}>{words.makeKey}</Button>
        </>
      }
    >
      <Refusal failure={failure} />
      <KeyTable label={keys.title} empty={keys.empty} rows={data} onRevoke={setRevoked} />
      {isMaking ? (
        <NewKeyDialog account={account} onMade={show} onClose={() => setMaking(false)} />
      ) : null}
      {made === undefined ? null : <MadeKey made={made} onClose={() => setMade(undefined)} />}
      {revoked === undefined ? null : (
        <RevokeDialog
          account={account}
          row={revoked}
          onDone={reload}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Section>
  );
}

function MadeKey({
  made,
  onClose,
}: {
  readonly made: people.MakeKeyAnswer;
  readonly onClose: () => void;
}) {
  const words = useOpsTexts().accounts;
  const { key, secret, passphrase } = made;
  return (
    <OnceDialog
      title={words.keyOnce}
      means={words.keyOnceMeaning}
      parts={[
        [words.key, key],
        ...(secret === '' ? [] : [[words.secret, secret] as const]),
        [words.passphrase, passphrase],
      ]}
      whole={JSON.stringify({ key, secret, passphrase }, null, 2)}
      onClose={onClose}
    />
  );
}

interface RevokeDialogProps {
  readonly account: Access;
  readonly row: people.KeysRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ account, row, onDone, onClose }: RevokeDialogProps) {
  const ops = useOpsTexts();
  const { session } = useTexts();
  const { accounts } = ops;
  const run = async (): Promise<string> => {
    await person.call(people.revokeKey, { account: account.accountId, key: row.key });
    onDone();
    return accounts.revoked(row.key);
  };
  return (
    <ActionDialog
      title={accounts.revokeKey(row.key)}
      action={accounts.revoke}
      question={accounts.revokeQuestion(row.key, row.label, nameOf(account, session))}
      {...{ run, onClose }}
    />
  );
}
