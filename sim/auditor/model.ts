/**
 * What the auditor knows of the venue, as plain data: lists, maps and bigints. It is written from
 * docs/MECHANICS.md and the contracts of the interfaces and shares no code with the engine, of
 * which only types may be named in this folder. A checkpoint is a copy of the whole.
 */
import type {
  AccountSettings,
  Asset,
  Contract,
  ContractAction,
  ContractPrices,
  Force,
  HoldSide,
  MarginMode,
  OrderCause,
  Side,
  SpotInstrument,
  TpSlPurpose,
  TriggerOrderView,
  WorkingPrice,
} from '#domain';

export interface SpotRest {
  readonly orderId: number;
  readonly accountId: number;
  readonly side: Side;
  readonly force: Force;
  readonly clientOrderId: string | undefined;
  readonly createdTimeMs: number;
  priceTicks: number;
  sizeLots: number;
  filledLots: number;
  filledQuote: bigint;
  /** Sum of what it received times the rate, and what it was charged of that so far. */
  feeExact: bigint;
  feeCharged: bigint;
  openLots: number;
  /** Its place among those of its price. */
  place: number;
}

/** A pair's order, new or moved, while it takes. */
export interface SpotIncoming extends SpotRest {
  readonly isMarket: boolean;
  readonly budget: bigint;
}

export interface PairBook {
  terms: SpotInstrument;
  lastTicks: number;
  orders: SpotRest[];
  /** An order that goes on in later steps, with the worst price that it takes. */
  working: { readonly order: SpotIncoming; readonly limit: number; traded: number } | undefined;
}

/** A take-profit or stop-loss of an order: not armed (yet), waiting, or never to be armed again. */
export interface Preset {
  readonly triggerTicks: number;
  readonly working: WorkingPrice;
  state: 'ahead' | 'armed' | 'dropped';
  /** Filled lots of its order that it was armed for. */
  coveredLots: number;
}

/** A contract order between its acceptance and its end. */
export interface ContractRest {
  readonly orderId: number;
  readonly accountId: number;
  readonly action: ContractAction;
  readonly cause: OrderCause;
  readonly type: 'limit' | 'market';
  readonly force: Force;
  readonly clientOrderId: string | undefined;
  /** Take-profit and stop-loss that it brings along. */
  readonly presets: Partial<Record<TpSlPurpose, Preset>>;
  leverage: number;
  priceTicks: number;
  sizeLots: number;
  filledLots: number;
  /** The price of its last fill in the book; 0 before it. */
  filledTicks: number;
  openLots: number;
  /** Zero while it is on its way in. */
  place: number;
  /** The rate its freeze was worked out with. */
  feePpm: number;
  /** Since it was placed or moved: sum of value times rate, what was charged, and of values. */
  feeExact: bigint;
  feeCharged: bigint;
  openedFine: bigint;
  marginBrought: bigint;
  /** What it closes is opened on the other side once it is done. */
  readonly reverses: boolean;
  /** Over its whole life, as its owner reads them. */
  feeTotal: bigint;
  pnlTotal: bigint;
}

export interface Holding {
  lots: number;
  /** Exact value at which it was opened, in fine units. */
  open: bigint;
  /** Since when it is held. */
  openedMs: number;
  /** Of an isolated side. */
  margin: bigint;
  /** Units of V(E) / L that no order brought and its owner had not available. */
  lacking: bigint;
  leverage: number;
  realized: bigint;
  automatic: boolean;
}

/** What one account has in one contract. */
export interface Seat {
  readonly accountId: number;
  mode: MarginMode;
  long: Holding;
  short: Holding;
  /** By mode: those of the mode it is not in wait for it. */
  leverages: { cross: number; isolatedLong: number; isolatedShort: number };
  isSeparated: boolean;
  /** Profit, loss and funding of all times. */
  realized: bigint;
}

export interface Trigger {
  view: TriggerOrderView;
  /** The order whose fills it protects; undefined for others. */
  readonly parentId: number | undefined;
  /** Among those of one price: by acceptance, or by the last change. */
  place: number;
  /** A price has met it, and it has not fired yet. */
  reached: boolean;
  /** Which price of its contract did, counted. */
  reachedBy: number;
}

/** What prices are made of, kept from one look at them to the next. */
export interface PriceState {
  reports: Map<string, { priceTicks: number; timeMs: number }>;
  indexTicks: number;
  /** When a source was fresh last; zero before the first time. */
  freshMs: number;
  markTicks: number;
  lastTradeMs: number;
  basis: { basisTicks: number; timeMs: number }[];
  premiumSum: number;
  premiumCount: number;
  premiumMinute: number;
  /** Of the last minute that was sampled. */
  lastPremium: number;
}

/** What liquidations may cost the fund of a coin in one hour or day. */
export interface Budget {
  readonly index: number;
  /** What the fund held when it began, and what the operator added since. */
  base: bigint;
  spent: bigint;
}

/** How somebody stands among those who may be deleveraged. */
export interface Ranked {
  readonly accountId: number;
  readonly isBreached: boolean;
  readonly score: bigint;
  readonly openedMs: number;
  /** Whether its score is known to the last digit. */
  readonly isExact: boolean;
}

/** What a price has breached and one command has not dealt with: the next ones go on with it. */
export interface LeftWave {
  /** The worst ratio first. */
  readonly due: readonly string[];
  /** As the price first needed them, by contract and side. */
  readonly rankings: ReadonlyMap<string, readonly (readonly Ranked[])[]>;
}

