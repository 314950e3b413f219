/** What the operator's endpoints answer with. Money, prices and rates are decimal text. */

import Type from 'typebox';
import { PERMISSIONS, SELF_TRADE_PREVENTIONS } from '#domain';
import { decimal, id, oneOf, text, timeMs } from '../schema.ts';
import { ContractSchema, marketStatus } from './contract-resources.ts';

const count = Type.Integer({ minimum: 0 });
const rate = decimal('Rate as a fraction: 0.001 is 0.1 %');

const BalanceSchema = Type.Object({
  wallet: text('spot, or the contract whose margin it is'),
  coin: text('Coin'),
  balance: decimal('All of it'),
  available: decimal('What can be spent, withdrawn or transferred'),
  frozen: decimal('Reserved by open orders'),
  lock: decimal('Locked by the operator'),
});

export const AccountSchema = Type.Object({
  accountId: text('Account id'),
  name: text('Account name'),
  frozen: Type.Boolean({ description: 'Refused orders, cancels and transfers; reads work' }),
  selfTradePrevention: oneOf(SELF_TRADE_PREVENTIONS, 'What happens when it meets itself'),
  openOrdersMax: count,
  takerFee: Type.Union([rate, Type.Null()], { description: "null for the pair's" }),
  makerFee: Type.Union([rate, Type.Null()], { description: "null for the pair's" }),
  openOrders: count,
  cTime: timeMs('When it was created'),
});

export const AccountWithBalancesSchema = Type.Object({
  ...AccountSchema.properties,
  balances: Type.Array(BalanceSchema),
});

export const KeySchema = Type.Object({
  key: text('The ACCESS-KEY'),
  accountId: text('Account id'),
  label: text('What it is for'),
  permissions: Type.Array(oneOf(PERMISSIONS, 'Permission')),
  ipAllowList: Type.Array(text('Address or CIDR block; none for any')),
  strictReplay: Type.Boolean({ description: 'Whether each signed change is executed once' }),
  cTime: timeMs('When it was created'),
});

/** The only answer with a secret in it, given once. */
export const NewKeySchema = Type.Object({
  ...KeySchema.properties,
  secret: text('Signs requests; shown once'),
  passphrase: text('The ACCESS-PASSPHRASE; shown once'),
});

export const MovementSchema = Type.Object({
  billId: id('The entry in the account history'),
  accountId: text('Account id'),
  wallet: text('Wallet'),
  coin: text('Coin'),
  amount: decimal('Signed: negative leaves the wallet'),
  balance: decimal('Balance after it'),
});

export const LockSchema = Type.Object({
  accountId: text('Account id'),
  coin: text('Coin'),
  lock: decimal('What is now locked'),
});

export const TransferredSchema = Type.Object({
  transferId: id('The transfer'),
  accountId: text('Account id'),
  coin: text('Coin'),
  amount: decimal('Amount'),
  from: text('Wallet'),
  to: text('Wallet'),
  clientOid: text('Id given by the caller; may be empty'),
});

export const CancelledSchema = Type.Object({
  accountId: text('Account id'),
  cancelled: Type.Integer({ minimum: 0, description: 'Open orders, plan orders not counted' }),
});

const ChainSchema = Type.Object({
  chain: text('Network'),
  needTag: Type.Boolean(),
  withdrawable: Type.Boolean(),
  rechargeable: Type.Boolean(),
  withdrawFee: decimal('Shown, not charged'),
  depositConfirm: count,
  withdrawConfirm: count,
  minDepositAmount: decimal('Shown'),
  minWithdrawAmount: decimal('Shown'),
  browserUrl: text('Prefix of a block explorer page'),
});

export const AdminAssetSchema = Type.Object({
  code: text('Coin'),
  coinId: count,
  scale: count,
  transferable: Type.Boolean(),
  chains: Type.Array(ChainSchema),
});

export const PairSchema = Type.Object({
  symbol: text('Pair'),
  base: text('Coin that is traded'),
  quote: text('Coin it is priced in'),
  priceScale: count,
  quantityScale: count,
  minQuantity: decimal('Smallest order in base coin'),
  maxQuantity: decimal('Largest order in base coin'),
  minNotional: decimal('Smallest order value in quote coin'),
  takerFee: rate,
  makerFee: rate,
  status: marketStatus,
  suspendedReason: text('Failure that suspended it; empty while it is not suspended'),
  referencePrice: decimal('Centre of the resident market maker; 0 for none'),
  priceBand: decimal('Buys go so far above the last price, sells below it; 0 for any price'),
});

export const InstrumentsSchema = Type.Object({
  assets: Type.Array(AdminAssetSchema),
  spot: Type.Array(PairSchema),
  contracts: Type.Array(ContractSchema),
});

export const ClockSchema = Type.Object({
  time: timeMs('Time of the venue from now on'),
  stepMs: Type.Integer({ description: 'How far it has gone forward by this; 0 when it was right' }),
});

export const AuditSchema = Type.Object({
  balanced: Type.Boolean({ description: 'Nothing was invented, nothing was lost' }),
  seq: count,
  accounts: count,
  openOrders: count,
  mismatchedContracts: Type.Array(
    text('Contract whose longs and shorts, or their money, do not match; none when all is well'),
  ),
  uncoveredWallets: Type.Array(
    Type.Object({
      accountId: text('Account'),
      wallet: text('Wallet with less in it than orders, locks and fixed positions set aside'),
      coin: text('Coin'),
      missing: decimal('What is missing'),
    }),
    { description: 'None when all is well' },
  ),
  coins: Type.Array(
    Type.Object({
      coin: text('Coin'),
      accounts: decimal('Sum over all accounts and wallets'),
      frozen: decimal('Reserved by open orders'),
      frozenByOrders: decimal('The same, computed from the orders'),
      lock: decimal('Locked by the operator'),
      fees: decimal('Fees the venue took'),
      insuranceFund: decimal('What is kept for liquidations that fall short'),
      clearing: decimal('Owed between open positions: below zero is profit already paid out'),
      deposited: decimal('Came in'),
      withdrawn: decimal('Went out'),
      imbalance: decimal('accounts + fees + insuranceFund + clearing - (deposited - withdrawn)'),
    }),
  ),
});
