/**
 * Rows of spot balances as JSON, encoded once per change: clients ask more often than they trade.
 * A row is kept with all that it was made of, so it is never another account's or an older one.
 */
import type { AccountId, Amount, Asset, BalanceView } from '#domain';
import { inOnePiece } from './encoded-market.ts';

/** Rows kept; one more and all are forgotten, which costs encoding them again. */
const ROWS_MAX = 16_384;

export interface CoinBalance {
  readonly coin: Asset;
  readonly balance: BalanceView;
}

interface EncodedBalance {
  readonly coin: Asset;
  readonly whole: Amount;
  readonly available: Amount;
  readonly locked: Amount;
  readonly updatedTimeMs: number;
  readonly json: string;
}

export class EncodedBalances {
  readonly #write: (value: CoinBalance) => string;
  /** By account and coin. */
  readonly #known = new Map<AccountId, (EncodedBalance | undefined)[]>();
  #count = 0;

  constructor(write: (value: CoinBalance) => string) {
    this.#write = write;
  }

  json(accountId: AccountId, coin: Asset, balance: BalanceView): string {
    const known = this.#known.get(accountId)?.[balance.assetId];
    const isSame =
      known !== undefined &&
      known.updatedTimeMs === balance.updatedTimeMs &&
      known.whole === balance.balance &&
      known.available === balance.available &&
      known.locked === balance.locked &&
      known.coin === coin;
    return isSame ? known.json : this.#encode(accountId, coin, balance);
  }

  #encode(accountId: AccountId, coin: Asset, balance: BalanceView): string {
    if (this.#count >= ROWS_MAX) {
      this.#known.clear();
      this.#count = 0;
    }
    const { balance: whole, available, locked, updatedTimeMs, assetId } = balance;
    const json = inOnePiece(this.#write({ coin, balance }));
    const rows = this.#known.get(accountId) ?? [];
    this.#known.set(accountId, rows);
    if (rows[assetId] === undefined) this.#count += 1;
    rows[assetId] = { coin, whole, available, locked, updatedTimeMs, json };
    return json;
  }
}
