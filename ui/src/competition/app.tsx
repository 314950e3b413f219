/** The page of competitions: the leaderboard of one round, live, for a projector and a phone. */
import { callerOf, competition, type Endpoint, targetOf } from '#client';
import { Select, Skeleton, Time } from '../look/mod.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useStore } from '../store/store.ts';
import { type Loaded, useReading } from '../store/use-reading.ts';
import { useCompetitionTexts } from '../texts/competition.ts';
import { Teams, Traders } from './board.tsx';
import { Curves } from './curves.tsx';
import { go, place, type ShownPlace } from './place.ts';
import { TimeLeft } from './time-left.tsx';
import './competition.css';

const LIST_EVERY_MS = 5_000;
const BOARD_EVERY_MS = 1_000;
const CURVES_EVERY_MS = 3_000;

const call = callerOf({ url: '' });

function useLive<Input, Answer>(
  endpoint: Endpoint<Input, Answer>,
  input: NoInfer<Input>,
  everyMs: number,
): Loaded<Answer> {
  return useReading(() => call(endpoint, input), targetOf(endpoint, input), everyMs);
}

export function App() {
  const { data, failure } = useLive(competition.shownCompetitions, {}, LIST_EVERY_MS);
  const list = data ?? (failure === undefined ? undefined : []);
  const chosen = useStore(place);
  const shown = chosen ?? newestOf(list);
  return (
    <div className="competition">
      <PageHead page="competition" middle={<Choice list={list} shown={shown} />} />
      <main className="competition-main" tabIndex={-1}>
        {shown === undefined ? (
          <Nothing isLoading={list === undefined} />
        ) : (
          <Round shown={shown} listed={listedOf(list, shown)} />
        )}
      </main>
    </div>
  );
}

/** The last round of the newest competition that has one. */
function newestOf(list: readonly competition.ShownCompetitionsRow[] = []): ShownPlace | undefined {
  for (const { competitionId, rounds } of list) {
    const last = rounds.at(-1);
    if (last !== undefined) return { competitionId, round: last.number };
  }
  return undefined;
}

function listedOf(
  list: readonly competition.ShownCompetitionsRow[] = [],
  { competitionId }: ShownPlace,
) {
  return list.find((one) => one.competitionId === competitionId);
}

function Nothing({ isLoading }: { readonly isLoading: boolean }) {
  const texts = useCompetitionTexts();
  if (isLoading) return <Skeleton lines={6} />;
  return (
    <section className="panel competition-none">
      <h1>{texts.none}</h1>
      <p>{texts.noneMeans}</p>
    </section>
  );
}

interface ChoiceProps {
  readonly list: readonly competition.ShownCompetitionsRow[] | undefined;
  readonly shown: ShownPlace | undefined;
}

function Choice({ list = [], shown }: ChoiceProps) {
  const texts = useCompetitionTexts();
  const choices = list.flatMap(({ competitionId, name, rounds }) =>
    rounds.map((round) => {
      const text = `${name}, ${texts.round(round.number, round.name)}`;
      return [`${competitionId}/${round.number}`, text] as const;
    }),
  );
  if (shown === undefined || choices.length < 2) return null;
  const value = `${shown.competitionId}/${shown.round}`;
  const choose = (text: string): void => {
    const [competitionId = '', round] = text.split('/');
    go({ competitionId, round: Number(round) });
  };
  return <Select label={texts.choose} isLabelHidden {...{ value, choices }} onValue={choose} />;
}

interface RoundProps {
  readonly shown: ShownPlace;
  readonly listed: competition.ShownCompetitionsRow | undefined;
}

function Round({ shown: { competitionId, round }, listed }: RoundProps) {
  const asked = { competition: competitionId, round };
  const { data: board } = useLive(competition.leaderboard, asked, BOARD_EVERY_MS);
  const { data: curves } = useLive(competition.curves, asked, CURVES_EVERY_MS);
  const file = `${targetOf(competition.leaderboard, asked)}.csv`;
  return (
    <div className="competition-page">
      {board === undefined ? <Skeleton lines={2} /> : <Head {...{ board, file, listed }} />}
      <div className="competition-columns">
        <Traders board={board} />
        <div className="competition-side">
          <Teams board={board} />
          {board === undefined || curves === undefined ? null : (
            <Curves round={board.round} curves={curves} />
          )}
        </div>
      </div>
    </div>
  );
}

interface HeadProps {
  readonly board: competition.LeaderboardAnswer;
  /** Address of the leaderboard as CSV. */
  readonly file: string;
  readonly listed: competition.ShownCompetitionsRow | undefined;
}

function Head({ board, file, listed }: HeadProps) {
  const texts = useCompetitionTexts();
  const { name, description, round, sampleTime } = board;
  const isCancelled = listed?.isCancelled === true;
  return (
    <header className="panel competition-head">
      <div className="competition-title">
        <h1>{name}</h1>
        <p>
          {texts.round(round.number, round.name)}
          <span className={`competition-state competition-${round.state}`}>
            {texts.states[round.state]}
          </span>
          {isCancelled ? (
            <span className="competition-state">{texts.competitionCancelled}</span>
          ) : null}
        </p>
        {description === '' ? null : <p className="competition-about">{description}</p>}
      </div>
      <TimeLeft board={board} />
      <p className="competition-updated">
        {sampleTime === null ? null : (
          <>
            {texts.updated} <Time at={Number(sampleTime)} shape="clock" />
          </>
        )}
        {listed === undefined || listed.joinBy === 'operator' || isCancelled ? null : (
          <a className="button" href={`/account#competition=${listed.competitionId}`}>
            {texts.joinIt}
          </a>
        )}
        <a className="button" href={file} download>
          {texts.csv}
        </a>
      </p>
    </header>
  );
}
