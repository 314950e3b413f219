/**
 * The ledger of contract wallets as its users see it: one row for each change of a balance, and for
 * what happened to it without changing it. Each balance is that of the older row plus the change.
 */
import type {
  AccountId,
  Amount,
  AssetId,
  HoldSide,
  InstrumentId,
  OrderId,
  TradeId,
  Wallet,
} from '#domain';
import type { TimeRange } from './time-range.ts';

/** Fills have the name of their action. */
const FILL_KINDS = ['open_long', 'open_short', 'close_long', 'close_short'] as const;

/**
 * `insurance` is paid by the insurance fund. `liquidation_started` and the moves of margin between
 * a wallet and its positions change no balance; `liquidation_finished` is all that the fund took in
 * the liquidation, which may be nothing.
 */
export const LEDGER_KINDS = [
  ...FILL_KINDS,
  'funding',
  'deposit',
  'withdraw',
  'transfer_in',
  'transfer_out',
  'liquidation_started',
  'liquidation_finished',
  'insurance',
  'margin_added',
  'margin_taken',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

export interface LedgerEntry {
  /** Rises with time, from 1. */
  readonly entryId: number;
  readonly accountId: AccountId;
  readonly wallet: Wallet;
  readonly assetId: AssetId;
  /** None for deposits, withdrawals and transfers. */
  readonly instrumentId: InstrumentId | undefined;
  readonly kind: LedgerKind;
  /** The position's, where there is one. */
  readonly side: HoldSide | undefined;
  /** Of a fill. */
  readonly orderId: OrderId | undefined;
  readonly tradeId: TradeId | undefined;
  /** Contained in the change; never negative. */
  readonly fee: Amount;
  /** Signed change of the wallet's balance. */
  readonly delta: Amount;
  /** Of the wallet, after the change. */
  readonly balance: Amount;
  /**
   * Of all contract wallets that the account has of the coin, after the change: it chains over all
   * rows of the coin.
   */
  readonly coinBalance: Amount;
  readonly timeMs: number;
}

/** The newest rows of an account; all filters at once. */
export interface LedgerQuery extends TimeRange {
  readonly accountId: AccountId;
  readonly assetId?: AssetId | undefined;
  readonly instrumentId?: InstrumentId | undefined;
  /** Rows of others are passed over one by one: give the coin, and kinds that are few, besides. */
  readonly wallet?: Wallet | undefined;
  /** Undefined for all kinds. */
  readonly kinds?: readonly LedgerKind[] | undefined;
  /** Coins and wallets whose rows are left out and whose money counts in no coinBalance. */
  readonly except?:
    | { readonly assetIds: readonly AssetId[]; readonly wallets: readonly Wallet[] }
    | undefined;
  /** Only rows before this one: the entryId of the last row of the page before. */
  readonly before?: number | undefined;
  /** 1 to LIMITS.historyRowsMax. */
  readonly limit: number;
}
