/** What has happened to a person's way in, newest first. */

import { useCallback, useEffect, useState } from 'react';
import { people } from '#client';
import { Button, type Column, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import type { Failure } from '../../store/use-reading.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useTexts } from '../../texts/texts.ts';
import { describeFailure } from '../../wire/failure.ts';
import { deviceText } from './sessions.tsx';

const ROWS = 20;

/** Read again when the session is another one, as after the password was changed. */
export function Events({ sessionId }: { readonly sessionId: string }) {
  const { events } = usePeopleTexts();
  const { look } = useTexts();
  const { rows, hasMore, failure, more } = useEvents(sessionId);
  return (
    <Section title={events.title}>
      <Refusal failure={failure} />
      <EventTable rows={rows} />
      {hasMore ? (
        <p className="pager">
          <Button onClick={more}>{look.loadMore}</Button>
        </p>
      ) : null}
    </Section>
  );
}

export function EventTable({ rows }: { readonly rows: readonly people.EventsRow[] | undefined }) {
  const { events, sessions } = usePeopleTexts();
  const columns: readonly Column<people.EventsRow>[] = [
    { name: 'time', title: events.time, cell: ({ time }) => <Time at={Number(time)} /> },
    { name: 'event', title: events.event, cell: ({ kind }) => events.kinds[kind] },
    {
      name: 'device',
      title: sessions.device,
      cell: ({ address, agent }) =>
        address === '' ? (
          events.byOperator
        ) : (
          <span title={agent}>{deviceText(agent, sessions)}</span>
        ),
    },
    { name: 'address', title: sessions.address, cell: ({ address }) => address },
    { name: 'detail', title: events.detail, cell: ({ detail }) => detail },
  ];
  return (
    <Table
      label={events.title}
      columns={columns}
      rows={rows}
      keyOf={({ eventId }) => String(eventId)}
    />
  );
}

function useEvents(sessionId: string) {
  const [rows, setRows] = useState<readonly people.EventsRow[]>();
  const [hasMore, setMore] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const read = useCallback(async (before?: number): Promise<void> => {
    try {
      const page = await person.call(people.events, { before, limit: ROWS });
      setRows((now = []) => (before === undefined ? page : [...now, ...page]));
      setMore(page.length === ROWS);
      setFailure(undefined);
    } catch (error) {
      setFailure(describeFailure(error));
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another session, other events
  useEffect(() => void read(), [read, sessionId]);
  return { rows, hasMore, failure, more: () => void read(rows?.at(-1)?.eventId) };
}
