/** The coin that contracts of the benchmarks have their margin in. */
import { type AssetSpec, USUAL_FUND_BUDGET } from '#domain';

export const MARGIN_COIN: AssetSpec = {
  coinId: 2,
  code: 'USDT',
  scale: 8,
  transferable: true,
  chains: [],
  fundBudget: USUAL_FUND_BUDGET,
};
