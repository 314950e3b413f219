/**
 * What an account owns, in one coin: positions and coins at mark prices. A coin without a contract
 * counts at the middle of its pair's book, one without either at the last price that it had.
 */
import type { AccountId, AssetId, Contract, SpotInstrument, StateReader } from '#domain';

/** Units of the target for one unit of a coin, as a fraction. */
interface Rate {
  readonly above: bigint;
  readonly below: bigint;
}

/** The rates of one moment. */
export interface Rates {
  readonly of: (coin: AssetId) => Rate | undefined;
}

export class Valuer {
  readonly #target: AssetId;
  /** Where a book has emptied since. */
  readonly #last = new Map<AssetId, Rate>();

  constructor(target: AssetId) {
    this.#target = target;
  }

  /** The rates of this state; a coin is looked up once, when it is asked for. */
  at(state: StateReader): Rates {
    const known = new Map<AssetId, Rate | undefined>();
    return {
      of: (coin) => {
        if (!known.has(coin)) known.set(coin, this.#rate(state, coin));
        return known.get(coin);
      },
    };
  }

  #rate(state: StateReader, coin: AssetId): Rate | undefined {
    if (coin === this.#target) return { above: 1n, below: 1n };
    const found = markRate(state, coin, this.#target) ?? middleRate(state, coin, this.#target);
    if (found === undefined) return this.#last.get(coin);
    this.#last.set(coin, found);
    return found;
  }
}

/** What an account owns, rounded down; a coin that never had a price counts as nothing. */
export function equityOf(state: StateReader, accountId: AccountId, rates: Rates): bigint {
  let sum = 0n;
  for (const [coin, amount] of state.owned(accountId)) sum += valueIn(amount, coin, rates);
  return sum;
}

function valueIn(amount: bigint, coin: AssetId, rates: Rates): bigint {
  const rate = rates.of(coin);
  return rate === undefined ? 0n : floorDiv(amount * rate.above, rate.below);
}

function floorDiv(above: bigint, below: bigint): bigint {
  const quotient = above / below;
  return above < 0n && quotient * below !== above ? quotient - 1n : quotient;
}

function markRate(state: StateReader, coin: AssetId, target: AssetId): Rate | undefined {
  const { listings } = state;
  const base = listings.asset(coin);
  if (base === undefined) return undefined;
  for (const contract of listings.contracts.values()) {
    if (!prices(contract, base.code, target)) continue;
    const markTicks = state.contractPrices(contract.instrumentId)?.markTicks ?? 0;
    if (markTicks === 0) continue;
    const above = BigInt(markTicks) * 10n ** BigInt(contract.margin.scale);
    return { above, below: 10n ** BigInt(contract.priceScale + base.scale) };
  }
  return undefined;
}

function prices(contract: Contract, baseCode: string, target: AssetId): boolean {
  const { kind, status, margin } = contract;
  const isOfBoth = contract.baseCode === baseCode && margin.assetId === target;
  return kind === 'linear' && status !== 'offline' && isOfBoth;
}

function middleRate(state: StateReader, coin: AssetId, target: AssetId): Rate | undefined {
  const pair = state.listings.spot.find(
    ({ base, quote }) => base.assetId === coin && quote.assetId === target,
  );
  if (pair === undefined) return undefined;
  const bid = bestOf(state, pair, 'buy');
  const ask = bestOf(state, pair, 'sell');
  const both = (bid ?? ask ?? 0) + (ask ?? bid ?? 0);
  if (both === 0) return undefined;
  const { quoteUnitsPerTickLot, baseUnitsPerLot } = pair;
  return { above: BigInt(both) * quoteUnitsPerTickLot, below: 2n * baseUnitsPerLot };
}

function bestOf(
  state: StateReader,
  { instrumentId }: SpotInstrument,
  side: 'buy' | 'sell',
): number | undefined {
  for (const { priceTicks } of state.bookLevels(instrumentId, side)) return priceTicks;
  return undefined;
}
