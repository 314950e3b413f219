/** Door of the simulation: traders and market makers that are not clients of the API. */
export type { Ladder } from './ladder.ts';
export { MarketMaker, type MarketMakerOptions, type WarningLog } from './market-maker.ts';
export { SimulatedPast } from './past/simulated-past.ts';
export type { PathPlan } from './paths/price-board.ts';
export { SimulatedTraders, type SimulationLog, type SimulationPlan } from './simulated-traders.ts';
