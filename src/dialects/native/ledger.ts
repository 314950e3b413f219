/** Every change of every wallet in one list, merged from what history keeps of each kind. */
import type { Services } from '#api';
import {
  type AccountView,
  type AssetId,
  type Contract,
  type InstrumentId,
  isRefused,
  type Listings,
  linearContractsOf,
  marginWallet,
  refuse,
  type Wallet,
  walletMeant,
} from '#domain';
import { LEDGER_KINDS, type LedgerKind, type LedgerQuery } from '#history';
import { coinOrAll, marginCoins } from '../kit/coins.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { shown } from '../kit/fields.ts';
import { walletNamed } from '../kit/markets.ts';
import { type Field, type Named, optionalText } from '../kit/request.ts';
import * as schema from '../kit/schema.ts';
import {
  BEFORE_ROW,
  inOrder,
  LEDGER,
  type LedgerRow,
  NEXT_ROW,
  ofBill,
  ofEntry,
  type Place,
  placeText,
  REASONS,
  type Reason,
} from './ledger-rows.ts';
import { pageOf, ROWS, SPAN, spanOf, writePage } from './pages.ts';
import { BASE, isPair, type Market, ONE_OR_ALL } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

/** Its words are too many for the text of a refusal. */
const REASON: Field<Reason | undefined> = {
  schema: schema.optional('Only what was for this', schema.choices(...REASONS)),
  read: (fields, name) => {
    const given = fields.text(name).toLowerCase();
    const found = REASONS.find((reason) => reason === given);
    if (found === undefined && given !== '') {
      fields.refuse('parameter_invalid', `${name} ${shown(given)} is unknown`);
    }
    return found;
  },
};

const WALLET_OR_ALL: Named<string, Wallet | undefined> = {
  ...optionalText('Only this wallet: spot, margin, or a contract for the wallet behind it'),
  find: (name, listings) => (name === '' ? undefined : walletNamed(listings, name)),
};

/** What rows of one part of the list are asked for, where the page begins there. */
interface Asked {
  readonly account: Pick<AccountView, 'accountId' | 'wallets'>;
  readonly wallet: Wallet | undefined;
  readonly assetId: AssetId | undefined;
  readonly market: Market | undefined;
  readonly reason: Reason | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly before: Place | undefined;
  readonly limit: number;
}

