/** One competition: what is done with it as a whole, its rounds, participants and codes. */

import { useState } from 'react';
import { admin } from '#client';
import { Mark, Refusal, Section } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { Codes } from './codes.tsx';
import { Entries } from './entries.tsx';
import { Rounds } from './rounds.tsx';
import { TermsDialog } from './terms-dialog.tsx';

const EVERY_MS = 1_000;

export function CompetitionPage({ competitionId }: { readonly competitionId: string }) {
  const { desk } = useCompetitionTexts();
  const { data, failure, reload } = useLoaded(
    admin.competition,
    { competition: competitionId },
    EVERY_MS,
  );
  const hasCodes = data !== undefined && (data.joinBy === 'code' || data.codes.length > 0);
  return (
    <div className="ops-page">
      <Section
        title={data?.name ?? desk.list}
        actions={
          data === undefined ? null : (
            <Whole seen={data} competitionId={competitionId} onDone={reload} />
          )
        }
      >
        <Refusal failure={failure} />
        {data === undefined ? null : <About seen={data} />}
      </Section>
      <Rounds competitionId={competitionId} seen={data} onDone={reload} />
      {hasCodes ? <Codes competitionId={competitionId} codes={data.codes} onDone={reload} /> : null}
      <Entries competitionId={competitionId} entries={data?.entries} onDone={reload} />
    </div>
  );
}

/** What it is about and by which terms it goes, in one paragraph. */
function About({ seen }: { readonly seen: admin.CompetitionAnswer }) {
  const { desk } = useCompetitionTexts();
  const money = seen.money.map(({ amount, coin, wallet }) => {
    return `${amount} ${coin} (${wallet === 'margin' ? desk.wallets.margin : desk.wallets.spot})`;
  });
  const facts = [
    `${desk.money}: ${money.join(' + ')}`,
    `${desk.rankBy}: ${desk.rankings[seen.rankBy]}`,
    `${desk.joinBy}: ${desk.joinModes[seen.joinBy]}`,
    `${desk.shown}: ${seen.isPublic ? desk.public : desk.private}`,
  ];
  return (
    <div className="stack ops-about">
      {seen.isCancelled ? <Mark tone="fault">{desk.isCancelled}</Mark> : null}
      {seen.description === '' ? null : <p>{seen.description}</p>}
      <p className="remark">{facts.join(' · ')}</p>
    </div>
  );
}

interface WholeProps {
  readonly seen: admin.CompetitionAnswer;
  readonly competitionId: string;
  readonly onDone: () => void;
}

function Whole({ seen, competitionId, onDone }: WholeProps) {
  const { desk } = useCompetitionTexts();
  const [asked, setAsked] = useState<'terms' | 'cancel' | 'remove'>();
  const close = (): void => setAsked(undefined);
  const remove = async (): Promise<string> => {
    await operator.call(admin.removeCompetition, { competition: competitionId });
    go('competitions');
    return desk.removed;
  };
  const cancel = async (): Promise<string> => {
    await operator.call(admin.cancelCompetition, { competition: competitionId });
    onDone();
    return desk.cancelled(seen.name);
  };
  return (
    <>
      <a className="button" href="#competitions">
        {desk.back}
      </a>
      <a className="button" href={watchOf(seen)} target="_blank" rel="noreferrer">
        {desk.watch}
      </a>
      <Act onClick={() => setAsked('terms')}>{desk.terms}</Act>
      {seen.isCancelled ? null : <Act onClick={() => setAsked('cancel')}>{desk.cancelAll}</Act>}
      <Act onClick={() => setAsked('remove')}>{desk.remove}</Act>
      {asked === 'terms' ? (
        <TermsDialog {...{ seen, competitionId, onDone }} onClose={close} />
      ) : null}
      {asked === 'cancel' ? (
        <ActionDialog
          title={desk.cancelAll}
          action={desk.cancelAll}
          question={desk.cancelQuestion(seen.name)}
          run={cancel}
          onClose={close}
        />
      ) : null}
      {asked === 'remove' ? (
        <ActionDialog
          title={desk.remove}
          action={desk.remove}
          question={desk.removeQuestion(seen.name)}
          run={remove}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** The public page at the newest round. */
function watchOf({ competitionId, rounds }: admin.CompetitionAnswer): string {
  const last = rounds.at(-1);
  return last === undefined ? '/competition' : `/competition#${competitionId}/${last.number}`;
}
