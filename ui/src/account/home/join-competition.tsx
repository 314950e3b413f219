/** Joins a competition with one of the person's accounts. */
import { useState } from 'react';
import { ActionDialog, Button, Field, Section, Select } from '../../look/mod.ts';
import { nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { useTexts } from '../../texts/texts.ts';
import type { PersonSession } from '../../wire/person.ts';

export function JoinCompetition({ session }: { readonly session: PersonSession }) {
  const { join } = useCompetitionTexts();
  const [isJoining, setJoining] = useState(false);
  return (
    <div className="account-page">
      <Section
        title={join.title}
        actions={
          <>
            <a className="button" href="/competition">
              {join.watch}
            </a>
            <Button onClick={() => setJoining(true)}>{join.title}</Button>
          </>
        }
      >
        {isJoining ? <JoinDialog session={session} onClose={() => setJoining(false)} /> : null}
      </Section>
    </div>
  );
}

interface JoinDialogProps {
  readonly session: PersonSession;
  readonly onClose: () => void;
}

function JoinDialog({ session, onClose }: JoinDialogProps) {
  const { join } = useCompetitionTexts();
  const words = useTexts().session;
  const own = session.accounts.filter(({ permissions }) => permissions.includes('manage'));
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const [account, setAccount] = useState(own[0]?.accountId ?? '');
  const run = async (): Promise<string> => {
    const asked = { code: code.trim(), account, name: name.trim() };
    const joined = await person.call<{ name: string }>('POST', '/people/v1/competitions', asked);
    return join.joined(joined.name);
  };
  return (
    <ActionDialog title={join.title} action={join.action} {...{ run, onClose }}>
      <Field label={join.code} value={code} onValue={setCode} required />
      <Select
        label={join.account}
        value={account}
        choices={own.map((one) => [one.accountId, nameOf(one, words)] as const)}
        onValue={setAccount}
      />
      <Field label={join.name} value={name} onValue={setName} />
      <p className="remark">{join.means}</p>
    </ActionDialog>
  );
}
