/** Second door of competitions, for tests: parts that are worth tests of their own. */
export { boardRows, type Standing } from './board.ts';
export { notReady, targetsOf } from './level.ts';
export { intervalOf } from './limits.ts';
export { ranked, SCORE_SCALE, Score, SHARPE_RETURNS_MIN, YEAR_MS } from './score.ts';
export { thinned } from './spectators.ts';
