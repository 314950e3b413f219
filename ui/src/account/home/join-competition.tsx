/** The competitions of a person, and joining one: an open one, or by a code. */

import { useState } from 'react';
import { people } from '#client';
import {
  ActionDialog,
  Button,
  type Column,
  Field,
  Section,
  Select,
  Table,
} from '../../look/mod.ts';
import { nameOf } from '../../session/account-select.tsx';
import { person } from '../../session/person.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { useTexts } from '../../texts/texts.ts';
import type { PersonSession } from '../../wire/person.ts';
import { competitionCode, forgetCompetition } from '../place.ts';
import { useOwn } from './use-own.ts';

export function JoinCompetition({ session }: { readonly session: PersonSession }) {
  const { join } = useCompetitionTexts();
  const { data, reload } = useOwn(people.ownCompetitions, {});
  const [isJoining, setJoining] = useState(competitionCode !== '');
  const open = data?.filter(({ accountId }) => accountId === '') ?? [];
  const close = (): void => {
    forgetCompetition();
    setJoining(false);
  };
  return (
    <div className="account-page">
      <Section
        title={join.own}
        actions={
          <>
            <a className="button" href="/competition">
              {join.watch}
            </a>
            <Button onClick={() => setJoining(true)}>{join.title}</Button>
          </>
        }
      >
        <OwnTable session={session} rows={data?.filter(({ accountId }) => accountId !== '')} />
        {isJoining && data !== undefined ? (
          <JoinDialog {...{ session, open }} onDone={reload} onClose={close} />
        ) : null}
      </Section>
    </div>
  );
}

interface OwnTableProps {
  readonly session: PersonSession;
  readonly rows: readonly people.OwnCompetitionsRow[] | undefined;
}

function OwnTable({ session, rows }: OwnTableProps) {
  const texts = useCompetitionTexts();
  const words = useTexts().session;
  const accountOf = ({ accountId }: people.OwnCompetitionsRow): string => {
    const own = session.accounts.find((one) => one.accountId === accountId);
    return own === undefined ? accountId : nameOf(own, words);
  };
  const columns: readonly Column<people.OwnCompetitionsRow>[] = [
    {
      name: 'name',
      title: texts.join.which,
      cell: ({ name, isCancelled }) => (isCancelled ? `${name} (${texts.states.cancelled})` : name),
    },
    { name: 'account', title: texts.join.account, cell: accountOf },
    { name: 'shown', title: texts.join.shownName, cell: ({ shownName }) => shownName },
    { name: 'team', title: texts.team, cell: ({ team }) => team },
  ];
  return (
    <Table
      label={texts.join.own}
      columns={columns}
      rows={rows}
      keyOf={({ competitionId, accountId }) => `${competitionId} ${accountId}`}
      empty={texts.join.none}
    />
  );
}

interface JoinDialogProps {
  readonly session: PersonSession;
  /** Those that anybody may join. */
  readonly open: readonly people.OwnCompetitionsRow[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const BY_CODE = '';

function JoinDialog({ session, open, onDone, onClose }: JoinDialogProps) {
  const { join } = useCompetitionTexts();
  const words = useTexts().session;
  const own = session.accounts.filter(({ permissions }) => permissions.includes('manage'));
  const sent = open.find(({ competitionId }) => competitionId === competitionCode);
  const [competition, setCompetition] = useState(sent?.competitionId ?? BY_CODE);
  const [code, setCode] = useState(competitionCode.includes('-') ? competitionCode : '');
  const [name, setName] = useState('');
  const [account, setAccount] = useState(own[0]?.accountId ?? '');
  const chosen = open.find(({ competitionId }) => competitionId === competition);
  const run = async (): Promise<string> => {
    const which = competition === BY_CODE ? { code: code.trim() } : { competition };
    const asked = { ...which, account, name: name.trim() };
    const joined = await person.call(people.joinCompetition, asked);
    onDone();
    return join.joined(joined.name);
  };
  const offered = open.map((one) => [one.competitionId, one.name] as const);
  return (
    <ActionDialog title={join.title} action={join.action} {...{ run, onClose }}>
      {open.length === 0 ? null : (
        <Select
          label={join.which}
          value={competition}
          choices={[...offered, [BY_CODE, join.byCode]]}
          onValue={setCompetition}
        />
      )}
      {chosen === undefined || chosen.description === '' ? null : <p>{chosen.description}</p>}
      {competition === BY_CODE ? (
        <Field label={join.code} value={code} onValue={setCode} required />
      ) : null}
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
