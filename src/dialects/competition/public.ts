/** What spectators are shown of competitions. Nobody has to sign in, and a crowd costs little. */
import { BUSY, type SeenRound } from '#competition';
import { isRefused, type Refused, refuse } from '#domain';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { wholeNumber } from '../kit/request.ts';
import { jsonList, listOf } from '../kit/row.ts';
import { type CompetitionDialectContext, competitionIn, numberIn, PUBLIC_BASE } from './context.ts';
import { CURVE, LEADERBOARD, LISTED } from './rows.ts';

const ROUND_PATH = `${PUBLIC_BASE}/competitions/:competition/rounds/:round`;
const OPEN = { rate: { limit: 20, windowMs: 1_000 }, permission: 'none' } as const;

type Path = Readonly<Record<string, string | undefined>>;

/** The round that a path names, if it is shown. */
export async function roundIn(
  { spectators }: Pick<CompetitionDialectContext, 'spectators'>,
  path: Path,
): Promise<SeenRound | Refused> {
  const number = numberIn(path.round);
  if (isRefused(number)) return number;
  const seen = await spectators.round(competitionIn(path), number);
  if (seen === BUSY) return refuse('venue_busy');
  return seen ?? refuse('competition_unknown');
}

/** Written lists and leaderboards, as long as somebody is shown what they are of. */
const WRITTEN = new WeakMap<object, string>();

function writtenOnce(shown: object, write: () => string): string {
  const written = WRITTEN.get(shown) ?? write();
  WRITTEN.set(shown, written);
  return written;
}

export const SPECTATOR_ENDPOINTS = {
  shownCompetitions: publicEndpoint({
    ...OPEN,
    method: 'GET',
    path: `${PUBLIC_BASE}/competitions`,
    summary: 'Competitions that are shown, newest first, with their rounds',
    request: {},
    response: listOf(LISTED),
    answer: async ({ spectators }: CompetitionDialectContext) => {
      const listed = await spectators.list();
      if (listed === BUSY) return refuse('venue_busy');
      return writtenOnce(listed, () => jsonList(listed, LISTED.write));
    },
  }),
  leaderboard: publicEndpoint({
    ...OPEN,
    method: 'GET',
    path: `${ROUND_PATH}/leaderboard`,
    summary: 'The leaderboard of a round at its last sample; as CSV under leaderboard.csv',
    request: {},
    response: LEADERBOARD,
    answer: async (context: CompetitionDialectContext, _asked, { path, nowMs }) => {
      const seen = await roundIn(context, path);
      return isRefused(seen)
        ? seen
        : writtenOnce(seen, () => LEADERBOARD.write({ ...seen, nowMs }));
    },
  }),
  curves: publicEndpoint({
    ...OPEN,
    method: 'GET',
    path: `${ROUND_PATH}/curves`,
    summary: 'Equity over time of the best ten of a round, or of one trader; 150 points at most',
    request: { trader: wholeNumber('Number of the trader in the round') },
    response: listOf(CURVE),
    answer: async (context: CompetitionDialectContext, { trader }, { path }) => {
      const seen = await roundIn(context, path);
      if (isRefused(seen)) return seen;
      const curves = await context.spectators.curves(seen, trader);
      if (curves === BUSY) return refuse('venue_busy');
      const { coin } = seen.competition.terms;
      const scale = context.live.listings.assetByCode(coin)?.scale ?? 0;
      return jsonList(curves, (curve) => CURVE.write({ curve, scale }));
    },
  }),
} as const satisfies Record<string, PublicEndpoint<CompetitionDialectContext>>;
