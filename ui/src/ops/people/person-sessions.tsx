/** Where a person is signed in: each session is ended by itself, or all of them. */

import { useState } from 'react';
import { admin } from '#client';
import { deviceText } from '../../account/home/sessions.tsx';
import { type Column, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';

const EVERY_MS = 3_000;

interface PersonSessionsProps {
  readonly personId: string;
  readonly email: string;
  readonly onDone: () => void;
}

export function PersonSessions({ personId, email, onDone }: PersonSessionsProps) {
  const { desk, sessions } = usePeopleTexts();
  const { data, failure, reload } = useLoaded(admin.personSessions, { person: personId }, EVERY_MS);
  const [ended, setEnded] = useState<admin.PersonSessionsRow>();
  const columns: readonly Column<admin.PersonSessionsRow>[] = [
    {
      name: 'device',
      title: sessions.device,
      cell: ({ agent }) => <span title={agent}>{deviceText(agent, sessions)}</span>,
    },
    { name: 'address', title: sessions.address, cell: ({ address }) => address },
    { name: 'began', title: sessions.began, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
    {
      name: 'seen',
      title: sessions.lastSeen,
      cell: ({ lastSeenTime }) => <Time at={Number(lastSeenTime)} />,
    },
    {
      name: 'action',
      title: <span className="only-read-out">{sessions.revoke}</span>,
      cell: (row) => (
        <Act
          duty="help"
          aria-label={`${sessions.revoke}: ${deviceText(row.agent, sessions)} ${row.address}`}
          onClick={() => setEnded(row)}
        >
          {sessions.revoke}
        </Act>
      ),
    },
  ];
  const run = async (): Promise<string> => {
    await operator.call(admin.endSession, { person: personId, session: ended?.sessionId ?? '' });
    reload();
    onDone();
    return desk.ended(1);
  };
  return (
    <Section title={desk.sessions}>
      <Refusal failure={failure} />
      <Table
        label={desk.sessions}
        columns={columns}
        rows={data}
        keyOf={({ sessionId }) => sessionId}
        empty={desk.noSessions}
      />
      {ended === undefined ? null : (
        <ActionDialog
          title={`${sessions.revoke}: ${email}`}
          action={sessions.revoke}
          question={desk.endOneQuestion(deviceText(ended.agent, sessions), ended.address)}
          duty="help"
          run={run}
          onClose={() => setEnded(undefined)}
        />
      )}
    </Section>
  );
}
