/** Links that wait: the operator takes one, with a reason, and hands it over. */

import { useState } from 'react';
import { admin } from '#client';
import { OnceDialog } from '../../account/home/once-dialog.tsx';
import { type Column, Field, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { wholeLink } from './whole-link.ts';

const EVERY_MS = 5_000;

interface LinksProps {
  /** Those of this person, mailed or not; of everybody without it, those that no mail carries. */
  readonly personId?: string;
}

export function Links({ personId }: LinksProps) {
  const { desk } = usePeopleTexts();
  const { data, failure, reload } = useLoaded(admin.links, { person: personId }, EVERY_MS);
  const [asked, setAsked] = useState<admin.LinksRow>();
  const [handed, setHanded] = useState<admin.HandOutLinkAnswer>();
  const show = (link: admin.HandOutLinkAnswer): void => {
    setHanded(link);
    reload();
  };
  return (
    <Section title={desk.links}>
      <p className="ops-note remark">{desk.linksMeans}</p>
      <Refusal failure={failure} />
      <LinkTable rows={data} onAsked={setAsked} />
      {asked === undefined ? null : (
        <HandOutDialog link={asked} onHanded={show} onClose={() => setAsked(undefined)} />
      )}
      {handed === undefined ? null : (
        <OnceDialog
          title={desk.link}
          means={desk.linkMeans}
          parts={[[desk.linkKinds[handed.kind], wholeLink(handed)]]}
          onClose={() => setHanded(undefined)}
        />
      )}
    </Section>
  );
}

interface LinkTableProps {
  readonly rows: readonly admin.LinksRow[] | undefined;
  readonly onAsked: (link: admin.LinksRow) => void;
}

function LinkTable({ rows, onAsked }: LinkTableProps) {
  const { desk } = usePeopleTexts();
  const columns: readonly Column<admin.LinksRow>[] = [
    { name: 'email', title: desk.email, cell: ({ email }) => email },
    { name: 'kind', title: desk.kind, cell: ({ kind }) => desk.linkKinds[kind] },
    { name: 'by', title: desk.handedOutBy, cell: ({ madeBy }) => madeBy || '—' },
    {
      name: 'until',
      title: desk.until,
      cell: ({ expiresTime }) => <Time at={Number(expiresTime)} />,
    },
    {
      name: 'hand',
      title: <span className="only-read-out">{desk.handOut}</span>,
      cell: (link) => (
        <Act aria-label={desk.handOutOf(link.email)} onClick={() => onAsked(link)}>
          {desk.handOut}
        </Act>
      ),
    },
  ];
  return (
    <Table
      label={desk.links}
      columns={columns}
      rows={rows}
      keyOf={({ linkId }) => linkId}
      empty={desk.noLinks}
    />
  );
}

interface HandOutProps {
  readonly link: admin.LinksRow;
  readonly onHanded: (link: admin.HandOutLinkAnswer) => void;
  readonly onClose: () => void;
}

function HandOutDialog({ link, onHanded, onClose }: HandOutProps) {
  const { desk } = usePeopleTexts();
  const [reason, setReason] = useState('');
  const run = async (): Promise<string> => {
    onHanded(
      await operator.call(admin.handOutLink, {
        person: link.personId,
        link: link.linkId,
        reason: reason.trim(),
      }),
    );
    return desk.handedOut;
  };
  return (
    <ActionDialog
      title={`${desk.handOut}: ${link.email}`}
      action={desk.handOut}
      {...{ run, onClose }}
    >
      <p>{desk.handOutMeans}</p>
      <Field
        label={desk.reason}
        placeholder={desk.reasonMeans}
        value={reason}
        onValue={setReason}
        required
      />
    </ActionDialog>
  );
}
