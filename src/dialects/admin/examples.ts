/** One example of everything the operator's endpoints answer with. */
import { TIME_MS, TRANSFER_ID } from '../classic/spot-terms.ts';

const TIME_TEXT = String(TIME_MS);

export const ACCOUNT = {
  accountId: '1',
  name: 'demo',
  frozen: false,
  selfTradePrevention: 'cancel_maker',
  openOrdersMax: 1000,
  takerFee: null,
  makerFee: null,
  openOrders: 0,
  cTime: TIME_TEXT,
};

export const BALANCE = {
  wallet: 'spot',
  coin: 'USDT',
  balance: '1000000.00000000',
  available: '1000000.00000000',
  frozen: '0.00000000',
  lock: '0.00000000',
};

export const KEY = {
  key: '5b1f0a3c9d2e4f6081a2b3c4d5e6f708',
  accountId: '1',
  label: 'grid bot',
  permissions: ['read', 'trade'],
  ipAllowList: ['10.0.0.0/8'],
  strictReplay: false,
  cTime: TIME_TEXT,
};

export const NEW_KEY = {
  ...KEY,
  secret: 'w6nVg0sYw0cN1p2yqkqv9c1mYlq3m2b7tq0aZxk8dEs',
  passphrase: 'p0Vt9sXk2LmQ4rYw',
};

export const MOVEMENT = {
  billId: '700000000000000012',
  accountId: '1',
  wallet: 'spot',
  coin: 'USDT',
  amount: '250.00000000',
  balance: '1000250.00000000',
};

export const LOCK = { accountId: '1', coin: 'USDT', lock: '250.00000000' };

export const TRANSFERRED = {
  transferId: TRANSFER_ID,
  accountId: '1',
  coin: 'USDT',
  amount: '250.00000000',
  from: 'spot',
  to: 'cmt_btcusdt',
  clientOid: '',
};

export const ASSET = { code: 'SOL', coinId: 4, scale: 8, transferable: true, chains: [] };

export const PAIR = {
  symbol: 'BTCUSDT_SPBL',
  base: 'BTC',
  quote: 'USDT',
  priceScale: 2,
  quantityScale: 4,
  minQuantity: '0.0001',
  maxQuantity: '10000',
  minNotional: '0',
  takerFee: '0.001',
  makerFee: '0.001',
  status: 'online',
  suspendedReason: '',
  referencePrice: '30000',
  priceBand: '0.1',
};

/** What listing a contract needs. */
export const NEW_CONTRACT = {
  symbol: 'cmt_btcusdt',
  kind: 'linear',
  base: 'BTC',
  quote: 'USDT',
  contractValue: '0.001',
  priceScale: 1,
  priceStep: '0.5',
  referencePrice: '30000',
  tiers: [
    { contracts: '100000', maintenanceRate: '0.005', maxLeverage: 100 },
    { contracts: '500000', maintenanceRate: '0.01', maxLeverage: 50 },
  ],
  index: { sources: [{ spot: 'BTCUSDT_SPBL' }, { feed: 'elsewhere' }] },
};

export const CONTRACT = {
  ...NEW_CONTRACT,
  margin: 'USDT',
  quantityScale: 0,
  minQuantity: '1',
  maxQuantity: '500000',
  takerFee: '0.0006',
  makerFee: '0.0004',
  minLeverage: 1,
  maxLeverage: 100,
  priceBand: '0.05',
  markClamp: '0.03',
  openOrdersMax: 1000,
  planOrdersMax: 100,
  presetsMax: 100,
  fundingTimes: ['07:00', '15:00', '23:00'],
  fundingInterest: '0.0001',
  fundingClamp: '0.0005',
  fundingCap: '0.00375',
  impactQuantity: '1',
  insuranceBudget: '0.1',
  index: {
    sources: [
      { spot: 'BTCUSDT_SPBL', weight: 1 },
      { feed: 'elsewhere', weight: 1 },
    ],
    staleSeconds: 60,
    outlier: '0.05',
    impactNotional: '10000',
    maxMove: '0.0005',
  },
  status: 'online',
  suspendedReason: '',
};

export const PRICES = {
  index: '30000',
  indexStale: false,
  mark: '30001.5',
  highest: '31501.5',
  lowest: '28501.5',
  openInterest: '1200',
  fundingRate: '0.0001',
  nextFundingTime: '1795244400000',
  insuranceFund: '10000.00000000',
  time: TIME_TEXT,
};

export const LIQUIDATION = {
  symbol: 'cmt_btcusdt',
  accountId: '7',
  marginMode: 'fixed',
  side: 'long',
  mark: '28650',
  bankruptcy: '28517.5',
  contracts: '100',
  deleveraged: '0',
  fundDelta: '13.25000000',
  time: TIME_TEXT,
};

export const CLOCK = { time: '1795235652453', stepMs: 3_600_000 };

export const AUDIT = {
  balanced: true,
  seq: 128,
  accounts: 3,
  openOrders: 40,
  mismatchedContracts: [],
  uncoveredWallets: [],
  coins: [
    {
      coin: 'USDT',
      accounts: '3200000.00000000',
      frozen: '29.40000000',
      frozenByOrders: '29.40000000',
      lock: '0.00000000',
      fees: '0.00000000',
      insuranceFund: '0.00000000',
      clearing: '0.00000000',
      deposited: '3200000.00000000',
      withdrawn: '0.00000000',
      imbalance: '0.00000000',
    },
  ],
};
