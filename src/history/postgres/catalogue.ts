/**
 * What the views of operators need to show rows in words and decimals: coins, markets and accounts
 * as the venue has listed and named them. No page is made of these tables.
 */
import {
  type Asset,
  accountId,
  assetId,
  type Contract,
  type Event,
  instrumentId,
  type SpotInstrument,
  type Step,
} from '#domain';
import { NUMBER, type RecordOf, Table, text, whole } from '../tables/table.ts';
import type { BulkUpsert } from './bulk.ts';

export const COINS = new Table('coins', ['asset_id'], {
  asset_id: whole(assetId),
  code: text(),
  /** Decimal places of the smallest unit. */
  scale: NUMBER,
});

export const MARKETS = new Table('markets', ['instrument_id'], {
  instrument_id: whole(instrumentId),
  symbol: text(),
  kind: text<'spot' | Contract['kind']>(),
  /** Decimal places of a price and of a size. */
  price_scale: NUMBER,
  size_scale: NUMBER,
  /** The coin of a contract's margin, a pair's quote coin. */
  asset_id: whole(assetId),
});

export const ACCOUNTS = new Table('accounts', ['account_id'], {
  account_id: whole(accountId),
  name: text(),
});

/** Where the rows go. The newest of one key is kept. */
export interface CatalogueRows {
  readonly coins: BulkUpsert<(typeof COINS)['columns']>;
  readonly markets: BulkUpsert<(typeof MARKETS)['columns']>;
  readonly accounts: BulkUpsert<(typeof ACCOUNTS)['columns']>;
}

export function addCatalogue(steps: readonly Step[], rows: CatalogueRows): void {
  for (const { events } of steps) for (const event of events) add(event, rows);
}

function add(event: Event, { coins, markets, accounts }: CatalogueRows): void {
  if (event.kind === 'asset_listed') coins.put(event.asset.assetId, coinOf(event.asset));
  else if (event.kind === 'spot_listed' || event.kind === 'spot_updated')
    markets.put(event.instrument.instrumentId, pairOf(event.instrument));
  else if (event.kind === 'contract_listed' || event.kind === 'contract_updated')
    markets.put(event.contract.instrumentId, contractOf(event.contract));
  else if (event.kind === 'account_created' || event.kind === 'account_updated')
    accounts.put(event.accountId, { accountId: event.accountId, name: event.settings.name });
}

function coinOf({ assetId: id, code, scale }: Asset): RecordOf<typeof COINS> {
  return { assetId: id, code, scale };
}

function pairOf(pair: SpotInstrument): RecordOf<typeof MARKETS> {
  const { instrumentId: id, symbol, priceScale, quantityScale: sizeScale, quote } = pair;
  return { instrumentId: id, symbol, kind: 'spot', priceScale, sizeScale, assetId: quote.assetId };
}

function contractOf(contract: Contract): RecordOf<typeof MARKETS> {
  const { instrumentId: id, symbol, kind, priceScale, quantityScale: sizeScale, margin } = contract;
  return { instrumentId: id, symbol, kind, priceScale, sizeScale, assetId: margin.assetId };
}
