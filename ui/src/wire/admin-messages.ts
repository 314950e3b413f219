/** What the operator's endpoints answer with, as docs/API.md has it under /admin/v1. */

export interface AccountRow {
  readonly accountId: string;
  readonly name: string;
  readonly frozen: boolean;
  readonly selfTradePrevention: string;
  readonly openOrdersMax: number;
  /** Null for the instrument's. */
  readonly takerFee: string | null;
  readonly makerFee: string | null;
  readonly openOrders: number;
  readonly cTime: string;
}

export interface WalletRow {
  readonly wallet: string;
  readonly coin: string;
  readonly balance: string;
  readonly available: string;
  readonly frozen: string;
  readonly lock: string;
}

export interface AccountWithBalances extends AccountRow {
  readonly balances: readonly WalletRow[];
}

export interface KeyRow {
  readonly key: string;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly ipAllowList: readonly string[];
  readonly cTime: string;
}

export interface NewKey extends KeyRow {
  readonly secret: string;
  readonly passphrase: string;
}

export interface PairTerms {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly minNotional: string;
  readonly takerFee: string;
  readonly makerFee: string;
  readonly status: string;
  /** Empty while it is not suspended. */
  readonly suspendedReason: string;
  readonly referencePrice: string;
}

export interface TierRow {
  readonly contracts: string;
  readonly maintenanceRate: string;
  readonly maxLeverage: number;
}

export interface IndexSourceRow {
  readonly spot?: string;
  readonly feed?: string;
  readonly weight: number;
}

export interface ContractTerms {
  readonly symbol: string;
  readonly kind: 'linear' | 'inverse';
  readonly base: string;
  readonly quote: string;
  readonly margin: string;
  readonly contractValue: string;
  readonly priceStep: string;
  readonly minQuantity: string;
  readonly maxQuantity: string;
  readonly takerFee: string;
  readonly makerFee: string;
  readonly minLeverage: number;
  readonly maxLeverage: number;
  readonly tiers: readonly TierRow[];
  readonly priceBand: string;
  readonly markClamp: string;
  readonly openOrdersMax: number;
  readonly planOrdersMax: number;
  readonly presetsMax: number;
  readonly fundingTimes: readonly string[];
  readonly fundingInterest: string;
  readonly fundingClamp: string;
  readonly fundingCap: string;
  readonly impactQuantity: string;
  readonly insuranceBudget: string;
  readonly index: {
    readonly sources: readonly IndexSourceRow[];
    readonly staleSeconds: number;
    readonly outlier: string;
  };
  readonly referencePrice: string;
  readonly status: string;
  /** Empty while it is not suspended. */
  readonly suspendedReason: string;
}

export interface ContractState extends ContractTerms {
  /** Null before the first. */
  readonly prices: {
    readonly index: string;
    readonly indexStale: boolean;
    readonly mark: string;
    readonly highest: string;
    readonly lowest: string;
    readonly openInterest: string;
    readonly fundingRate: string;
    readonly nextFundingTime: string;
    readonly insuranceFund: string;
    readonly time: string;
  } | null;
}

export interface Listed {
  readonly assets: readonly { readonly code: string; readonly scale: number }[];
  readonly spot: readonly PairTerms[];
  readonly contracts: readonly ContractTerms[];
}

export interface AuditLine {
  readonly coin: string;
  readonly accounts: string;
  readonly frozen: string;
  readonly frozenByOrders: string;
  readonly lock: string;
  readonly fees: string;
  readonly insuranceFund: string;
  readonly clearing: string;
  readonly deposited: string;
  readonly withdrawn: string;
  readonly imbalance: string;
}

export interface Audit {
  readonly balanced: boolean;
  readonly seq: number;
  readonly accounts: number;
  readonly openOrders: number;
  readonly mismatchedContracts: readonly string[];
  readonly uncoveredWallets: readonly { readonly accountId: string; readonly wallet: string }[];
  readonly coins: readonly AuditLine[];
}

export interface FundRow {
  readonly coin: string;
  readonly fund: string;
}

export interface LiquidationRow {
  readonly symbol: string;
  readonly accountId: string;
  readonly marginMode: string;
  readonly side: 'long' | 'short';
  readonly mark: string;
  readonly bankruptcy: string;
  readonly contracts: string;
  readonly deleveraged: string;
  readonly fundDelta: string;
  readonly time: string;
}
