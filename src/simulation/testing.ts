/**
 * The simulation's door for tests: how a trader decides, a ladder is planned and a price moves, for
 * figures that a running market does not reach on demand.
 */
export { planContractLadder } from './contract-ladder.ts';
export { levelPrice, missingLots, standingGrid } from './grid.ts';
export { skewed } from './ladder.ts';
export { type CoinPath, PriceBoard } from './paths/price-board.ts';
export { RecordedPath } from './paths/recorded-path.ts';
export { Shape } from './shape.ts';
export { heavyTailed } from './tail.ts';
export { Mood } from './traders/mood.ts';
export { spotOrder } from './traders/orders.ts';
export { Averages, type TraderStyle, wishOf } from './traders/styles.ts';