export const LEDGER_ENDPOINTS = {
  ledger: signedEndpoint({
    method: 'GET',
    path: `${BASE}/ledger`,
    rate: RATE,
    permission: 'read',
    summary: 'Every change of every wallet with the balance after it, newest first',
    request: {
      wallet: WALLET_OR_ALL,
      coin: coinOrAll(),
      reason: REASON,
      symbol: ONE_OR_ALL,
      ...SPAN,
      before: BEFORE_ROW,
      limit: ROWS,
    },
    response: pageOf(LEDGER, NEXT_ROW),
    answer: async (services: Services, values, { accountId }) => {
      const { coin, reason, symbol: market, from, to, before, limit } = values;
      const span = spanOf(from, to);
      if (isRefused(span)) return span;
      const { listings } = services.live;
      const wallets = await services.venue.read(
        (state) => state.account(accountId)?.wallets,
        accountId,
      );
      if (wallets === undefined) return refuse('account_unknown');
      const account = { accountId, wallets };
      const wallet = values.wallet && walletMeant(account, values.wallet, listings);
      const facts = { account, wallet, assetId: coin?.assetId, market, reason };
      const rows = await ledgerRows(services, { ...facts, ...span, before, limit });
      return writePage(rows, LEDGER, placeText, limit);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

async function ledgerRows(services: Services, asked: Asked): Promise<readonly LedgerRow[]> {
  await services.historyReady();
  const [bills, entries] = await Promise.all([
    spotRows(services, asked),
    contractRows(services, asked),
  ]);
  return [...bills, ...entries].sort(inOrder).slice(0, asked.limit);
}

const MOVES = ['deposit', 'withdraw', 'transfer_in', 'transfer_out'] as const;
const SPOT_REASONS = [...MOVES, 'buy', 'sell'] as const;

/** What lies before a row of the other part: of one time bills come first. */
function untilBefore({ toMs, before }: Asked, part: Place['part']): number | undefined {
  if (before === undefined || before.part === part) return toMs;
  return Math.min(toMs ?? before.timeMs, part === 'spot' ? before.timeMs - 1 : before.timeMs);
}

async function spotRows({ history, live }: Services, asked: Asked): Promise<readonly LedgerRow[]> {
  const { account, wallet = 'spot', market, reason, before } = asked;
  const biz = SPOT_REASONS.find((one) => one === reason);
  const isNone = wallet !== 'spot' || (reason !== undefined && biz === undefined);
  if (isNone || (market !== undefined && !isPair(market))) return [];
  const bills = await history.bills({
    accountId: account.accountId,
    wallet,
    assetId: asked.assetId,
    instrumentId: market?.instrumentId,
    biz,
    fromMs: asked.fromMs,
    toMs: untilBefore(asked, 'spot'),
    afterId: before?.part === 'spot' ? before.number : undefined,
    limit: asked.limit,
  });
  return bills.map((bill) => ofBill(live.listings, bill));
}

/** The part of a ledger that a query asks for; all of them together are what is wanted. */
interface Share extends Pick<LedgerQuery, 'wallet'> {
  readonly assetId: AssetId | undefined;
  readonly instrumentId?: InstrumentId;
  readonly kinds?: readonly LedgerKind[];
}

async function contractRows(
  { history, live }: Services,
  asked: Asked,
): Promise<readonly LedgerRow[]> {
  const { account, reason, fromMs, before, limit } = asked;
  const wanted = LEDGER_KINDS.filter((kind) => reason === undefined || kind === reason);
  const pages = await Promise.all(
    sharesOf(live.listings, asked).map(async ({ kinds = LEDGER_KINDS, ...share }) => {
      const both = kinds.filter((kind) => wanted.includes(kind));
      if (both.length === 0) return [];
      return history.ledger({
        ...share,
        accountId: account.accountId,
        kinds: both,
        fromMs,
        toMs: untilBefore(asked, 'contract'),
        before: before?.part === 'contract' ? before.number : undefined,
        limit,
      });
    }),
  );
  return pages.flat().map((entry) => ofEntry(live.listings, entry));
}

/** No two have a row in common, and none passes over many rows of other wallets. */
function sharesOf(listings: Listings, asked: Asked): readonly Share[] {
  const { account, wallet, assetId, market } = asked;
  if (wallet === 'spot') return [];
  if (market !== undefined) {
    if (isPair(market)) return [];
    const isThere = wallet === undefined || wallet === marginWallet(account, market);
    return isThere ? [{ instrumentId: market.instrumentId, assetId }] : [];
  }
  if (wallet === undefined) return [{ assetId }];
  const contract = listings.contract(wallet);
  return contract === undefined
    ? sharesOfCoins(listings, wallet, assetId)
    : sharesOfOne(contract, wallet, assetId);
}

/** Of the wallet that contracts of a coin share: coin by coin. */
function sharesOfCoins(listings: Listings, wallet: Wallet, only: AssetId | undefined): Share[] {
  return marginCoins(listings)
    .filter(({ assetId }) => only === undefined || assetId === only)
    .filter(({ assetId }) => linearContractsOf(listings, assetId).length > 0)
    .map(({ assetId }) => ({ assetId, wallet }));
}

/** Of a contract's own wallet: what was done in the contract, and money that came and went. */
function sharesOfOne(
  { instrumentId, margin }: Contract,
  wallet: Wallet,
  only: AssetId | undefined,
): Share[] {
  const { assetId } = margin;
  if (only !== undefined && only !== assetId) return [];
  return [
    { instrumentId, assetId },
    { assetId, wallet, kinds: MOVES },
  ];
}
