/**
 * Rows of the ledger of contract wallets, in the order in which money moved: what the insurance
 * fund paid before a fill stands before it. What it took in a liquidation is one row, the end of
 * the liquidation, and the rows before that have the balance as if it was still there.
 */
import {
  type Amount,
  type BalanceChanged,
  type ContractFill,
  type ContractTrade,
  holdSideOf,
  type InsuranceMoved,
  type Liquidated,
  type MarginAdjusted,
  type Step,
} from '#domain';
import type { CONTRACT_LEDGER } from '../tables/ledger-tables.ts';
import type { RecordOf } from '../tables/table.ts';
import type { CoinBalances } from './coin-balances.ts';
import type { RowInsert } from './row-store.ts';

type Row = RecordOf<typeof CONTRACT_LEDGER>;
/** What a row may leave out. */
type Facts = Omit<Row, 'entryId' | 'seq' | 'timeMs' | 'coinBalance' | Optional> &
  Partial<Pick<Row, Optional>>;
type Optional = 'fee' | 'side' | 'orderId' | 'tradeId';
type At = Omit<Step, 'events'>;

export class LedgerWriter {
  readonly #insert: RowInsert<(typeof CONTRACT_LEDGER)['columns']>;
  readonly #coins: CoinBalances;
  #nextId: number;
  /** The newest row of what the venue forces on an account, by account and contract. */
  readonly #forced = new Map<string, Facts>();
  /** Begun liquidations, by account and contract. */
  readonly #begun = new Set<string>();
  /** By wallet: what the fund took and no row says yet, with the balance after all that. */
  readonly #taken = new Map<string, Facts>();

  constructor(
    insert: RowInsert<(typeof CONTRACT_LEDGER)['columns']>,
    coins: CoinBalances,
    nextId: number,
  ) {
    this.#insert = insert;
    this.#coins = coins;
    this.#nextId = nextId;
  }

  /** Comes before these steps are folded. */
  foresee(steps: readonly Step[]): Promise<void> {
    return this.#coins.load(steps);
  }

  trade(trade: ContractTrade, at: At): void {
    this.#fill(trade, trade.taker, at);
    this.#fill(trade, trade.maker, at);
  }

  moved(change: BalanceChanged, at: At): void {
    const { accountId, wallet, assetId, instrumentId, delta, reason: kind } = change;
    const side = change.position?.side;
    const balance = change.balanceBefore + delta;
    this.#put({ accountId, wallet, assetId, instrumentId, side, kind, delta, balance }, at);
  }

  insured({ kind: _kind, ...moved }: InsuranceMoved, at: At): void {
    this.#insurance({ ...moved, kind: 'insurance' }, at);
  }

  /** The margin of a position is part of the wallet's balance. */
  adjusted({ kind: _kind, delta, ...adjusted }: MarginAdjusted, at: At): void {
    this.#put({ ...adjusted, kind: delta > 0n ? 'margin_added' : 'margin_taken', delta: 0n }, at);
  }

  /** After everything that a liquidation did to the account. */
  liquidated({ accountId, instrumentId, side }: Liquidated, at: At): void {
    const key = `${accountId} ${instrumentId}`;
    const last = this.#forced.get(key);
    if (last === undefined) return;
    this.#begin(key, { ...last, side }, last.balance, at);
    const held = walletKey(last);
    const taken = this.#taken.get(held);
    this.#taken.delete(held);
    const { orderId: _order, tradeId: _trade, fee: _fee, ...facts } = taken ?? last;
    const delta = taken?.delta ?? 0n;
    this.#write({ ...facts, side, kind: 'liquidation_finished', delta }, at);
    this.#begun.delete(key);
  }

  /** Writes what waited for the rest of its step. */
  endStep(at: At): void {
    if (this.#forced.size === 0 && this.#taken.size === 0) return;
    for (const facts of this.#taken.values()) this.#write(facts, at);
    this.#taken.clear();
    this.#forced.clear();
    this.#begun.clear();
  }

  /** Rows were taken back. */
  goOnFrom(nextId: number): void {
    this.#nextId = nextId;
    this.#coins.forget(nextId === 1);
  }

  #fill({ tradeId, instrumentId, assetId }: ContractTrade, fill: ContractFill, at: At): void {
    const { accountId, action, cause, orderId, wallet, fee, insured } = fill;
    const delta = fill.realizedPnl - fee;
    const side = holdSideOf(action);
    const position = { accountId, wallet, assetId, instrumentId, side };
    const begun = balanceBefore(fill);
    if (cause === 'liquidation') this.#begin(`${accountId} ${instrumentId}`, position, begun, at);
    const paid = { ...position, kind: 'insurance', delta: insured } as const;
    if (insured > 0n) this.#insurance({ ...paid, balance: begun + insured }, at);
    const balance = insured < 0n ? fill.balance - insured : fill.balance;
    const row = { ...position, kind: action, orderId, tradeId, fee, delta, balance };
    this.#put(row, at);
    if (cause !== 'owner') this.#forced.set(`${accountId} ${instrumentId}`, row);
    if (insured < 0n) this.#insurance({ ...paid, balance: fill.balance }, at);
  }

  #begin(
    key: string,
    position: Omit<Facts, 'kind' | 'delta' | 'balance'>,
    balance: Amount,
    at: At,
  ) {
    if (this.#begun.has(key)) return;
    this.#begun.add(key);
    const { accountId, wallet, assetId, instrumentId, side } = position;
    const facts = { accountId, wallet, assetId, instrumentId, side, balance };
    this.#put({ ...facts, kind: 'liquidation_started', delta: 0n }, at);
  }

  #insurance(facts: Facts, at: At): void {
    if (facts.delta > 0n) this.#put(facts, at);
    else {
      const key = walletKey(facts);
      const before = this.#taken.get(key)?.delta ?? 0n;
      this.#taken.set(key, { ...facts, delta: before + facts.delta });
    }
    this.#forced.set(`${facts.accountId} ${facts.instrumentId}`, facts);
  }

  /** A row comes before what the fund took from the same wallet, which it still has then. */
  #put(facts: Facts, at: At): void {
    const taken = this.#taken.size === 0 ? undefined : this.#taken.get(walletKey(facts));
    if (taken === undefined) {
      this.#write(facts, at);
      return;
    }
    this.#taken.set(walletKey(facts), { ...taken, balance: facts.balance });
    this.#write({ ...facts, balance: facts.balance - taken.delta }, at);
  }

  #write(facts: Facts, { seq, timeMs }: At): void {
    const coinBalance = this.#coins.changed(facts);
    const { accountId, wallet, assetId, instrumentId, kind, side, orderId, tradeId } = facts;
    const { fee = 0n, delta, balance } = facts;
    // Written out and not copied with defaults: every trade has two of these.
    this.#insert.add({
      entryId: this.#nextId,
      seq,
      accountId,
      wallet,
      assetId,
      instrumentId,
      kind,
      side,
      orderId,
      tradeId,
      fee,
      delta,
      balance,
      timeMs,
      coinBalance,
    });
    this.#nextId += 1;
  }
}

function walletKey({ accountId, wallet, assetId }: Facts): string {
  return `${accountId} ${wallet} ${assetId}`;
}

function balanceBefore({ balance, insured, realizedPnl, fee }: ContractFill): Amount {
  return balance - insured - realizedPnl + fee;
}
