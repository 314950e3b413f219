/**
 * Turns the fields of reads, cancels and transfers into what the venue and its views ask for.
 * Every reader answers with the query or with the first refusal.
 */
import type { JsonObject } from '#api';
import {
  type AccountId,
  type Amount,
  type Asset,
  isRefused,
  LIMITS,
  type Listings,
  type OrderId,
  orderId,
  parseId,
  type Refused,
  refuse,
  type SpotInstrument,
  type Transfer,
  type Wallet,
  walletOf,
} from '#domain';
import { parseDecimal } from '#kernel';
import { Fields, scalarText, shown } from '../fields.ts';
import { CLIENT_ORDER_ID_NAMES, whyNot } from './spot-read-order.ts';
import { resolvePair } from './spot-read-pair.ts';

/** An order of the caller, by its id or, when that is undefined, by the id the client chose. */
export interface OrderReference {
  readonly pair: SpotInstrument;
  readonly orderId: OrderId | undefined;
  readonly clientOrderId: string;
}

/** The order a cancel or a query is about. An id that cannot be ours counts as unknown. */
export function readOrderReference(body: JsonObject, listings: Listings): OrderReference | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const idText = fields.text('orderId');
  const clientOrderId = idText === '' ? fields.clientId(...CLIENT_ORDER_ID_NAMES) : '';
  if (idText === '' && clientOrderId === '') fields.refuse('order_id_missing', '');
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  if (idText === '') return { pair, orderId: undefined, clientOrderId };
  const id = parseId(idText);
  if (id === undefined) return refuse('order_unknown', shown(idText));
  return { pair, orderId: orderId(id), clientOrderId };
}

export interface CancelBatch {
  readonly pair: SpotInstrument;
  /** In request order; ids that cannot be ours are left out. */
  readonly orderIds: readonly OrderId[];
}

export function readCancelBatch(body: JsonObject, listings: Listings): CancelBatch | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const texts = fields.list('orderIds', LIMITS.spotBatchMax).map(scalarText);
  if (texts.includes(undefined)) fields.refuse('parameter_invalid', 'orderIds must hold order ids');
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  const ids = texts.map((text) => parseId(text ?? '')).filter((id) => id !== undefined);
  return { pair, orderIds: ids.map(orderId) };
}

/** One body of a cancel for each order that a batch names, by its id or the id its client chose. */
export function readNamedCancels(body: JsonObject): JsonObject[] | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const names = ['orderIds', 'clientOids'].flatMap((list) => {
    if (!fields.has(list)) return [];
    const name = list === 'orderIds' ? 'orderId' : 'clientOrderId';
    return fields.list(list, LIMITS.spotBatchMax).map((item) => ({ symbol, [name]: item }));
  });
  if (names.length === 0) fields.refuse('order_id_missing', '');
  if (names.length > LIMITS.spotBatchMax)
    fields.refuse('batch_too_large', `${names.length} orders`);
  return fields.fault ?? names;
}

/** A pair, or undefined for every pair, which a client asks for with an empty symbol. */
export function readPairOrAll(
  body: JsonObject,
  listings: Listings,
): { readonly pair: SpotInstrument | undefined } | Refused {
  const fields = new Fields(body);
  if (fields.has('symbol') && fields.text('symbol') === '' && fields.fault === undefined) {
    return { pair: undefined };
  }
  const pair = resolvePair(fields, fields.requiredText('symbol'), listings);
  return isRefused(pair) ? pair : { pair };
}

export interface IdPage {
  readonly afterId: number | undefined;
  readonly beforeId: number | undefined;
  readonly limit: number;
}

