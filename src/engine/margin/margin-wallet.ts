/**
 * The money behind an account's contracts: of one contract, or of all linear ones of a coin. What
 * is cross in it stands and falls as one; an isolated side sets its margin aside within it.
 */
import {
  type Amount,
  type FineAmount,
  fineToFloor,
  fineValue,
  type InstrumentId,
  type MarginMode,
  type OtherContracts,
  PPM_BIG,
  thresholdPpm,
  type Wallet,
} from '#domain';
import { present } from '#kernel';
import { PASSING_ROWS } from '../ledger/amount-row.ts';
import { type Balance, MarginBalance, type Reserve } from '../ledger/balance.ts';
import type { MarketState } from '../swap/market-state.ts';
import type { Position } from './position.ts';

/** An account's side of a contract, as much as the wallet behind it needs of it. */
export interface WalletMember {
  readonly market: MarketState;
  readonly mode: MarginMode;
  readonly long: Position;
  readonly short: Position;
  readonly isFlat: boolean;
  /** Zero until a command changed something. */
  readonly updatedTimeMs: number;
  usedMargin(position: Position): Amount;
  /** Profit of both sides at the mark price. */
  finePnl(): FineAmount;
  /** The money behind it came or went by something outside its contract. */
  walletMoved(): void;
}

/** A cross unit at the marks of now, without the money behind it. */
interface CrossSums {
  readonly used: Amount;
  readonly pnl: FineAmount;
  readonly value: FineAmount;
  /** In PPM parts of fine units. */
  readonly kept: bigint;
}

export class MarginWallet<Member extends WalletMember = WalletMember> implements Reserve {
  readonly name: Wallet;
  readonly balance: Balance;
  /** By contract; those that were only looked at, too. Few, and walked by their place. */
  readonly members: Member[] = [];
  /**
   * Whether the places of its cross unit in the liquidation indexes are of one moment and nothing
   * they depend on has changed since; used while several contracts are held.
   */
  isAnchored = false;
  /** Whether several contracts may stand on it. */
  readonly isShared: boolean;

  constructor(name: Wallet, balance: Balance) {
    this.name = name;
    this.balance = balance;
    this.isShared = name === 'margin';
  }

  join(member: Member): void {
    const id = idOf(member);
    const at = this.members.findIndex((one) => idOf(one) > id);
    this.members.splice(at === -1 ? this.members.length : at, 0, member);
  }

  leave(member: Member): void {
    this.members.splice(this.members.indexOf(member), 1);
  }

  /** The same money and the other members, for a copy of this one to join. */
  copyWithout(member: Member): MarginWallet<Member> {
    const money = new MarginBalance(this.balance.assetId, PASSING_ROWS);
    money.restore(this.balance);
    const made = new MarginWallet<Member>(this.name, money);
    for (const one of this.members) if (one !== member) made.members.push(one);
    return made;
  }

  /** Cross contracts in which something is held, by contract. */
  crossHeld(): Member[] {
    return this.members.filter(isCrossHeld);
  }

  /** Whether anything in it was ever done in cross mode that is the mode still. */
  hasCross(): boolean {
    return this.members.some(({ mode, updatedTimeMs }) => mode === 'cross' && updatedTimeMs > 0);
  }

  /** What all isolated sides have set aside. */
  isolatedMargin(): Amount {
    const only = this.members[0];
    // Every check of an order asks: of one contract nothing has to be added up.
    if (!this.isShared && only !== undefined) {
      return only.mode === 'isolated' ? only.long.margin + only.short.margin : 0n;
    }
    let sum = 0n;
    for (const { mode, long, short } of this.members) {
      if (mode === 'isolated') sum += long.margin + short.margin;
    }
    return sum;
  }

  /** What stands behind the cross contracts, beside their own profit and loss. */
  crossMoney(): Amount {
    return this.balance.balance - this.isolatedMargin();
  }

  /** What the other cross contracts add to the risk of one; undefined when it stands alone. */
  othersOf(member: Member): OtherContracts | undefined {
    if (!this.isShared) return undefined;
    return this.#hasCrossHeld(member) ? this.#crossSums(member) : undefined;
  }

  /**
   * What positions need of the balance beyond order freezes: isolated margins, the margin that
   * cross contracts use and what they stand to lose, and in any case what keeps them above their
   * threshold. A cross profit does not count.
   */
  reservedAmount(): Amount {
    const isolated = this.isolatedMargin();
    if (!this.#hasCrossHeld()) return isolated;
    const sums = this.#crossSums();
    const contract = this.#contractOf();
    const pnl = fineToFloor(contract, sums.pnl);
    const used = sums.used - (pnl < 0n ? pnl : 0n);
    const whole = PPM_BIG * contract.fineFactor;
    // The least equity that is not liquidated at the marks of now.
    const kept = (sums.kept + whole - 1n) / whole + 1n - pnl;
    return isolated + (used > kept ? used : kept);
  }

  /** What can be used for opening or moved out; below zero when losses have eaten into freezes. */
  get spendable(): Amount {
    return this.balance.free - this.reservedAmount();
  }

  /** Profit of everything held at the marks of now, rounded down. */
  unrealizedPnl(): Amount {
    let sum = 0n;
    for (const member of this.members) if (!member.isFlat) sum += member.finePnl();
    return sum === 0n ? 0n : fineToFloor(this.#contractOf(), sum);
  }

  /** Margin in use by all positions. */
  usedMargin(): Amount {
    let sum = 0n;
    for (const member of this.members) {
      sum += member.usedMargin(member.long) + member.usedMargin(member.short);
    }
    return sum;
  }

  /** Money came or went that no trade moved. */
  balanceMoved(): void {
    this.memberMoved(undefined);
  }

  /** What one member does to the money, the others stand on it, too. */
  memberMoved(member: Member | undefined): void {
    this.isAnchored = false;
    for (const one of this.members) {
      if (one !== member && isCrossHeld(one)) one.walletMoved();
    }
  }

  #hasCrossHeld(leftOut?: Member): boolean {
    for (const member of this.members) {
      if (member !== leftOut && isCrossHeld(member)) return true;
    }
    return false;
  }

  /** Over all cross contracts but the one left out. */
  #crossSums(leftOut?: Member): CrossSums {
    let used = 0n;
    let pnl = 0n;
    let value = 0n;
    let kept = 0n;
    for (const member of this.members) {
      if (member === leftOut || !isCrossHeld(member)) continue;
      const { long, short } = member;
      const { contract, markTicks } = member.market;
      used += member.usedMargin(long) + member.usedMargin(short);
      pnl += member.finePnl();
      const larger = fineValue(contract, Math.max(long.lots, short.lots), markTicks);
      value += larger;
      kept += larger * BigInt(thresholdPpm(contract, long.lots + short.lots));
    }
    return { used, pnl, value, kept };
  }

  /** Any contract that stands on it: all of them count in the same fine units. */
  #contractOf(): MarketState['contract'] {
    return present(this.members[0], 'contract of a wallet').market.contract;
  }
}

function isCrossHeld({ mode, isFlat }: WalletMember): boolean {
  return mode === 'cross' && !isFlat;
}

function idOf({ market }: WalletMember): InstrumentId {
  return market.contract.instrumentId;
}
