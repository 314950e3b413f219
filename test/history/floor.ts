/** A floor whose steps go into a history file: three pairs, and accounts that can afford all. */
import assert from 'node:assert/strict';
import {
  type AccountId,
  assetId,
  type InstrumentId,
  instrumentId,
  lots,
  type Side,
  type Step,
  type Wallet,
} from '#domain';
import { present } from '#kernel';
import { LINEAR } from '../support/contracts.ts';
import { BTCUSDT, ETHUSDT, Floor, type OrderOptions } from '../support/floor.ts';
import { assetSpec, pairSpec } from '../support/terms.ts';

export const USDT = assetId(0);
export const BTC = assetId(1);
export const ETH = assetId(2);
/** The contract takes the id between the pairs. */
export const ETHBTC = instrumentId(3);
export const PAIRS = [BTCUSDT, ETHUSDT, ETHBTC];
export const CONTRACT: Wallet = 'BTC-USDT-PERP';
const RICH = 10n ** 20n;
const TERMS = { maxLots: lots(1_000_000_000), makerFeePpm: 500 };

/** Its time stands still unless it is moved. Prices and sizes here are ticks and lots. */
export class HistoryFloor extends Floor {
  constructor() {
    super(undefined, { startMs: Date.parse('2026-03-01T12:00:00Z'), stepMs: 0 });
    this.listCoins().listPairs(TERMS).listContract(LINEAR);
    this.run({ kind: 'list_spot', spec: pairSpec('ETH', 'BTC', TERMS) });
  }

  /** Lists a coin and the pair of BTC that is quoted in it; accounts opened later hold it. */
  listQuote(code: string): InstrumentId {
    const { listings } = this.engine;
    this.run({ kind: 'list_asset', spec: assetSpec(listings.assets.length + 1, code) });
    this.run({ kind: 'list_spot', spec: pairSpec('BTC', code, TERMS) });
    return present(listings.spot.at(-1), code).instrumentId;
  }

  /** The steps after the given one, as the projector would hand them over. */
  since(seq: number): Step[] {
    return this.steps.slice(seq);
  }

  /** Opens an account with much of every coin, which may trade with itself. */
  override open(name: string): AccountId {
    const accountId = super.open(name, {}, { selfTradePrevention: 'none' });
    for (const { assetId } of this.engine.listings.assets) {
      this.run({ kind: 'deposit', accountId, wallet: 'spot', assetId, amount: RICH });
    }
    return accountId;
  }

  /** One trade of a pair: the maker's order rests, the taker's meets it, both are filled. */
  spotTrade(maker: AccountId, taker: AccountId, side: Side, options: OrderOptions = {}): void {
    this.limit(maker, side === 'buy' ? 'sell' : 'buy', 10_000, 10, options);
    this.limit(taker, side, 10_000, 10, options);
  }

  transfer(accountId: AccountId, from: Wallet, to: Wallet, clientOid?: string): void {
    const moved = { accountId, assetId: USDT, amount: 1_000n, from, to, clientOid };
    const events = this.run({ kind: 'transfer', ...moved });
    assert.ok(events.some(({ kind }) => kind === 'transferred'));
  }

  /** What the engine says is in a wallet. */
  inWallet(accountId: AccountId, wallet: Wallet, asset: typeof USDT): bigint {
    return this.engine.account(accountId)?.balance(wallet, asset)?.balance ?? 0n;
  }
}
