/** Codes to join a competition by: made for so many accounts and days, shown once, revoked. */

import { useState } from 'react';
import { admin } from '#client';
import { OnceDialog } from '../../account/home/once-dialog.tsx';
import { type Column, Field, FieldRow, Section, Table, Time } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { wholeLink } from '../people/whole-link.ts';

type CompetitionCodeRow = admin.CompetitionAnswer['codes'][number];

interface CodesProps {
  readonly competitionId: string;
  readonly codes: readonly CompetitionCodeRow[];
  readonly onDone: () => void;
}

export function Codes({ competitionId, codes, onDone }: CodesProps) {
  const { desk } = useCompetitionTexts();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<admin.MakeCompetitionCodeAnswer>();
  const [revoked, setRevoked] = useState<CompetitionCodeRow>();
  const show = (code: admin.MakeCompetitionCodeAnswer): void => {
    setMade(code);
    onDone();
  };
  const revoke = async (): Promise<string> => {
    await operator.call(admin.dropCompetitionCode, {
      competition: competitionId,
      code: revoked?.codeId ?? '',
    });
    onDone();
    return desk.dropped;
  };
  return (
    <Section
      title={desk.codes}
      actions={<Act onClick={() => setMaking(true)}>{desk.makeCode}</Act>}
    >
      <CodeTable codes={codes} onRevoke={setRevoked} />
      {isMaking ? (
        <NewCodeDialog
          competitionId={competitionId}
          onMade={show}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {made === undefined ? null : (
        <OnceDialog
          title={desk.codeOnce}
          means={desk.codeOnceMeans}
          parts={[
            [desk.code, made.code],
            [desk.codeLink, wholeLink(made)],
          ]}
          onClose={() => setMade(undefined)}
        />
      )}
      {revoked === undefined ? null : (
        <ActionDialog
          title={desk.dropCodeOf(nameOf(revoked))}
          action={desk.dropCode}
          question={desk.dropQuestion}
          run={revoke}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Section>
  );
}

/** What it is for, or its number. */
function nameOf({ label, codeId }: CompetitionCodeRow): string {
  return label || codeId;
}

interface CodeTableProps {
  readonly codes: readonly CompetitionCodeRow[];
  readonly onRevoke: (code: CompetitionCodeRow) => void;
}

function CodeTable({ codes, onRevoke }: CodeTableProps) {
  const { desk } = useCompetitionTexts();
  const people = usePeopleTexts().desk;
  const columns: readonly Column<CompetitionCodeRow>[] = [
    { name: 'label', title: people.label, cell: nameOf },
    { name: 'used', title: people.used, cell: ({ used, uses }) => people.usedOf(used, uses) },
    {
      name: 'until',
      title: people.until,
      cell: ({ expiresTime }) => <Time at={Number(expiresTime)} />,
    },
    {
      name: 'action',
      title: <span className="only-read-out">{desk.dropCode}</span>,
      cell: (row) => (
        <Act aria-label={desk.dropCodeOf(nameOf(row))} onClick={() => onRevoke(row)}>
          {desk.dropCode}
        </Act>
      ),
    },
  ];
  return (
    <Table
      label={desk.codes}
      columns={columns}
      rows={codes}
      keyOf={({ codeId }) => codeId}
      empty={desk.noCodes}
    />
  );
}

interface NewCodeDialogProps {
  readonly competitionId: string;
  readonly onMade: (code: admin.MakeCompetitionCodeAnswer) => void;
  readonly onClose: () => void;
}

function NewCodeDialog({ competitionId, onMade, onClose }: NewCodeDialogProps) {
  const { desk } = useCompetitionTexts();
  const people = usePeopleTexts().desk;
  const [label, setLabel] = useState('');
  const [uses, setUses] = useState('30');
  const [days, setDays] = useState('7');
  const run = async (): Promise<string> => {
    const asked = { label: label.trim(), uses: Number(uses), days: Number(days) };
    onMade(
      await operator.call(admin.makeCompetitionCode, { competition: competitionId, ...asked }),
    );
    return desk.codeMade;
  };
  return (
    <ActionDialog title={desk.makeCode} action={desk.makeCode} {...{ run, onClose }}>
      <Field label={people.label} value={label} onValue={setLabel} />
      <FieldRow>
        <Field label={desk.uses} value={uses} onValue={setUses} isNumber required />
        <Field label={people.days} value={days} onValue={setDays} isNumber required />
      </FieldRow>
    </ActionDialog>
  );
}
