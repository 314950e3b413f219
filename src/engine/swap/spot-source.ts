/**
 * A pair of this venue as the source of an index price. It counts with what an impact notional
 * would trade at on both sides, so that moving it takes as much money as the contract says.
 */
import { type BookLevel, INDEX_IMPACT_SCALE, LIMITS, type SpotInstrument } from '#domain';
import type { State } from '../state.ts';
import type { SwapMarket } from './market.ts';

/** A book this wide, as a part of twice its middle, has no price to speak of: 1 %. */
const SPREAD_PARTS = 100n;
/** A notional that takes more levels than this counts as depth that is not there. */
const IMPACT_LEVELS_MAX = 1_000;
/** Above this the sums of one walk might be no safe integers. */
const TICK_LOTS_MAX = 2 ** 52;

/** The result of a walk along one side: its average price is tickLots / lots. */
interface Walked {
  readonly tickLots: bigint;
  readonly lots: bigint;
}

/**
 * The middle between the average prices of the impact notional in ticks of the contract, while both
 * sides hold it and are close.
 */
export function spotPrice(state: State, market: SwapMarket, symbol: string): number | undefined {
  const pair = state.listings.spotBySymbol(symbol);
  if (pair === undefined || pair.status !== 'online') return undefined;
  const book = state.market(pair.instrumentId)?.book;
  const wanted = tickLotsOf(pair, market.contract.indexImpact);
  const bid = walk(book?.levels('buy') ?? [], wanted);
  const ask = walk(book?.levels('sell') ?? [], wanted);
  if (bid === undefined || ask === undefined) return undefined;
  const [bids, asks] = [bid.tickLots * ask.lots, ask.tickLots * bid.lots];
  if ((asks - bids) * SPREAD_PARTS * 2n > asks + bids) return undefined;
  const numerator = (bids + asks) * 10n ** BigInt(market.contract.priceScale);
  const denominator = 2n * bid.lots * ask.lots * 10n ** BigInt(pair.priceScale);
  const middle = Number((2n * numerator + denominator) / (2n * denominator));
  return middle > 0 && middle <= LIMITS.indexTicksMax ? middle : undefined;
}

/** The notional in price ticks times lots of the pair, rounded up. */
function tickLotsOf({ quote, quoteUnitsPerTickLot }: SpotInstrument, impact: bigint): number {
  const scale = 10n ** BigInt(INDEX_IMPACT_SCALE) * quoteUnitsPerTickLot;
  return Number((impact * 10n ** BigInt(quote.scale) + scale - 1n) / scale);
}

/** Takes the notional from the levels, or the best price when none is asked for. */
function walk(levels: Iterable<BookLevel>, wanted: number): Walked | undefined {
  if (wanted > TICK_LOTS_MAX) return undefined;
  let [tickLots, lots, levelsCount] = [0, 0, 0];
  for (const level of levels) {
    levelsCount += 1;
    if (levelsCount > IMPACT_LEVELS_MAX) return undefined;
    const { priceTicks } = level;
    const missing = Math.max(1, Math.ceil((wanted - tickLots) / priceTicks));
    const taken = Math.min(missing, level.lots);
    tickLots += taken * priceTicks;
    lots += taken;
    if (taken === missing) return { tickLots: BigInt(tickLots), lots: BigInt(lots) };
  }
  return undefined;
}
