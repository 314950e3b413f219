/** Names and decimal places of what rows of the history have by number. */
import { formatId } from '#dialects';
import type { AccountId, AssetId, InstrumentId } from '#domain';
import { present } from '#kernel';
import type { Names } from '#venue';
import { type Decimal, decimal } from './columns.ts';

export class Catalogue {
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  account(id: AccountId): string {
    return this.#names.accounts.get(id) ?? String(id);
  }

  coin(id: AssetId): string {
    return this.#asset(id).code;
  }

  /** An amount of a coin. */
  amount(id: AssetId, units: bigint): Decimal {
    return decimal(units, this.#asset(id).scale);
  }

  symbol(id: InstrumentId): string {
    return this.#market(id).symbol;
  }

  price(id: InstrumentId, ticks: number): Decimal {
    return decimal(ticks, this.#market(id).priceScale);
  }

  size(id: InstrumentId, lots: number): Decimal {
    return decimal(lots, this.#market(id).quantityScale);
  }

  /** What a pair trades, and in units of what. */
  pair(id: InstrumentId) {
    const market = this.#market(id);
    const pair = present('baseUnitsPerLot' in market ? market : undefined, 'pair');
    const { base, quote, baseUnitsPerLot } = pair;
    return { base: base.assetId, quote: quote.assetId, baseUnitsPerLot };
  }

  /** The coin of a contract's money. */
  margin(id: InstrumentId): AssetId {
    const market = this.#market(id);
    return present('margin' in market ? market : undefined, 'contract').margin.assetId;
  }

  /** The coin that the value of a trade is in. */
  valued(id: InstrumentId): AssetId {
    return 'margin' in this.#market(id) ? this.margin(id) : this.pair(id).quote;
  }

  #asset(id: AssetId) {
    return present(this.#names.assets[id], `coin ${id}`);
  }

  #market(id: InstrumentId) {
    return present(this.#names.instruments[id], `market ${id}`);
  }
}

/** As the API shows it. */
export function idText(id: number): string {
  return formatId(id);
}
