/** Who takes part in a competition: added by account or person, named, put into teams, removed. */

import { useState } from 'react';
import { admin } from '#client';
import { type Column, Field, Section, Table } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

type EntryRow = admin.CompetitionAnswer['entries'][number];

interface EntriesProps {
  readonly competitionId: string;
  readonly entries: readonly EntryRow[] | undefined;
  readonly onDone: () => void;
}

type Asked =
  | { readonly kind: 'add' }
  | { readonly kind: 'edit' | 'remove'; readonly entry: EntryRow };

export function Entries({ competitionId, entries, onDone }: EntriesProps) {
  const { desk } = useCompetitionTexts();
  const [asked, setAsked] = useState<Asked>();
  const given = { competitionId, onDone, onClose: () => setAsked(undefined) };
  return (
    <Section
      title={desk.entries}
      actions={<Act onClick={() => setAsked({ kind: 'add' })}>{desk.add}</Act>}
    >
      <EntryTable entries={entries} onAction={setAsked} />
      {asked?.kind === 'add' ? <AddDialog {...given} /> : null}
      {asked?.kind === 'edit' ? <EditDialog entry={asked.entry} {...given} /> : null}
      {asked?.kind === 'remove' ? <RemoveDialog entry={asked.entry} {...given} /> : null}
    </Section>
  );
}

interface EntryTableProps {
  readonly entries: readonly EntryRow[] | undefined;
  readonly onAction: (asked: Asked) => void;
}

function EntryTable({ entries, onAction }: EntryTableProps) {
  const texts = useCompetitionTexts();
  const { desk } = texts;
  const columns: readonly Column<EntryRow>[] = [
    { name: 'name', title: texts.trader, cell: ({ name }) => name },
    { name: 'team', title: texts.team, cell: ({ team }) => team },
    {
      name: 'account',
      title: desk.account,
      cell: ({ accountId }) => <a href={`#accounts/${accountId}`}>{accountId}</a>,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{desk.edit}</span>,
      cell: (entry) => (
        <span className="actions">
          <Act
            aria-label={desk.editOf(entry.name)}
            onClick={() => onAction({ kind: 'edit', entry })}
          >
            {desk.edit}
          </Act>
          <Act
            aria-label={desk.takeOutOf(entry.name)}
            onClick={() => onAction({ kind: 'remove', entry })}
          >
            {desk.takeOut}
          </Act>
        </span>
      ),
    },
  ];
  return (
    <Table
      label={desk.entries}
      columns={columns}
      rows={entries}
      keyOf={({ entryId }) => entryId}
      empty={desk.noEntries}
    />
  );
}

interface DialogProps {
  readonly competitionId: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function listOf(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function AddDialog({ competitionId, onDone, onClose }: DialogProps) {
  const { desk } = useCompetitionTexts();
  const [accounts, setAccounts] = useState('');
  const [people, setPeople] = useState('');
  const [team, setTeam] = useState('');
  const run = async (): Promise<string> => {
    const asked = { accounts: listOf(accounts), people: listOf(people), team: team.trim() };
    await operator.call(admin.addEntries, { competition: competitionId, ...asked });
    onDone();
    return desk.added;
  };
  return (
    <ActionDialog title={desk.add} action={desk.add} {...{ run, onClose }}>
      <Field label={desk.accounts} value={accounts} onValue={setAccounts} />
      <Field label={desk.people} value={people} onValue={setPeople} />
      <Field label={desk.team} value={team} onValue={setTeam} />
      <p className="remark">{desk.addMeans}</p>
    </ActionDialog>
  );
}

function EditDialog({
  entry,
  competitionId,
  onDone,
  onClose,
}: DialogProps & { readonly entry: EntryRow }) {
  const texts = useCompetitionTexts();
  const [name, setName] = useState(entry.name);
  const [team, setTeam] = useState(entry.team);
  const run = async (): Promise<string> => {
    const asked = { name: name.trim(), team: team.trim() };
    await operator.call(admin.changeEntry, {
      competition: competitionId,
      entry: entry.entryId,
      ...asked,
    });
    onDone();
    return texts.desk.saved;
  };
  const { edit, editOf, team: teamLabel } = texts.desk;
  return (
    <ActionDialog title={editOf(entry.name)} action={edit} {...{ run, onClose }}>
      <Field label={texts.trader} value={name} onValue={setName} required />
      <Field label={teamLabel} value={team} onValue={setTeam} />
    </ActionDialog>
  );
}

function RemoveDialog({
  entry,
  competitionId,
  onDone,
  onClose,
}: DialogProps & { readonly entry: EntryRow }) {
  const { desk } = useCompetitionTexts();
  const run = async (): Promise<string> => {
    await operator.call(admin.removeEntry, { competition: competitionId, entry: entry.entryId });
    onDone();
    return desk.takenOut;
  };
  return (
    <ActionDialog
      title={desk.takeOutOf(entry.name)}
      action={desk.takeOut}
      question={desk.takeOutQuestion(entry.name)}
      {...{ run, onClose }}
    />
  );
}
