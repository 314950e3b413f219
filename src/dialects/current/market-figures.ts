/**
 * The numbers of a market as text, of pairs and contracts alike: prices with the decimals of the
 * listing, sizes in base coin and values in quote coin, exact and trimmed.
 */
import {
  type Amount,
  type Contract,
  type Lots,
  type SpotInstrument,
  type Ticks,
  tickLots,
} from '#domain';
import { formatDecimal, formatTrimmed } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { lotSizeOf } from '../kit/base-size.ts';

/** Decimals of an average price. */
const AVERAGE_DECIMALS = 8;

/** What the two kinds of markets differ in. */
interface Units {
  readonly priceScale: number;
  /** One lot is `lotUnit` times 10^-lotScale base coin. */
  readonly lotUnit: bigint;
  readonly lotScale: number;
  readonly amountScale: number;
  /** Amount units of one tick times one lot. */
  readonly tickLotValue: bigint;
}

export class MarketFigures {
  readonly #units: Units;

  constructor(market: SpotInstrument | Contract) {
    this.#units = 'base' in market ? unitsOfPair(market) : unitsOfContract(market);
  }

  /** 0 for none. */
  price(price: Ticks): string {
    return priceText(price, this.#units);
  }

  /** A difference of prices. */
  change(ticks: number): string {
    return ticks === 0 ? '0' : formatDecimal(ticks, this.#units.priceScale);
  }

  size(size: Lots | bigint): string {
    const { lotUnit, lotScale } = this.#units;
    return formatTrimmed(lotUnit === 1n ? size : BigInt(size) * lotUnit, lotScale);
  }

  amount(amount: Amount): string {
    return formatTrimmed(amount, this.#units.amountScale);
  }

  value(price: Ticks, size: Lots): string {
    return this.tickLotsValue(tickLots(size, price));
  }

  /** The value of many fills: the sum of their prices times sizes. */
  tickLotsValue(tickLots: bigint): string {
    return this.amount(tickLots * this.#units.tickLotValue);
  }

  /** What a unit of base coin was traded for in mean, cut after its last decimal; 0 for nothing. */
  average(amount: Amount, size: Lots): string {
    if (size === 0) return '0';
    const { lotUnit, lotScale, amountScale } = this.#units;
    const scaled = amount * 10n ** BigInt(AVERAGE_DECIMALS + lotScale);
    const average = scaled / (BigInt(size) * lotUnit * 10n ** BigInt(amountScale));
    return formatTrimmed(average, AVERAGE_DECIMALS);
  }
}

const known = new WeakMap<SpotInstrument | Contract, MarketFigures>();

/** The figures of a market, made once: an answer may have many rows of it. */
export function figuresOf(market: SpotInstrument | Contract): MarketFigures {
  const made = known.get(market);
  if (made !== undefined) return made;
  const figures = new MarketFigures(market);
  known.set(market, figures);
  return figures;
}

function unitsOfPair(pair: SpotInstrument): Units {
  return {
    priceScale: pair.priceScale,
    lotUnit: 1n,
    lotScale: pair.quantityScale,
    amountScale: pair.quote.scale,
    tickLotValue: pair.quoteUnitsPerTickLot,
  };
}

/** Of linear contracts, whose margin coin is their quote coin. */
function unitsOfContract(contract: Contract): Units {
  const { units, scale } = lotSizeOf(contract);
  return {
    priceScale: contract.priceScale,
    lotUnit: units,
    lotScale: scale,
    amountScale: contract.margin.scale,
    tickLotValue: contract.valueFactor,
  };
}
