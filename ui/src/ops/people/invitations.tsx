/** Invitation codes: made for so many people and days, shown once, revoked. */

import { useState } from 'react';
import { admin } from '#client';
import { OnceDialog } from '../../account/home/once-dialog.tsx';
import { type Column, Field, FieldRow, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { wholeLink } from './whole-link.ts';

const EVERY_MS = 5_000;

export function Invitations() {
  const { desk } = usePeopleTexts();
  const { data, failure, reload } = useLoaded(admin.invitations, {}, EVERY_MS);
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<admin.MakeInvitationAnswer>();
  const [revoked, setRevoked] = useState<admin.InvitationsRow>();
  const show = (invitation: admin.MakeInvitationAnswer): void => {
    setMade(invitation);
    reload();
  };
  return (
    <Section
      title={desk.invitations}
      actions={<Act onClick={() => setMaking(true)}>{desk.invite}</Act>}
    >
      <Refusal failure={failure} />
      <InvitationTable rows={data} onRevoke={setRevoked} />
      {isMaking ? <InviteDialog onMade={show} onClose={() => setMaking(false)} /> : null}
      {made === undefined ? null : (
        <OnceDialog
          title={desk.codeOnce}
          means={desk.codeOnceMeans}
          parts={[
            [desk.code, made.code],
            [desk.inviteLink, wholeLink(made)],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
      {revoked === undefined ? null : (
        <RevokeDialog row={revoked} onDone={reload} onClose={() => setRevoked(undefined)} />
      )}
    </Section>
  );
}

/** What it is for, or its number. */
function nameOf({ label, invitationId }: admin.InvitationsRow): string {
  return label || invitationId;
}

interface InvitationTableProps {
  readonly rows: readonly admin.InvitationsRow[] | undefined;
  readonly onRevoke: (row: admin.InvitationsRow) => void;
}

function InvitationTable({ rows, onRevoke }: InvitationTableProps) {
  const { desk } = usePeopleTexts();
  const columns: readonly Column<admin.InvitationsRow>[] = [
    { name: 'label', title: desk.label, cell: nameOf },
    { name: 'by', title: desk.madeBy, cell: ({ madeBy }) => madeBy },
    { name: 'used', title: desk.used, cell: ({ used, uses }) => desk.usedOf(used, uses) },
    {
      name: 'until',
      title: desk.until,
      cell: ({ expiresTime }) => <Time at={Number(expiresTime)} />,
    },
    {
      name: 'action',
      title: <span className="only-read-out">{desk.revoke}</span>,
      cell: (row) => (
        <Act aria-label={desk.revokeOf(nameOf(row))} onClick={() => onRevoke(row)}>
          {desk.revoke}
        </Act>
      ),
    },
  ];
  return (
    <Table
      label={desk.invitations}
      columns={columns}
      rows={rows}
      keyOf={({ invitationId }) => invitationId}
      empty={desk.noInvitations}
    />
  );
}

interface InviteDialogProps {
  readonly onMade: (invitation: admin.MakeInvitationAnswer) => void;
  readonly onClose: () => void;
}

function InviteDialog({ onMade, onClose }: InviteDialogProps) {
  const { desk } = usePeopleTexts();
  const [label, setLabel] = useState('');
  const [uses, setUses] = useState('1');
  const [days, setDays] = useState('7');
  const run = async (): Promise<string> => {
    const asked = { label: label.trim(), uses: Number(uses), days: Number(days) };
    onMade(await operator.call(admin.makeInvitation, asked));
    return desk.inviteDone;
  };
  return (
    <ActionDialog title={desk.invite} action={desk.invite} {...{ run, onClose }}>
      <Field label={desk.label} value={label} onValue={setLabel} />
      <FieldRow>
        <Field label={desk.uses} value={uses} onValue={setUses} isNumber required />
        <Field label={desk.days} value={days} onValue={setDays} isNumber required />
      </FieldRow>
    </ActionDialog>
  );
}

interface RevokeDialogProps {
  readonly row: admin.InvitationsRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function RevokeDialog({ row, onDone, onClose }: RevokeDialogProps) {
  const { desk } = usePeopleTexts();
  const run = async (): Promise<string> => {
    await operator.call(admin.dropInvitation, { invitation: row.invitationId });
    onDone();
    return desk.revoked;
  };
  return (
    <ActionDialog
      title={desk.revokeOf(nameOf(row))}
      action={desk.revoke}
      question={desk.revokeQuestion(nameOf(row))}
      {...{ run, onClose }}
    />
  );
}
