/** An account's money: balances, bills, and transfers between its own wallets. */
import type { JsonObject, Services } from '#api';
import {
  type AccountId,
  type Amount,
  type Asset,
  type BalanceView,
  type Contract,
  isRefused,
  LIMITS,
  type Listings,
  marginWallet,
  type Refused,
  refuse,
  type Transfer,
  type Wallet,
  type WalletScope,
} from '#domain';
import type { Bill, TransferRecord, WalletKind } from '#history';
import { formatTrimmed, present } from '#kernel';
import { formatAmount } from '../kit/amounts.ts';
import { carryOut, submit } from '../kit/carry-out.ts';
import { COIN_ID, coinNamed, coinOf, coinOrAll } from '../kit/coins.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type CoinBalance, EncodedBalances } from '../kit/encoded-balances.ts';
import { type SignedEndpoint, signedEndpoint, signedEndpointReadBy } from '../kit/endpoint.ts';
import { TIME_MS, TRANSFER_ID } from '../kit/examples.ts';
import { Fields, shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { TRANSFERS_END } from '../kit/page-ends.ts';
import { optionalChoice, optionalText, requiredText, wholeNumber } from '../kit/request.ts';
import { decimal, id, jsonList, listedName, listOf, oneOf, row, text, timeMs } from '../kit/row.ts';
import { clientIdField, ID_PAGE, perSecond, SPOT_BASE } from './spot-terms.ts';
import { walletName, walletOfName } from './symbols.ts';

export const ASSET = row<CoinBalance>()({
  coinId: decimal('Number of the coin', '2', ({ coin }) => coin.coinId),
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  available: decimal('Free to spend', '999970.60000000', ({ coin, balance }) =>
    formatAmount(balance.available, coin.scale),
  ),
  frozen: decimal('Reserved by open orders', '29.40000000', ({ coin, balance }) =>
    formatAmount(balance.held, coin.scale),
  ),
  lock: decimal('Kept back by the operator', '0.00000000', ({ coin, balance }) =>
    formatAmount(balance.locked, coin.scale),
  ),
  uTime: timeMs('When it last changed', TIME_MS, ({ balance }) => balance.updatedTimeMs),
});

const ASSETS = new EncodedBalances(ASSET.write);

type BillGroup = 'deposit' | 'withdraw' | 'transfer' | 'transaction';
type BillBiz = 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'buy' | 'sell';

const SHOWN_GROUPS = ['deposit', 'withdraw', 'transaction', 'transfer', 'other'];
const SHOWN_BUSINESS = ['deposit', 'withdraw', 'buy', 'sell', 'transfer-in', 'transfer-out'];

/** 'other' is a group clients know and this venue never uses. */
const GROUPS: ReadonlyMap<string, BillGroup | 'other' | undefined> = new Map([
  ['deposit', 'deposit'],
  ['withdraw', 'withdraw'],
  ['withdrawal', 'withdraw'],
  ['transaction', 'transaction'],
  ['transfer', 'transfer'],
  ['other', 'other'],
]);

/** As with the groups: what clients know and this venue never books is 'other'. */
const BUSINESS: ReadonlyMap<string, BillBiz | 'other' | undefined> = new Map<
  string,
  BillBiz | 'other'
>([
  ['deposit', 'deposit'],
  ['withdraw', 'withdraw'],
  ['withdrawal', 'withdraw'],
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['transfer-in', 'transfer_in'],
  ['transfer-out', 'transfer_out'],
  ['deduction of handling fee', 'other'],
  ['rebate rewards', 'other'],
  ['airdrop rewards', 'other'],
]);

interface CoinBill {
  readonly coin: Asset;
  readonly bill: Bill;
}

const BILL = row<CoinBill>()({
  cTime: timeMs('When it happened', TIME_MS, ({ bill }) => bill.timeMs),
  coinId: decimal('Number of the coin', '2', ({ coin }) => coin.coinId),
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  groupType: oneOf(SHOWN_GROUPS, 'Group of the business', 'transaction', ({ bill }) => bill.group),
  bizType: oneOf(SHOWN_BUSINESS, 'Business', 'buy', ({ bill }) => bill.biz.replace('_', '-')),
  quantity: decimal(
    'Change before the fee; negative leaves the account',
    '-15.00500000',
    ({ coin, bill }) => formatAmount(bill.delta, coin.scale),
  ),
  balance: decimal('What the account held before', '1000000.00000000', ({ coin, bill }) =>
    formatAmount(bill.balanceBefore, coin.scale),
  ),
  fees: decimal('Fee paid, positive', '0.00000000', ({ coin, bill }) =>
    formatAmount(bill.fee, coin.scale),
  ),
  billId: id('Bill id', formatId(33), ({ bill }) => formatId(bill.billId)),
});

const WALLET_KINDS: ReadonlyMap<string, WalletKind> = new Map([
  ['exchange', 'spot'],
  ['spot', 'spot'],
  ['contract', 'contract'],
  ['mix_usdt', 'contract'],
  ['usdt_mix', 'contract'],
  ['mix_usd', 'contract'],
  ['usd_mix', 'contract'],
]);
const KIND_WORDS: Readonly<Record<WalletKind, string>> = { spot: 'EXCHANGE', contract: 'CONTRACT' };
const SHOWN_KINDS = Object.values(KIND_WORDS);

/** Account types that clients know and this venue does not have: no transfer can match. */
const FOREIGN_KINDS = ['otc_sgd'];

const FROM_TYPES: ReadonlyMap<string, WalletKind | 'foreign' | undefined> = new Map<
  string,
  WalletKind | 'foreign'
>([...WALLET_KINDS, ...FOREIGN_KINDS.map((word) => [word, 'foreign'] as const)]);

interface CoinTransfer {
  readonly coin: Asset;
  readonly transfer: TransferRecord;
}

const TRANSFER = row<CoinTransfer>()({
  coinName: listedName('Code of the coin', 'USDT', ({ coin }) => coin.code),
  status: oneOf(['SUCCESS'], 'A transfer is done when it is answered', 'SUCCESS', () => 'SUCCESS'),
  toType: oneOf(SHOWN_KINDS, 'Where to: spot or a contract', 'CONTRACT', ({ transfer }) =>
    walletKind(transfer.to),
  ),
  toSymbol: text(
    'The contract that was named; empty for spot, and where none was named of several',
    'cmt_btcusdt',
    ({ transfer }) => walletSymbol(transfer.toNamed),
  ),
  fromType: oneOf(SHOWN_KINDS, 'Where from: spot or a contract', 'EXCHANGE', ({ transfer }) =>
    walletKind(transfer.from),
  ),
  fromSymbol: text(
    'The contract that was named; empty for spot, and where none was named of several',
    '',
    ({ transfer }) => walletSymbol(transfer.fromNamed),
  ),
  amount: decimal('Amount in coins', '250', ({ coin, transfer }) =>
    formatTrimmed(transfer.amount, coin.scale),
  ),
  tradeTime: timeMs('When it happened', TIME_MS, ({ transfer }) => transfer.timeMs),
});

const TRANSFER_IDS = row<{ readonly transferId: number; readonly clientOid: string | undefined }>()(
  {
    transferId: id('Transfer id', TRANSFER_ID, ({ transferId }) => formatId(transferId)),
    clientOid: text('As the client sent it', '', ({ clientOid }) => clientOid ?? ''),
  },
);

const COIN = coinOrAll('coinName');

const TRANSFER_FIELDS = {
  coin: requiredText('Coin, by its code'),
  amount: requiredText('Amount in coins'),
  fromType: requiredText('EXCHANGE or CONTRACT'),
  toType: requiredText('EXCHANGE or CONTRACT'),
  fromSymbol: optionalText('The contract to take from; not needed where only one wallet is meant'),
  toSymbol: optionalText('The contract to give to; not needed where only one wallet is meant'),
  clientOid: clientIdField('Up to 40 characters without spaces and quotes'),
};

const assets = signedEndpoint({
  method: 'GET',
  path: `${SPOT_BASE}/account/assets`,
  rate: perSecond(10),
  permission: 'read',
  summary: 'Balances of the spot account',
  request: { coin: COIN },
  response: listOf(ASSET),
  answer: (services: Services, { coin }, { accountId }) => balances(services, accountId, coin),
});

const transfer = signedEndpointReadBy(readTransfer, {
  method: 'POST',
  path: `${SPOT_BASE}/wallet/transfer`,
  rate: perSecond(10),
  permission: 'transfer',
  summary: 'Move money between spot and a contract',
  request: TRANSFER_FIELDS,
  response: TRANSFER_IDS,
  example: {
    request: {
      coin: 'USDT',
      amount: '250',
      fromType: 'EXCHANGE',
      toType: 'CONTRACT',
      toSymbol: 'cmt_btcusdt',
    },
  },
  // A request that names its wallets keeps its place among those sent after it: nothing is looked
  // up for it. One that does not may still be clear in an account with fewer wallets.
  answer: async ({ venue }: Services, asked, { accountId }) => {
    const named = asked('contract');
    const event = isRefused(named)
      ? await carryOut(venue, 'transferred', (state) =>
          asked(present(state.account(accountId), 'account of the caller').wallets),
        )
      : await submit(venue, 'transferred', named);
    return isRefused(event) ? event : TRANSFER_IDS.write(event);
  },
});

export const SPOT_ACCOUNT = {
  assets,
  bills: signedEndpoint({
    method: 'POST',
    path: `${SPOT_BASE}/account/bills`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'Every change of a spot balance, newest first (100 by default, up to 500)',
    request: {
      groupType: optionalChoice(SHOWN_GROUPS.join(', '), GROUPS, undefined, SHOWN_GROUPS),
      bizType: optionalChoice(SHOWN_BUSINESS.join(', '), BUSINESS, undefined, SHOWN_BUSINESS),
      ...ID_PAGE,
      coinId: COIN_ID,
    },
    response: listOf(BILL),
    example: { request: { coinId: '2', limit: 1 } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { groupType: group, bizType: biz, coinId, ...page } = asked;
      if (group === 'other' || biz === 'other') return '[]';
      await historyReady();
      const found = await history.bills({
        afterId: page.after,
        beforeId: page.before,
        limit: page.limit,
        accountId,
        wallet: 'spot',
        assetId: coinId?.assetId,
        group,
        biz,
      });
      return jsonList(found, (bill) => BILL.write({ coin: coinOf(live.listings, bill), bill }));
    },
  }),
  transferRecords: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/account/transferRecords`,
    rate: perSecond(10),
    permission: 'read',
    summary:
      'Transfers between spot and contracts, newest first (100 by default, up to 500). ' +
      TRANSFERS_END,
    request: {
      fromType: optionalChoice('EXCHANGE or CONTRACT', FROM_TYPES, undefined, SHOWN_KINDS),
      clientOid: clientIdField('Only the transfer with this id'),
      after: wholeNumber('A time in milliseconds: transfers before it, newest first'),
      before: wholeNumber('A time in milliseconds: transfers after it, oldest first'),
      limit: ID_PAGE.limit,
      coinId: COIN_ID,
    },
    response: listOf(TRANSFER),
    example: { request: { coinId: '2' } },
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { fromType, clientOid, coinId, after, before, limit } = asked;
      if (fromType === 'foreign') return '[]';
      await historyReady();
      const found = await history.transfers({
        afterTimeMs: after,
        beforeTimeMs: before,
        limit,
        whole: 'millisecond',
        accountId,
        assetId: coinId?.assetId,
        fromType,
        clientOid,
      });
      return jsonList(found, (one) =>
        TRANSFER.write({ coin: coinOf(live.listings, one), transfer: one }),
      );
    },
  }),
  transfer,
} as const satisfies Record<string, SignedEndpoint<Services>>;

const ACCOUNT = row<AccountId>()({
  id: text('Account id', '1', String),
  type: text('spot', 'spot', () => 'spot'),
  state: text('working', 'working', () => 'working'),
});

/** What older clients call under other names. */
export const OLDER_SPOT_ACCOUNT = {
  assetsLite: signedEndpoint({
    method: 'GET',
    path: `${SPOT_BASE}/account/assets-lite`,
    rate: perSecond(10),
    permission: 'read',
    summary: 'As account/assets, without coins of which there is nothing',
    request: { coin: COIN },
    response: listOf(ASSET),
    answer: (services: Services, { coin }, { accountId }) =>
      balances(services, accountId, coin, ({ balance }) => balance !== 0n),
  }),
  transferV2: { ...transfer, path: `${SPOT_BASE}/wallet/transfer-v2` },
  accounts: signedEndpoint({
    method: 'GET',
    path: '/api/v1/account/accounts',
    rate: perSecond(10),
    permission: 'read',
    summary: 'The account of the key, as the first interface listed accounts',
    request: {},
    response: listOf(ACCOUNT),
    answer: (_services: Services, _values, { accountId }) => `[${ACCOUNT.write(accountId)}]`,
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function balances(
  { venue }: Services,
  accountId: AccountId,
  coin: Asset | undefined,
  isShown: (balance: BalanceView) => boolean = () => true,
): Promise<string | Refused> {
  return venue.read((state) => {
    const account = state.account(accountId);
    if (account === undefined) return refuse('account_unknown');
    const shown = [...account.spotBalances()].filter(
      (balance) => (coin === undefined || balance.assetId === coin.assetId) && isShown(balance),
    );
    return jsonList(shown, (balance) =>
      ASSETS.json(accountId, coinOf(state.listings, balance), balance),
    );
  }, accountId);
}

function walletKind(wallet: Wallet): string {
  return KIND_WORDS[wallet === 'spot' ? 'spot' : 'contract'];
}

/** A wallet that several contracts stand on names none of them. */
function walletSymbol(wallet: Wallet): string {
  return wallet === 'spot' || wallet === 'margin' ? '' : walletName(wallet);
}

/** What is asked for, once it is known what has a wallet of its own in the account. */
type TransferAsked = (wallets: WalletScope) => Transfer | Refused;

function readTransfer(body: JsonObject, listings: Listings, accountId: AccountId): TransferAsked {
  return (wallets) => transferOf(body, listings, accountId, wallets);
}

/** Which wallet is meant depends on the coin and on what kind of account is named. */
function transferOf(
  body: JsonObject,
  listings: Listings,
  accountId: AccountId,
  wallets: WalletScope,
): Transfer | Refused {
  const fields = new Fields(body);
  const code = TRANSFER_FIELDS.coin.read(fields, 'coin').toUpperCase();
  const amountText = TRANSFER_FIELDS.amount.read(fields, 'amount');
  const fromType = fields.requiredChoice('fromType', WALLET_KINDS, 'spot');
  const toType = fields.requiredChoice('toType', WALLET_KINDS, 'spot');
  const clientOid = TRANSFER_FIELDS.clientOid.read(fields, 'clientOid');
  const meant = (kindName: string) =>
    walletsMeant(contractsMeant(listings, code, fields.text(kindName)), wallets);
  const from = readWallet(fields, fromType, 'fromSymbol', () => meant('fromType'));
  const to = readWallet(fields, toType, 'toSymbol', () => meant('toType'));
  if (fields.fault !== undefined) return fields.fault;
  const coin = coinNamed(listings, code);
  if (isRefused(coin)) return coin;
  const amount = readAmount(amountText, coin);
  if (isRefused(amount)) return amount;
  return { kind: 'transfer', accountId, assetId: coin.assetId, amount, from, to, clientOid };
}

/** Contracts whose margin is this coin: of USDT accounts the linear ones, of USD the inverse. */
function contractsMeant(listings: Listings, coin: string, kindWord: string): Contract[] {
  const word = kindWord.toLowerCase();
  const kind = word.includes('usdt') ? 'linear' : word.includes('usd') ? 'inverse' : undefined;
  return [...listings.contracts.values()].filter(
    (one) => one.margin.code === coin && (kind === undefined || one.kind === kind),
  );
}

function walletsMeant(contracts: readonly Contract[], wallets: WalletScope): Wallet[] {
  return [...new Set(contracts.map((contract) => marginWallet({ wallets }, contract)))];
}

/** Without a symbol the one wallet that can be meant; of several one has to be said. */
function readWallet(
  fields: Fields,
  kind: WalletKind,
  symbolName: string,
  meant: () => readonly Wallet[],
): Wallet {
  if (kind === 'spot') return 'spot';
  const given = fields.text(symbolName).toLowerCase();
  const [only, second] = given === '' ? meant() : [];
  if (only !== undefined && second === undefined) return only;
  if (given === '') fields.requiredText(symbolName);
  const wallet = given.length <= LIMITS.nameLengthMax ? walletOfName(given) : undefined;
  if (wallet !== undefined) return wallet;
  fields.refuse('contract_unknown', shown(given));
  return 'spot';
}

function readAmount(given: string, coin: Asset): Amount | Refused {
  return readDecimal(given, { scale: coin.scale, reject: 'amount_invalid' });
}
