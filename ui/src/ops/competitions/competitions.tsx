/** Competitions on the desk: all of them, or one with its participants and rounds. */

import { useState } from 'react';
import { admin } from '#client';
import { type Column, Refusal, Section, Table } from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { Act } from '../act.tsx';
import { place } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { CompetitionPage } from './competition-page.tsx';
import { NewCompetitionDialog } from './terms-dialog.tsx';

const EVERY_MS = 5_000;

export function Competitions() {
  const competitionId = useStore(place, ({ detail }) => detail);
  if (competitionId === '') return <CompetitionList />;
  return <CompetitionPage key={competitionId} competitionId={competitionId} />;
}

function CompetitionList() {
  const { desk } = useCompetitionTexts();
  const { data, failure, reload } = useLoaded(admin.competitions, {}, EVERY_MS);
  const [isMaking, setMaking] = useState(false);
  const columns: readonly Column<admin.CompetitionsRow>[] = [
    {
      name: 'name',
      title: desk.name,
      cell: ({ name, competitionId }) => <a href={`#competitions/${competitionId}`}>{name}</a>,
    },
    { name: 'coin', title: desk.coin, cell: ({ coin }) => coin },
    { name: 'rank', title: desk.rankBy, cell: ({ rankBy }) => desk.rankings[rankBy] },
    {
      name: 'shown',
      title: desk.shown,
      cell: ({ isPublic }) => (isPublic ? desk.public : desk.private),
    },
    { name: 'join', title: desk.joinBy, cell: ({ joinBy }) => desk.joinModes[joinBy] },
    {
      name: 'state',
      title: desk.state,
      cell: ({ isCancelled }) => (isCancelled ? desk.isCancelled : ''),
    },
  ];
  return (
    <div className="ops-page">
      <Section title={desk.list} actions={<Act onClick={() => setMaking(true)}>{desk.create}</Act>}>
        <Refusal failure={failure} />
        <Table
          label={desk.list}
          columns={columns}
          rows={data}
          keyOf={({ competitionId }) => competitionId}
          empty={desk.none}
        />
      </Section>
      {isMaking ? <NewCompetitionDialog onDone={reload} onClose={() => setMaking(false)} /> : null}
    </div>
  );
}