export interface ContractBook {
  /** What the next prices are made of. */
  now: PriceState;
  terms: Contract;
  /** What an amount in fine units is divided by to be one in units. */
  fine: bigint;
  /** Fine units of a lot at a tick (linear), or of a lot times a tick (inverse). */
  factor: bigint;
  orders: ContractRest[];
  /** An order that goes on in later steps, with the worst price that it takes. */
  working: { readonly order: ContractRest; readonly limitTicks: number | undefined } | undefined;
  seats: Map<number, Seat>;
  triggers: Map<number, Trigger>;
  /** Prices that triggers were held against. */
  notedCount: number;
  /** Fractions of a unit that rounding has kept back. */
  dust: bigint;
  /** Undefined before the first were published. */
  prices: ContractPrices | undefined;
  lastTicks: number;
  nextFundingMs: number;
  /** Undefined when no wave of liquidations goes on. */
  left: LeftWave | undefined;
}

export interface Totals {
  deposited: bigint;
  withdrawn: bigint;
  fees: bigint;
  insurance: bigint;
}

/** A unit of which a forced order met the bound of matching, or the step had no more room. */
export interface Begun {
  readonly accountId: number;
  /** The contract that it goes on in. */
  readonly instrumentId: number;
  readonly unit: 'long' | 'short' | 'both';
  /** Of the money behind it. */
  readonly wallet: string;
  readonly assetId: number;
  /** Down to how many lots it is being reduced. */
  readonly targetLots: number | undefined;
  /** Whether it surely goes on: a later step may have found it above its threshold. */
  isSure: boolean;
}

export interface Model {
  assets: Asset[];
  totals: Totals[];
  /** By coin. */
  budgets: Record<'hour' | 'day', Budget>[];
  accounts: Map<number, AccountSettings>;
  keys: Map<string, number>;
  pairs: Map<number, PairBook>;
  contracts: Map<number, ContractBook>;
  /** By account, wallet and coin. */
  wallets: Map<string, bigint>;
  locks: Map<string, bigint>;
  /** On whose hold alone money of an account comes in and goes out. */
  holders: Map<number, string>;
  /** By kind, account and id of the operator: what was asked for, and when it was done. */
  operatorOids: Map<string, { readonly asked: string; readonly timeMs: number }>;
  /** Client ids of what is over, with the time from which each is free again. */
  usedIds: Map<string, number>;
  instrumentsCount: number;
  /** Liquidations that have begun and go on in the next steps. */
  begun: Begun[];
}

export function emptyModel(): Model {
  return {
    assets: [],
    totals: [],
    budgets: [],
    accounts: new Map(),
    keys: new Map(),
    pairs: new Map(),
    contracts: new Map(),
    wallets: new Map(),
    locks: new Map(),
    holders: new Map(),
    operatorOids: new Map(),
    usedIds: new Map(),
    instrumentsCount: 0,
    begun: [],
  };
}

function walletKey(accountId: number, wallet: string, assetId: number): string {
  return `${accountId} ${wallet} ${assetId}`;
}

export function walletOf(model: Model, accountId: number, wallet: string, assetId: number): bigint {
  return model.wallets.get(walletKey(accountId, wallet, assetId)) ?? 0n;
}

export function addTo(
  model: Model,
  accountId: number,
  wallet: string,
  assetId: number,
  delta: bigint,
): bigint {
  const left = walletOf(model, accountId, wallet, assetId) + delta;
  model.wallets.set(walletKey(accountId, wallet, assetId), left);
  return left;
}

/** The wallet behind a contract: its own, or that of all linear contracts of the coin. */
export function marginWalletName(
  settings: AccountSettings | undefined,
  { symbol, kind }: Pick<Contract, 'symbol' | 'kind'>,
): string {
  if (settings?.wallets === 'coin' && kind === 'linear') return 'margin';
  return symbol;
}

export function flatHolding(leverage: number): Holding {
  const nothing = { lots: 0, open: 0n, openedMs: 0, margin: 0n, lacking: 0n, realized: 0n };
  return { ...nothing, leverage, automatic: false };
}

/** What a seat is like before its account has done anything. */
export function freshSeat(model: Model, book: ContractBook, accountId: number): Seat {
  const { leverageMin, leverageMax } = book.terms;
  const leverage = Math.max(leverageMin, Math.min(20, leverageMax));
  const isShared = marginWalletName(model.accounts.get(accountId), book.terms) === 'margin';
  return {
    accountId,
    mode: isShared ? 'cross' : 'isolated',
    long: flatHolding(leverage),
    short: flatHolding(leverage),
    leverages: { cross: leverage, isolatedLong: leverage, isolatedShort: leverage },
    isSeparated: false,
    realized: 0n,
  };
}

export function holdSide(action: ContractAction): HoldSide {
  return action.endsWith('long') ? 'long' : 'short';
}

export function isOpening(action: ContractAction): boolean {
  return action.startsWith('open');
}

export function bookSide(action: ContractAction): Side {
  return action === 'open_long' || action === 'close_short' ? 'buy' : 'sell';
}

interface Queued {
  readonly place: number;
  readonly priceTicks: number;
}

/** The better price first, and of one price who came first. */
export function inPriority<O extends Queued>(side: Side, orders: readonly O[]): O[] {
  const sign = side === 'buy' ? -1 : 1;
  return [...orders].sort(
    (one, other) => sign * (one.priceTicks - other.priceTicks) || one.place - other.place,
  );
}

export function crosses(side: Side, limitTicks: number, makerTicks: number): boolean {
  return side === 'buy' ? makerTicks <= limitTicks : makerTicks >= limitTicks;
}

/** Fractions that have become whole units belong to the insurance fund. */
export function sweepDust(model: Model, book: ContractBook): void {
  if (book.dust < book.fine) return;
  const units = book.dust / book.fine;
  book.dust -= units * book.fine;
  const totals = model.totals[book.terms.margin.assetId];
  if (totals !== undefined) totals.insurance += units;
}
