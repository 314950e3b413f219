/** One competition: what is done with it as a whole, its participants and its rounds. */
import { useState } from 'react';
import type { CompetitionSeen } from '#dialects';
import { OnceDialog } from '../../account/home/once-dialog.tsx';
import { Button, Refusal, Section } from '../../look/mod.ts';
import { useCompetitionTexts } from '../../texts/competition.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { Entries } from './entries.tsx';
import { COMPETITIONS } from './path.ts';
import { Rounds } from './rounds.tsx';

const EVERY_MS = 1_000;

export function CompetitionPage({ competitionId }: { readonly competitionId: string }) {
  const { desk } = useCompetitionTexts();
  const path = `${COMPETITIONS}/${competitionId}`;
  const { data, failure, reload } = useLoaded<CompetitionSeen>(path, EVERY_MS);
  return (
    <div className="ops-page">
      <Section
        title={data?.name ?? desk.list}
        actions={data === undefined ? null : <Whole seen={data} path={path} onDone={reload} />}
      >
        <Refusal failure={failure} />
      </Section>
      <Rounds path={path} rounds={data?.rounds} onDone={reload} />
      <Entries path={path} entries={data?.entries} onDone={reload} />
    </div>
  );
}

interface WholeProps {
  readonly seen: CompetitionSeen;
  readonly path: string;
  readonly onDone: () => void;
}

function Whole({ seen, path, onDone }: WholeProps) {
  const { desk } = useCompetitionTexts();
  const [asked, setAsked] = useState<'remove' | 'drop'>();
  const [code, setCode] = useState<string>();
  const close = (): void => setAsked(undefined);
  const make = async (): Promise<void> => {
    const made = await operator.call<{ code: string }>('POST', `${path}/join-code`, {});
    setCode(made.code);
    onDone();
  };
  const remove = async (): Promise<string> => {
    await operator.call('DELETE', path);
    go('competitions');
    return desk.removed;
  };
  const drop = async (): Promise<string> => {
    await operator.call('DELETE', `${path}/join-code`);
    onDone();
    return desk.dropped;
  };
  return (
    <>
      <a className="button" href="#competitions">
        {desk.back}
      </a>
      <a className="button" href={watchOf(seen)} target="_blank" rel="noreferrer">
        {desk.watch}
      </a>
      <Button onClick={() => void make()}>{desk.makeCode}</Button>
      {seen.hasJoinCode ? <Button onClick={() => setAsked('drop')}>{desk.dropCode}</Button> : null}
      <Button onClick={() => setAsked('remove')}>{desk.remove}</Button>
      {code === undefined ? null : (
        <OnceDialog
          title={desk.codeOnce}
          means={desk.codeOnceMeans}
          parts={[[desk.code, code]]}
          onClose={() => setCode(undefined)}
        />
      )}
      {asked === 'remove' ? (
        <ActionDialog
          title={desk.remove}
          action={desk.remove}
          question={desk.removeQuestion(seen.name)}
          run={remove}
          onClose={close}
        />
      ) : null}
      {asked === 'drop' ? (
        <ActionDialog
          title={desk.dropCode}
          action={desk.dropCode}
          question={desk.dropQuestion}
          run={drop}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** The public page at the newest round. */
function watchOf({ competitionId, rounds }: CompetitionSeen): string {
  const last = rounds.at(-1);
  return last === undefined ? '/competition' : `/competition#${competitionId}/${last.number}`;
}
