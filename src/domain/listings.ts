/**
 * What is listed, as a fold over listing events. The engine keeps one as its state; readers outside
 * keep their own, fed with released events, so that no listing is visible that a crash could undo.
 */
import { assert } from '#kernel';
import type { Asset } from './asset.ts';
import type { Contract } from './contract.ts';
import type { Event, ListingEvent } from './event.ts';
import type { SpotInstrument } from './instrument.ts';
import { compactSymbol, isOfContract } from './symbols.ts';
import type { AssetId, InstrumentId } from './units.ts';

export class Listings {
  #assets: Asset[] = [];
  #assetByCode = new Map<string, Asset>();
  #assetByCoinId = new Map<number, Asset>();
  /** Pairs and contracts share one sequence of ids; index is the instrument id. */
  #instruments: (SpotInstrument | Contract)[] = [];
  /** By the compact form of the symbol. */
  #spotByName = new Map<string, SpotInstrument>();
  #contractByName = new Map<string, Contract>();
  #contracts = new Map<string, Contract>();
  #spot: readonly SpotInstrument[] = [];

  get assets(): readonly Asset[] {
    return this.#assets;
  }

  /** Every pair, by its id. */
  get spot(): readonly SpotInstrument[] {
    return this.#spot;
  }

  /** Every pair and contract, by its id. */
  get instruments(): readonly (SpotInstrument | Contract)[] {
    return this.#instruments;
  }

  /** Pairs and contracts listed so far; the next one gets this number as its id. */
  get instrumentsCount(): number {
    return this.#instruments.length;
  }

  /** By symbol, in the order of their ids. */
  get contracts(): ReadonlyMap<string, Contract> {
    return this.#contracts;
  }

  asset(assetId: AssetId): Asset | undefined {
    return this.#assets[assetId];
  }

  assetByCode(code: string): Asset | undefined {
    return this.#assetByCode.get(code);
  }

  assetByCoinId(coinId: number): Asset | undefined {
    return this.#assetByCoinId.get(coinId);
  }

  spotById(instrumentId: InstrumentId): SpotInstrument | undefined {
    const found = this.#instruments[instrumentId];
    return found !== undefined && 'base' in found ? found : undefined;
  }

  contractById(instrumentId: InstrumentId): Contract | undefined {
    const found = this.#instruments[instrumentId];
    return found !== undefined && 'margin' in found ? found : undefined;
  }

  /** By its symbol, also in compact form: BTCUSDT. */
  spotBySymbol(symbol: string): SpotInstrument | undefined {
    return isOfContract(symbol) ? undefined : this.#spotByName.get(compactSymbol(symbol));
  }

  /** By its symbol, also in compact form: BTCUSDT-PERP. */
  contract(symbol: string): Contract | undefined {
    return isOfContract(symbol) ? this.#contractByName.get(compactSymbol(symbol)) : undefined;
  }

  apply(event: Event): void {
    if (event.kind === 'asset_listed') this.#addAsset(event.asset);
    else if (event.kind === 'asset_updated') this.#setAsset(event.asset);
    else if (event.kind === 'spot_listed') this.#setSpot(event.instrument);
    else if (event.kind === 'spot_updated') this.#setSpot(event.instrument);
    else if (event.kind === 'contract_listed') this.#setContract(event.contract);
    else if (event.kind === 'contract_updated') this.#setContract(event.contract);
  }

  /** Takes over what another one knows, which is not used again: readers hold on to this one. */
  become(other: Listings): void {
    this.#assets = other.#assets;
    this.#assetByCode = other.#assetByCode;
    this.#assetByCoinId = other.#assetByCoinId;
    this.#instruments = other.#instruments;
    this.#spotByName = other.#spotByName;
    this.#contractByName = other.#contractByName;
    this.#contracts = other.#contracts;
    this.#spot = other.#spot;
  }

  #addAsset(asset: Asset): void {
    assert(asset.assetId === this.#assets.length, 'assets are listed in the order of their ids');
    this.#setAsset(asset);
  }

  /** Pairs and contracts hold what never changes of a coin: they need not be listed anew. */
  #setAsset(asset: Asset): void {
    this.#assets[asset.assetId] = asset;
    this.#assetByCode.set(asset.code, asset);
    this.#assetByCoinId.set(asset.coinId, asset);
  }

  #setSpot(instrument: SpotInstrument): void {
    this.#set(instrument);
    this.#spotByName.set(compactSymbol(instrument.symbol), instrument);
    this.#spot = this.#instruments.filter((found) => 'base' in found);
  }

  #setContract(contract: Contract): void {
    this.#set(contract);
    this.#contracts.set(contract.symbol, contract);
    this.#contractByName.set(compactSymbol(contract.symbol), contract);
  }

  #set(instrument: SpotInstrument | Contract): void {
    const { instrumentId } = instrument;
    assert(instrumentId <= this.#instruments.length, 'instruments are listed in id order');
    this.#instruments[instrumentId] = instrument;
  }
}

/** The events that lead to these listings as they are now. */
export function* listingEvents({ assets, instruments }: Listings): Generator<ListingEvent> {
  for (const asset of assets) yield { kind: 'asset_listed', asset };
  for (const one of instruments) {
    if ('base' in one) yield { kind: 'spot_listed', instrument: one };
    else yield { kind: 'contract_listed', contract: one };
  }
}

/** The linear contracts whose margin is in a coin, by their ids. */
export function linearContractsOf(
  { contracts }: Pick<Listings, 'contracts'>,
  assetId: AssetId,
): Contract[] {
  return [...contracts.values()].filter(
    ({ kind, margin }) => kind === 'linear' && margin.assetId === assetId,
  );
}
