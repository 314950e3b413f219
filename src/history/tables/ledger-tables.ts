/** The ledger of contract wallets. */
import {
  accountId,
  assetId,
  type HoldSide,
  type InstrumentId,
  instrumentId,
  orderId,
  tradeId,
  type Wallet,
} from '#domain';
import type { LedgerKind } from '../ledger-port.ts';
import {
  AMOUNT,
  type Column,
  NUMBER,
  Table,
  text,
  textOrNone,
  whole,
  wholeOrNone,
} from './table.ts';
import type { Index, TableSet } from './table-set.ts';

/** Markets are numbered from zero, so none is below it. */
const NO_INSTRUMENT = -1;
const MARKET_OR_NONE: Column<InstrumentId | undefined, number> = {
  type: 'integer',
  write: (value) => value ?? NO_INSTRUMENT,
  read: (stored) => (stored === NO_INSTRUMENT ? undefined : instrumentId(stored)),
};

export const CONTRACT_LEDGER = new Table('contract_ledger', ['entry_id'], {
  /** In the order of the events, from 1. */
  entry_id: NUMBER,
  seq: NUMBER,
  account_id: whole(accountId),
  wallet: text<Wallet>(),
  asset_id: whole(assetId),
  instrument_id: MARKET_OR_NONE,
  kind: text<LedgerKind>(),
  side: textOrNone<HoldSide>(),
  order_id: wholeOrNone(orderId),
  trade_id: wholeOrNone(tradeId),
  fee: AMOUNT,
  delta: AMOUNT,
  balance: AMOUNT,
  time_ms: NUMBER,
  /** Of all contract wallets with the coin. */
  coin_balance: AMOUNT,
});

function ledgerIndex(by: string, filters: readonly string[]): Index {
  return { on: 'contract_ledger', by, columns: [...filters, 'kind', 'time_ms', 'entry_id'] };
}

export const LEDGER_TABLES = {
  tables: [CONTRACT_LEDGER],
  indexes: [
    ledgerIndex('asset', ['account_id', 'asset_id']),
    ledgerIndex('instrument', ['account_id', 'instrument_id']),
  ],
  distinctValues: { account_id: 10_000, asset_id: 10, instrument_id: 100, kind: 10 },
} as const satisfies TableSet;
