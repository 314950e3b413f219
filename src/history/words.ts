/** The words of bills and transfers, which tables and pages have in common. */

/** What a bill was for, and the coarser group a client may ask for instead. */
export type BillBiz =
  | 'deposit'
  | 'withdraw'
  | 'transfer_in'
  | 'transfer_out'
  | 'buy'
  | 'sell'
  | 'funding';
export type BillGroup = 'deposit' | 'withdraw' | 'transfer' | 'transaction' | 'other';

export const BILL_GROUPS: Readonly<Record<BillBiz, BillGroup>> = {
  deposit: 'deposit',
  withdraw: 'withdraw',
  transfer_in: 'transfer',
  transfer_out: 'transfer',
  buy: 'transaction',
  sell: 'transaction',
  funding: 'other',
};

/** What pages of transfers are filtered by: `contract` is every margin wallet. */
export type WalletKind = 'spot' | 'contract';
