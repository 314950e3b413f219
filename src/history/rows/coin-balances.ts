/**
 * What accounts have of a coin in all contract wallets together, as the ledger goes on: read once
 * for each account and coin, then counted.
 */
import type { Kysely } from 'kysely';
import type { AccountId, Amount, AssetId, Event, Step } from '#domain';
import { present } from '#kernel';
import { LEDGER_KINDS } from '../ledger-port.ts';
import { CONTRACT_LEDGER } from '../tables/ledger-tables.ts';
import type { Database } from '../tables/schema.ts';

interface Owned {
  readonly accountId: AccountId;
  readonly assetId: AssetId;
}

export class CoinBalances {
  readonly #db: Kysely<Database>;
  readonly #known = new Map<AssetId, Map<AccountId, Amount>>();
  /** Whether the ledger has no rows but those that were counted here. */
  #isWhole: boolean;

  constructor(db: Kysely<Database>, ledgerIsEmpty: boolean) {
    this.#db = db;
    this.#isWhole = ledgerIsEmpty;
  }

  /** Reads what the ledger says of those whom these steps concern. Comes before their changes. */
  async load(steps: readonly Step[]): Promise<void> {
    for (const { events } of steps) {
      for (const event of events) {
        for (const owned of concerned(event)) {
          const known = this.#knownOf(owned);
          if (known.has(owned.accountId)) continue;
          known.set(owned.accountId, this.#isWhole ? 0n : await this.#read(owned));
        }
      }
    }
  }

  /** After one more change. */
  changed(change: Owned & { readonly delta: Amount }): Amount {
    const known = this.#knownOf(change);
    const after = present(known.get(change.accountId), 'money of an account') + change.delta;
    known.set(change.accountId, after);
    return after;
  }

  /** Rows were taken back. */
  forget(ledgerIsEmpty: boolean): void {
    this.#known.clear();
    this.#isWhole = ledgerIsEmpty;
  }

  #knownOf({ assetId }: Owned): Map<AccountId, Amount> {
    const known = this.#known.get(assetId);
    if (known !== undefined) return known;
    const made = new Map<AccountId, Amount>();
    this.#known.set(assetId, made);
    return made;
  }

  async #read(owned: Owned): Promise<Amount> {
    const newest = await this.#newest(owned);
    if (newest === undefined) return 0n;
    return CONTRACT_LEDGER.columns.coin_balance.read(newest.coin_balance);
  }

  /** A step along an index for each kind. */
  #newest({ accountId, assetId }: Owned) {
    return LEDGER_KINDS.map((kind) =>
      this.#db
        .selectFrom('contract_ledger')
        .select(['time_ms', 'entry_id', 'coin_balance'])
        .where((row) => row.and({ account_id: accountId, asset_id: assetId, kind })),
    )
      .reduce((earlier, later) => earlier.unionAll(later))
      .orderBy('time_ms', 'desc')
      .orderBy('entry_id', 'desc')
      .limit(1)
      .executeTakeFirst();
  }
}

const NOBODY: readonly Owned[] = [];

function concerned(event: Event): readonly Owned[] {
  switch (event.kind) {
    case 'contract_trade': {
      const { assetId, taker, maker } = event;
      return [
        { accountId: taker.accountId, assetId },
        { accountId: maker.accountId, assetId },
      ];
    }
    case 'balance_changed':
      return event.wallet === 'spot' ? NOBODY : [event];
    case 'insurance_moved':
    case 'margin_adjusted':
      return [event];
    default:
      return NOBODY;
  }
}
