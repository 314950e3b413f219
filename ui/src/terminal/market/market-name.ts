/** What a market is called where it stands alone: BTC/USDT alone is a pair or a contract. */
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';

/** As in BTC/USDT Spot. */
export function useMarketName({ title, kind }: Pick<Instrument, 'title' | 'kind'>): string {
  const { market } = useTexts();
  return `${title} ${kind === 'spot' ? market.spot : market.contract}`;
}
