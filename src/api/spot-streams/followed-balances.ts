/**
 * The spot balances of one account, folded from its events: what is owned, what open orders hold,
 * what is locked. It says which coins a step changed.
 */
import type {
  AccountId,
  Amount,
  Asset,
  AssetId,
  BalanceView,
  Side,
  SpotInstrument,
  Trade,
} from '#domain';
import { baseAmount } from '#domain';

interface Balance {
  owned: Amount;
  held: Amount;
  locked: Amount;
}

/** What clients are shown of a coin. */
export interface ShownBalance {
  readonly assetId: AssetId;
  readonly available: Amount;
  readonly held: Amount;
  readonly locked: Amount;
}

export class FollowedBalances {
  readonly #accountId: AccountId;
  readonly #balances = new Map<AssetId, Balance>();
  readonly #changed = new Set<AssetId>();

  constructor(accountId: AccountId, balances: Iterable<BalanceView>) {
    this.#accountId = accountId;
    for (const { assetId, balance, held, locked } of balances) {
      this.#balances.set(assetId, { owned: balance, held, locked });
    }
  }

  /** Every coin the account ever touched. */
  all(): ShownBalance[] {
    return [...this.#balances.keys()].map((assetId) => this.#shown(assetId));
  }

  /** The coins changed since the last call. */
  takeChanged(): ShownBalance[] {
    const changed = [...this.#changed].map((assetId) => this.#shown(assetId));
    this.#changed.clear();
    return changed;
  }

  /** What an order reserves, or gives back when below zero. */
  hold(asset: Asset, delta: Amount): void {
    if (delta !== 0n) this.#change(asset.assetId).held += delta;
  }

  setOwned({ assetId }: Pick<Asset, 'assetId'>, owned: Amount): void {
    this.#change(assetId).owned = owned;
  }

  setLocked({ assetId }: Pick<Asset, 'assetId'>, locked: Amount): void {
    this.#change(assetId).locked = locked;
  }

  /** The bills of a trade, in their order: an account may be on both sides of one. */
  trade(pair: SpotInstrument, trade: Trade): void {
    const base = baseAmount(pair, trade.sizeLots);
    const { quoteAmount } = trade;
    if (this.#isParty(trade, 'buy')) {
      this.setOwned(pair.base, trade.buyerBaseBefore + base - trade.buyerFee);
      this.setOwned(pair.quote, trade.buyerQuoteBefore - quoteAmount);
    }
    if (this.#isParty(trade, 'sell')) {
      this.setOwned(pair.base, trade.sellerBaseBefore - base);
      this.setOwned(pair.quote, trade.sellerQuoteBefore + quoteAmount - trade.sellerFee);
    }
    if (trade.makerAccountId !== this.#accountId) return;
    if (trade.takerSide === 'sell') this.hold(pair.quote, -quoteAmount);
    else this.hold(pair.base, -base);
  }

  #isParty(trade: Trade, side: Side): boolean {
    const { takerSide, takerAccountId, makerAccountId } = trade;
    return (takerSide === side ? takerAccountId : makerAccountId) === this.#accountId;
  }

  #change(assetId: AssetId): Balance {
    this.#changed.add(assetId);
    const known = this.#balances.get(assetId);
    if (known !== undefined) return known;
    const balance = { owned: 0n, held: 0n, locked: 0n };
    this.#balances.set(assetId, balance);
    return balance;
  }

  #shown(assetId: AssetId): ShownBalance {
    const { owned, held, locked } = this.#balances.get(assetId) ?? NOTHING;
    return { assetId, available: owned - held - locked, held, locked };
  }
}

const NOTHING: Balance = { owned: 0n, held: 0n, locked: 0n };
