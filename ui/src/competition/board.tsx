/** The tables of a leaderboard: traders and teams. */
import type { competition } from '#client';
import { type Column, directionOf, Figure, Table } from '../look/mod.ts';
import { fixed, grouped, percentText, signOf } from '../model/numbers.ts';
import { useCompetitionTexts } from '../texts/competition.ts';

type BoardRow = competition.LeaderboardAnswer['traders'][number];

const EQUITY_DECIMALS = 2;
const PERCENT_DECIMALS = 2;
const SHARPE_DECIMALS = 2;

interface BoardProps {
  readonly board: competition.LeaderboardAnswer | undefined;
}

export function Traders({ board }: BoardProps) {
  const texts = useCompetitionTexts();
  const hasTeams = (board?.teams.length ?? 0) > 0;
  const team: Column<BoardRow> = { name: 'team', title: texts.team, cell: (row) => row.team };
  const columns: readonly Column<BoardRow>[] = [
    { name: 'rank', title: texts.rank, isNumber: true, cell: ({ rank }) => rank },
    {
      name: 'trader',
      title: texts.trader,
      cell: (row) => <strong>{row.name || texts.deleted}</strong>,
    },
    ...(hasTeams ? [team] : []),
    ...useFigures(texts.equity(board?.coin ?? '')),
  ];
  return (
    <section className="panel competition-board">
      <h2>{texts.traders}</h2>
      <Table
        label={texts.traders}
        columns={columns}
        rows={board?.traders}
        keyOf={({ number }) => String(number)}
        empty={texts.nobody}
      />
    </section>
  );
}

export function Teams({ board }: BoardProps) {
  const texts = useCompetitionTexts();
  const figures = useFigures(texts.average(board?.coin ?? ''));
  if (board === undefined || board.teams.length === 0) return null;
  const columns: readonly Column<BoardRow>[] = [
    { name: 'rank', title: texts.rank, isNumber: true, cell: ({ rank }) => rank },
    { name: 'team', title: texts.team, cell: (row) => <strong>{row.name}</strong> },
    { name: 'members', title: texts.members, isNumber: true, cell: (row) => row.number },
    ...figures,
  ];
  return (
    <section className="panel competition-board">
      <h2>{texts.teams}</h2>
      <Table
        label={texts.teams}
        columns={columns}
        rows={board.teams}
        keyOf={({ name }) => name}
        empty={texts.nobody}
      />
    </section>
  );
}

/** What traders and teams have alike. */
function useFigures(equity: string): readonly Column<BoardRow>[] {
  const texts = useCompetitionTexts();
  return [
    {
      name: 'equity',
      title: equity,
      isNumber: true,
      cell: (row) => <Figure text={grouped(fixed(row.equity, EQUITY_DECIMALS))} />,
    },
    {
      name: 'return',
      title: texts.return,
      isNumber: true,
      cell: (row) => (
        <Figure
          text={plus(row.return) + percentText(row.return, PERCENT_DECIMALS)}
          direction={directionOf(row.return)}
        />
      ),
    },
    {
      name: 'drawdown',
      title: texts.drawdown,
      isNumber: true,
      cell: (row) => <Figure text={percentText(row.drawdown, PERCENT_DECIMALS)} />,
    },
    {
      name: 'sharpe',
      title: <abbr title={texts.sharpeMeans}>{texts.sharpe}</abbr>,
      isNumber: true,
      cell: ({ sharpe }) => (
        <Figure text={sharpe === null ? undefined : fixed(sharpe, SHARPE_DECIMALS)} />
      ),
    },
    { name: 'trades', title: texts.trades, isNumber: true, cell: ({ trades }) => trades },
  ];
}

function plus(ratio: string): string {
  return signOf(ratio) > 0 ? '+' : '';
}