function readIdPage(fields: Fields): IdPage {
  return {
    afterId: fields.pageId('after'),
    beforeId: fields.pageId('before'),
    limit: fields.limit(LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
  };
}

export interface OrderHistoryQuery extends IdPage {
  readonly pair: SpotInstrument;
}

export function readOrderHistory(
  body: JsonObject,
  listings: Listings,
): OrderHistoryQuery | Refused {
  const fields = new Fields(body);
  const symbol = fields.requiredText('symbol');
  const page = readIdPage(fields);
  const pair = resolvePair(fields, symbol, listings);
  if (isRefused(pair)) return pair;
  return { ...page, pair };
}

export interface FillsQuery extends OrderHistoryQuery {
  /** null when the id given cannot be ours: there are no such fills. */
  readonly orderId: OrderId | null | undefined;
}

export function readFills(body: JsonObject, listings: Listings): FillsQuery | Refused {
  const query = readOrderHistory(body, listings);
  if (isRefused(query)) return query;
  const fields = new Fields(body);
  const idText = fields.text('orderId');
  if (fields.fault !== undefined) return fields.fault;
  if (idText === '') return { ...query, orderId: undefined };
  const id = parseId(idText);
  return { ...query, orderId: id === undefined ? null : orderId(id) };
}

/** A coin by its code, in any case; undefined for all coins. */
export function readCoin(
  query: JsonObject,
  listings: Listings,
): { readonly coin: Asset | undefined } | Refused {
  const fields = new Fields(query);
  const code = fields.text('coin', 'coinName');
  if (fields.fault !== undefined || code === '') return fields.fault ?? { coin: undefined };
  const coin = listings.assetByCode(code.toUpperCase());
  return coin === undefined ? refuse('coin_unknown', shown(code)) : { coin };
}

type BillGroup = 'deposit' | 'withdraw' | 'transfer' | 'transaction';
type BillBiz = 'deposit' | 'withdraw' | 'transfer_in' | 'transfer_out' | 'buy' | 'sell';

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

export interface BillsQuery extends IdPage {
  readonly coin: Asset | undefined;
  readonly group: BillGroup | 'other' | undefined;
  readonly biz: BillBiz | 'other' | undefined;
}

export function readBills(body: JsonObject, listings: Listings): BillsQuery | Refused {
  const fields = new Fields(body);
  const group = fields.choice('groupType', GROUPS, undefined);
  const biz = fields.choice('bizType', BUSINESS, undefined);
  const page = readIdPage(fields);
  const coin = readCoinId(fields, listings);
  return fields.fault ?? { ...page, group, biz, coin };
}

function readCoinId(fields: Fields, listings: Listings): Asset | undefined {
  const coinId = fields.wholeNumber('coinId');
  if (coinId === undefined) return undefined;
  const coin = listings.assetByCoinId(coinId);
  if (coin === undefined) fields.refuse('coin_unknown', `coinId ${coinId}`);
  return coin;
}

type WalletKind = 'EXCHANGE' | 'CONTRACT';

const WALLET_KINDS: ReadonlyMap<string, WalletKind> = new Map([
  ['exchange', 'EXCHANGE'],
  ['spot', 'EXCHANGE'],
  ['contract', 'CONTRACT'],
  ['mix_usdt', 'CONTRACT'],
  ['usdt_mix', 'CONTRACT'],
  ['mix_usd', 'CONTRACT'],
  ['usd_mix', 'CONTRACT'],
]);

/** Account types that clients know and this venue does not have. */
const FOREIGN_KINDS = ['otc_sgd'];

const FROM_TYPES: ReadonlyMap<string, WalletKind | 'foreign' | undefined> = new Map<
  string,
  WalletKind | 'foreign'
>([...WALLET_KINDS, ...FOREIGN_KINDS.map((word) => [word, 'foreign'] as const)]);

export interface TransfersQuery {
  readonly coin: Asset | undefined;
  /** 'foreign' when no transfer of this venue can match. */
  readonly fromType: WalletKind | 'foreign' | undefined;
  readonly clientOid: string;
  readonly afterTimeMs: number | undefined;
  readonly beforeTimeMs: number | undefined;
  readonly limit: number;
}

export function readTransfers(query: JsonObject, listings: Listings): TransfersQuery | Refused {
  const fields = new Fields(query);
  const found = {
    fromType: fields.choice('fromType', FROM_TYPES, undefined),
    clientOid: fields.clientId(...CLIENT_ORDER_ID_NAMES),
    afterTimeMs: fields.wholeNumber('after'),
    beforeTimeMs: fields.wholeNumber('before'),
    limit: fields.limit(LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    coin: readCoinId(fields, listings),
  };
  return fields.fault ?? found;
}

/** The command of a transfer between the caller's own wallets. */
export function readTransfer(
  body: JsonObject,
  accountId: AccountId,
  listings: Listings,
): Transfer | Refused {
  const fields = new Fields(body);
  const code = fields.requiredText('coin').toUpperCase();
  const amountText = fields.requiredText('amount');
  const fromType = fields.requiredChoice('fromType', WALLET_KINDS, 'EXCHANGE');
  const toType = fields.requiredChoice('toType', WALLET_KINDS, 'EXCHANGE');
  const clientOid = fields.clientId(...CLIENT_ORDER_ID_NAMES);
  const meant = (kindName: string) => contractsMeant(listings, code, fields.text(kindName));
  const from = readWallet(fields, fromType, 'fromSymbol', () => meant('fromType'));
  const to = readWallet(fields, toType, 'toSymbol', () => meant('toType'));
  if (fields.fault !== undefined) return fields.fault;
  const coin = listings.assetByCode(code);
  if (coin === undefined) return refuse('coin_unknown', shown(code));
  const amount = readAmount(fields, amountText, coin);
  if (fields.fault !== undefined) return fields.fault;
  return { kind: 'transfer', accountId, assetId: coin.assetId, amount, from, to, clientOid };
}

/** Contracts whose margin is this coin: of USDT accounts the linear ones, of USD the inverse. */
function contractsMeant(listings: Listings, coin: string, kindWord: string): string[] {
  const word = kindWord.toLowerCase();
  const kind = word.includes('usdt') ? 'linear' : word.includes('usd') ? 'inverse' : undefined;
  return [...listings.contracts.values()]
    .filter((one) => one.margin.code === coin && (kind === undefined || one.kind === kind))
    .map(({ symbol }) => symbol);
}

/** Without a symbol the one contract that can be meant; of several one has to be said. */
function readWallet(
  fields: Fields,
  kind: WalletKind,
  symbolName: string,
  meant: () => readonly string[],
): Wallet {
  if (kind === 'EXCHANGE') return 'spot';
  const given = fields.text(symbolName).toLowerCase();
  const [only, second] = given === '' ? meant() : [];
  if (only !== undefined && second === undefined) return walletOf(only);
  if (given === '') fields.requiredText(symbolName);
  if (given.length <= LIMITS.nameLengthMax && /^(cmt_)?[a-z0-9]+$/.test(given)) {
    return walletOf(given.startsWith('cmt_') ? given : `cmt_${given}`);
  }
  fields.refuse('contract_unknown', shown(given));
  return 'spot';
}

function readAmount(fields: Fields, given: string, coin: Asset): Amount {
  const value = parseDecimal(given, coin.scale);
  if (typeof value === 'bigint' && value > 0n) return value;
  fields.refuse('amount_invalid', whyNot(given, value, coin.scale));
  return 0n;
}
