/**
 * What is listed, as a fold over listing events. The engine keeps one as its state; readers outside
 * keep their own, fed with released events, so that nobody sees a listing a crash could undo.
 */
import { assert } from '#kernel';
import type { Asset } from './asset.ts';
import type { Event } from './event.ts';
import type { Contract, SpotInstrument } from './instrument.ts';
import type { AssetId, InstrumentId } from './units.ts';

export const SPOT_SUFFIX = '_SPBL';

export class Listings {
  readonly #assets: Asset[] = [];
  readonly #assetByCode = new Map<string, Asset>();
  readonly #assetByCoinId = new Map<number, Asset>();
  readonly #spot: SpotInstrument[] = [];
  readonly #spotBySymbol = new Map<string, SpotInstrument>();
  readonly #contracts = new Map<string, Contract>();

  get assets(): readonly Asset[] {
    return this.#assets;
  }

  get spot(): readonly SpotInstrument[] {
    return this.#spot;
  }

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
    return this.#spot[instrumentId];
  }

  /** Exact, canonical symbol: BTCUSDT_SPBL. */
  spotBySymbol(symbol: string): SpotInstrument | undefined {
    return this.#spotBySymbol.get(symbol);
  }

  contract(symbol: string): Contract | undefined {
    return this.#contracts.get(symbol);
  }

  apply(event: Event): void {
    if (event.kind === 'asset_listed') this.#addAsset(event.asset);
    else if (event.kind === 'spot_listed') this.#setSpot(event.instrument);
    else if (event.kind === 'spot_updated') this.#setSpot(event.instrument);
    else if (event.kind === 'contract_listed') {
      this.#contracts.set(event.contract.symbol, event.contract);
    }
  }

  #addAsset(asset: Asset): void {
    assert(asset.assetId === this.#assets.length, 'assets are listed in the order of their ids');
    this.#assets.push(asset);
    this.#assetByCode.set(asset.code, asset);
    this.#assetByCoinId.set(asset.coinId, asset);
  }

  #setSpot(instrument: SpotInstrument): void {
    assert(instrument.instrumentId <= this.#spot.length, 'pairs are listed in id order');
    this.#spot[instrument.instrumentId] = instrument;
    this.#spotBySymbol.set(instrument.symbol, instrument);
  }
}
