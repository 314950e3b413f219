/** Door of the public part of the terminal: market data, without signing in. */
import './market.css';

export { Book } from './book.tsx';
export { Chart } from './chart.tsx';
export { DepthChart } from './depth-chart.tsx';
export { MarketFacts } from './market-facts.tsx';
export { useMarketName } from './market-name.ts';
export { MarketSelector } from './market-selector.tsx';
export { MarketStar } from './market-star.tsx';
export { Trades } from './trades.tsx';
export { Watchlist } from './watchlist.tsx';
