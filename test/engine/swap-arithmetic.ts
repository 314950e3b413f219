/**
 * What the second set of books is kept in, and its arithmetic: written out once more on purpose,
 * so that it shares no rounding with the engine it is held against.
 */
import type {
  AccountId,
  Contract,
  ContractFill,
  ContractTrade,
  Event,
  HoldSide,
  MarginMode,
} from '#domain';

const PPM = 1_000_000n;

export interface Side {
  lots: number;
  /** In fine units of the contract. */
  open: bigint;
  /** Set aside in isolated mode. */
  margin: bigint;
  realized: bigint;
  /** Of all times, with funding. */
  everRealized: bigint;
  leverage: number;
  /** What the margins of orders, each rounded, are below V(E) / L, since nothing else was left. */
  lacking: bigint;
}

export interface Holder {
  readonly accountId: AccountId;
  readonly book: Book;
  mode: MarginMode;
  readonly long: Side;
  readonly short: Side;
  /** Opening fills whose margin may be a unit short, since the books were last compared. */
  opened: number;
}

/** One contract in these books. */
export interface Book {
  contract: Contract;
  readonly holders: Map<AccountId, Holder>;
  clearing: bigint;
  /** Fine units. */
  dust: bigint;
}

export function isHeld({ long, short }: Holder): boolean {
  return long.lots + short.lots > 0;
}

/** What stands or falls as one. */
export type Unit = HoldSide | 'both';

export interface Change {
  readonly share: bigint;
  readonly release: bigint;
  /** Exact, in fine units. */
  readonly gain: bigint;
}

/** Fine value of a size at a price, cut after its last digit. */
export function fineOf(contract: Contract, size: number, priceTicks: number): bigint {
  const whole = BigInt(size) * contract.valueFactor;
  if (contract.kind === 'linear') return whole * BigInt(priceTicks) * contract.fineFactor;
  return (whole * contract.fineFactor) / BigInt(priceTicks);
}

/** Fine units in margin units, towards minus infinity. */
export function floorOf(contract: Contract, fine: bigint): bigint {
  return floorDiv(fine, contract.fineFactor);
}

/** Entry value over leverage in margin units. */
export function needed(contract: Contract, open: bigint, leverage: number): bigint {
  return open / (contract.fineFactor * BigInt(leverage));
}

export function closing(
  contract: Contract,
  at: HoldSide,
  side: Side,
  size: number,
  value: bigint,
): Change {
  const isAll = size === side.lots;
  const of = (whole: bigint) => [whole * BigInt(size), BigInt(side.lots)] as const;
  // What was paid for a part is rounded against whoever gains by paying less.
  const roundShare = (at === 'long') === (contract.kind === 'linear') ? ceilDiv : floorDiv;
  const share = isAll ? side.open : roundShare(...of(side.open));
  const gain = gainOf(contract, at, share, value);
  return { share, release: isAll ? side.margin : floorDiv(...of(side.margin)), gain };
}

/** Profit in fine units. An inverse long gains when its contracts are worth fewer coins. */
export function gainOf(contract: Contract, at: HoldSide, open: bigint, value: bigint): bigint {
  return (at === 'long') === (contract.kind === 'linear') ? value - open : open - value;
}

/** What the other contracts of a wallet add to a cross unit; fine units, and PPM parts of them. */
export interface Others {
  readonly gain: bigint;
  readonly value: bigint;
  readonly kept: bigint;
}

const NO_OTHERS: Others = { gain: 0n, value: 0n, kept: 0n };

/** Adds up what accounts of other contracts bring, all of them linear, at their mark prices. */
export function othersAt(
  holders: readonly Holder[],
  markOf: (contract: Contract) => number,
): Others {
  let { gain, value, kept } = NO_OTHERS;
  for (const { book, long, short } of holders) {
    const { contract } = book;
    const mark = markOf(contract);
    const [longValue, shortValue] = [long, short].map(({ lots }) => fineOf(contract, lots, mark));
    const [longs, shorts] = [longValue ?? 0n, shortValue ?? 0n];
    const larger = longs > shorts ? longs : shorts;
    gain += longs - long.open + short.open - shorts;
    value += larger;
    kept += larger * thresholdOf(contract, long.lots + short.lots);
  }
  return { gain, value, kept };
}

/**
 * Equity and value of a unit with this money at a price, on one scale. Inverse ones are multiplied
 * by the price, so that nothing has to be divided. A unit that is not held has no value.
 */
export function worthOf(
  { book, long, short }: Holder,
  unit: Unit,
  money: bigint,
  mark: number,
  others = NO_OTHERS,
) {
  const { contract } = book;
  const [longLots, longOpen] = unit === 'short' ? [0, 0n] : [long.lots, long.open];
  const [shortLots, shortOpen] = unit === 'long' ? [0, 0n] : [short.lots, short.open];
  const larger = BigInt(Math.max(longLots, shortLots)) * contract.valueFactor;
  const net = BigInt(longLots - shortLots) * contract.valueFactor;
  const price = BigInt(mark);
  const heldLots = longLots + shortLots;
  if (contract.kind === 'linear') {
    const fine = contract.fineFactor;
    const equity = money * fine - longOpen + shortOpen + net * price * fine + others.gain;
    const own = larger * price * fine;
    const kept = own * thresholdOf(contract, heldLots) + others.kept;
    return { equity, value: own + others.value, kept, heldLots };
  }
  const settled = (money * contract.fineFactor + longOpen - shortOpen) * price;
  const equity = settled - net * contract.fineFactor;
  const value = larger * contract.fineFactor;
  return { equity, value, kept: value * thresholdOf(contract, heldLots), heldLots };
}

/** Whether a unit with this money is at or below its liquidation threshold; a flat one never is. */
export function isBelow(
  holder: Holder,
  unit: Unit,
  money: bigint,
  mark: number,
  others = NO_OTHERS,
): boolean {
  const { equity, kept, heldLots } = worthOf(holder, unit, money, mark, others);
  return heldLots > 0 && PPM * equity <= kept;
}

export function thresholdOf({ tiers, takerFeePpm }: Contract, size: number): bigint {
  let rate = 0;
  for (const tier of tiers) {
    rate = tier.maintenanceRatePpm;
    if (size <= tier.contractsMax) break;
  }
  return BigInt(rate + takerFeePpm);
}

export function sideOf({ action }: Pick<ContractFill, 'action'>): HoldSide {
  return action === 'open_long' || action === 'close_long' ? 'long' : 'short';
}

/** A trade in which an account's two sides are closed against each other. */
export interface Netting extends ContractTrade {
  readonly inBook: false;
}

export function isNetting(event: Event): event is Netting {
  if (event.kind !== 'contract_trade' || event.inBook) return false;
  return event.taker.accountId === event.maker.accountId;
}

export function opens({ action }: ContractFill): boolean {
  return action === 'open_long' || action === 'open_short';
}

export function buys({ action }: ContractFill): boolean {
  return action === 'open_long' || action === 'close_short';
}

export function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
}

export function ceilDiv(value: bigint, by: bigint): bigint {
  return -floorDiv(-value, by);
}
