/**
 * The ledger of contract wallets: what changed them, fill by fill. The classic interface never had
 * such a list; it is an extension of this venue.
 */
import type { Services } from '#api';
import type { Asset, Contract, Listings } from '#domain';
import { LEDGER_KINDS, type LedgerEntry, type LedgerKind } from '#history';
import { formatTrimmed, present } from '#kernel';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import {
  type Named,
  optionalChoice,
  optionalText,
  pageLimit,
  wholeNumber,
} from '../kit/request.ts';
import {
  decimal,
  jsonList,
  listedName,
  listOf,
  nullOr,
  oneOf,
  orNull,
  row,
  timeMs,
} from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { perSecond } from './spot-terms.ts';
import { BASE, contractNamed, READING, SYMBOL } from './swap-terms.ts';
import { contractName, walletName } from './symbols.ts';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 500;
const ID = formatId(33);

interface LedgerRow {
  readonly entry: LedgerEntry;
  readonly coin: Asset;
  /** None for deposits, withdrawals and transfers. */
  readonly contract: Contract | undefined;
}

const TYPES: ReadonlyMap<string, LedgerKind | undefined> = new Map(
  LEDGER_KINDS.map((kind) => [kind, kind]),
);

/** A contract, or undefined for all of them. */
const CONTRACT_OR_ALL: Named<string, Contract | undefined> = {
  ...optionalText('Contract, in any case; all of them by default'),
  find: (symbol, listings) => (symbol === '' ? undefined : contractNamed(symbol, listings)),
};

const ENTRY = row<LedgerRow>()({
  ledger_id: decimal('Number of the row: rises with time', '42', ({ entry }) => entry.entryId),
  timestamp: timeMs('When it happened', TIME_MS, ({ entry }) => entry.timeMs),
  symbol: nullOr(
    'Contract; null for deposits, withdrawals and transfers',
    listedName('Contract', SYMBOL, ({ contract }) => contractName(present(contract, 'it').symbol)),
    ({ contract }) => contract === undefined,
  ),
  account: listedName(
    'Wallet: that of one contract, or margin for the one of all contracts of the coin',
    SYMBOL,
    ({ entry }) => walletName(entry.wallet),
  ),
  coin: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  type: oneOf(LEDGER_KINDS, 'What it was for', 'close_long', ({ entry }) => entry.kind),
  change: decimal(
    'Change of the balance, after the fee; below zero leaves the wallet',
    '0.8194',
    ({ coin, entry }) => formatTrimmed(entry.delta, coin.scale),
  ),
  fee: decimal('Fee contained in the change, positive', '0.1806', ({ coin, entry }) =>
    formatTrimmed(entry.fee, coin.scale),
  ),
  balance: decimal('Balance of the wallet afterwards', '100000.6394', ({ coin, entry }) =>
    formatTrimmed(entry.balance, coin.scale),
  ),
  order_id: orNull(schema.id('Order of a fill'), 'Order of a fill; null otherwise', ID, (row) =>
    idText(row.entry.orderId),
  ),
  trade_id: orNull(schema.id('Trade of a fill'), 'Trade of a fill; null otherwise', ID, (row) =>
    idText(row.entry.tradeId),
  ),
});

function idText(id: number | undefined): string | null {
  return id === undefined ? null : formatId(id);
}

function rowOf(listings: Listings, entry: LedgerEntry): LedgerRow {
  const { assetId, instrumentId } = entry;
  const contract = instrumentId === undefined ? undefined : listings.contractById(instrumentId);
  return { entry, coin: present(listings.asset(assetId), 'coin of a row'), contract };
}

export const SWAP_LEDGER = {
  ledger: signedEndpoint({
    ...READING,
    path: `${BASE}/account/income`,
    rate: perSecond(5),
    summary:
      'Every change of contract wallets with the balance after it, newest first (100 by default, ' +
      'up to 500). An extension of this venue',
    request: {
      symbol: CONTRACT_OR_ALL,
      type: optionalChoice('Only rows of this type', TYPES, undefined),
      startTime: wholeNumber('A time in milliseconds: rows of then or later'),
      endTime: wholeNumber('A time in milliseconds: rows of then or earlier'),
      before: wholeNumber('A ledger_id: only rows before it, for the next page'),
      limit: pageLimit('Rows wanted; above the maximum counts as it', ROWS_DEFAULT, ROWS_MAX),
    },
    response: listOf(ENTRY),
    example: { request: { symbol: SYMBOL, limit: '2' } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { symbol: contract, type, startTime: fromMs, endTime: toMs, before, limit } = asked;
      await historyReady();
      const found = await history.ledger({
        accountId,
        instrumentId: contract?.instrumentId,
        kinds: type === undefined ? undefined : [type],
        fromMs,
        toMs,
        before,
        limit,
      });
      return jsonList(found, (entry) => ENTRY.write(rowOf(live.listings, entry)));
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
