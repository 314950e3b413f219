/** The market data's door for tests: series and depths held against naive ones, edge by edge. */
export { DEPTH_STEPS, Depth } from './depth.ts';
export { type Level, PriceLevels } from './levels.ts';
export { CandleSeries } from './series.ts';
