/** The leaderboard of a round as CSV, for whoever may see it: a file, in no frame. */
import type { FastifyInstance } from 'fastify';
import type { BoardRow, SeenRound, Spectators } from '#competition';
import { isRefused } from '#domain';
import { csvCell, csvRecord } from '#kernel';
import { PUBLIC_BASE } from './context.ts';
import { roundIn } from './public.ts';

const PATH = `${PUBLIC_BASE}/competitions/:competition/rounds/:round/leaderboard.csv`;
const COLUMNS = [
  'kind',
  'rank',
  'number',
  'name',
  'team',
  'equity',
  'return',
  'drawdown',
  'sharpe',
  'trades',
] as const;

export function addLeaderboardCsv(app: FastifyInstance, spectators: Spectators): void {
  app.get<{ Params: Readonly<Record<string, string | undefined>> }>(
    PATH,
    async (request, reply) => {
      const seen = await roundIn({ spectators }, request.params);
      if (isRefused(seen)) {
        const isBusy = seen.reject === 'venue_busy';
        const text = isBusy ? 'The venue is overloaded, try again shortly.\n' : NO_ROUND;
        return reply
          .code(isBusy ? 503 : 404)
          .type('text/plain')
          .send(text);
      }
      return reply
        .header(
          'content-disposition',
          `attachment; filename="leaderboard-${seen.round.number}.csv"`,
        )
        .header('cache-control', 'no-store')
        .type('text/csv; charset=utf-8')
        .send(writtenOnce(seen));
    },
  );
}

const NO_ROUND = 'There is no such round.\n';

/** Written files, as long as somebody is shown what they are of. */
const WRITTEN = new WeakMap<SeenRound, string>();

function writtenOnce(seen: SeenRound): string {
  const { traders = [], teams = [] } = seen.board ?? {};
  const written =
    WRITTEN.get(seen) ??
    [
      csvRecord(COLUMNS),
      ...traders.map((row) => lineOf('trader', row)),
      ...teams.map((row) => lineOf('team', row)),
    ].join('');
  WRITTEN.set(seen, written);
  return written;
}

function lineOf(kind: 'trader' | 'team', row: BoardRow): string {
  const { rank, number, name, team, equity, drawdown, sharpe, trades } = row;
  const gained = row.return;
  const [shown, group] = [name || 'Deleted trader', team].map(csvCell);
  return `${[kind, rank, number, shown, group, equity, gained, drawdown, sharpe, trades]}\r\n`;
}
