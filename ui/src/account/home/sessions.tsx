/** Where a person has signed in, and how to end that. */
import { people } from '#client';
import {
  Button,
  type Column,
  Mark,
  notify,
  Refusal,
  Section,
  Table,
  Time,
} from '../../look/mod.ts';
import { deviceOf } from '../../model/device.ts';
import { person } from '../../session/person.ts';
import type { PeopleTexts } from '../../texts/en-people.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useSubmit } from '../use-submit.ts';
import { useOwn } from './use-own.ts';

const EVERY_MS = 10_000;

/** Also a look at whether this session is still there, while the page can be seen. */
export function Sessions({ sessionId }: { readonly sessionId: string }) {
  const { sessions } = usePeopleTexts();
  const { data, failure, reload } = useOwn(people.sessions, {}, EVERY_MS);
  const others = useSubmit(async () => {
    const { ended } = await person.call(people.endOtherSessions, {});
    notify('good', sessions.revokedOthers(ended));
    reload();
  });
  const hasOthers = data?.some((row) => row.sessionId !== sessionId) === true;
  return (
    <Section
      title={sessions.title}
      actions={
        <Button isBusy={others.isBusy} disabled={!hasOthers} onClick={() => void others.run()}>
          {sessions.revokeOthers}
        </Button>
      }
    >
      <Refusal failure={others.failure ?? failure} />
      <Table
        label={sessions.title}
        columns={columnsOf(sessions, reload)}
        rows={data}
        keyOf={(row) => row.sessionId}
      />
    </Section>
  );
}

type Words = PeopleTexts['sessions'];

function columnsOf(sessions: Words, reload: () => void): readonly Column<people.SessionsRow>[] {
  return [
    {
      name: 'device',
      title: sessions.device,
      cell: ({ agent, current }) => (
        <span title={agent}>
          {deviceText(agent, sessions)}{' '}
          {current ? <Mark tone="good">{sessions.current}</Mark> : null}
        </span>
      ),
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
      cell: (row) => (row.current ? null : <Revoke row={row} onDone={reload} />),
    },
  ];
}

export function deviceText(agent: string, sessions: Words): string {
  const device = deviceOf(agent);
  return device === undefined ? sessions.unknownDevice : sessions.on(device.browser, device.system);
}

function Revoke({
  row,
  onDone,
}: {
  readonly row: people.SessionsRow;
  readonly onDone: () => void;
}) {
  const { sessions } = usePeopleTexts();
  const { isBusy, run } = useSubmit(async () => {
    await person.call(people.endSession, { session: row.sessionId });
    notify('good', sessions.revoked);
    onDone();
  });
  return (
    <Button
      isBusy={isBusy}
      aria-label={sessions.revokeOf(deviceText(row.agent, sessions))}
      onClick={() => void run()}
    >
      {sessions.revoke}
    </Button>
  );
}
