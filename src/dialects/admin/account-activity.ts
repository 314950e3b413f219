/** What an account does and has done, for the operator, and closing all that it holds. */
import {
  type AccountId,
  type AccountView,
  isRefused,
  LIMITS,
  type Refused,
  refuse,
  type StateReader,
  type TradeId,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';
import { workDone } from '../kit/carry-out.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { refusalText } from '../kit/house-rejects.ts';
import { CONTRACT_SYMBOL } from '../kit/markets.ts';
import { beforeOrder, beforeTrade, pageLimit, wholeNumber } from '../kit/request.ts';
import { jsonList, listOf, oneOf, row, rows, text, whole } from '../kit/row.ts';
import {
  ACCOUNT_ENTRY,
  ACCOUNT_FILL,
  ACCOUNT_ORDER,
  ACCOUNT_POSITION,
  ACCOUNT_TRIGGER,
  contractEntry,
  contractFill,
  contractOrder,
  pairFill,
  pairOrder,
  type ShownOrder,
  type ShownPosition,
  spotEntry,
} from './account-rows.ts';
import { ACCOUNT_PATH, type AdminContext, onAccount } from './context.ts';
import { required, word } from './fields.ts';
import { onOpenAccount } from './payment-accounts.ts';

const LIMIT = pageLimit(
  `Rows wanted (${LIMITS.pageRowsDefault}, up to ${LIMITS.pageRowsMax})`,
  LIMITS.pageRowsDefault,
  LIMITS.pageRowsMax,
);
const BEFORE_ORDER = beforeOrder('Order id: orders before it');

const PRODUCTS = ['spot', 'contract'] as const;
const PRODUCT = required(word(PRODUCTS, 'spot'), 'spot or contract');

interface Left {
  readonly shown: ShownPosition;
  readonly why: string;
}

const LEFT = row<Left>()({
  contract: text('Contract', CONTRACT_SYMBOL, ({ shown }) => shown.contract.symbol),
  side: oneOf(['long', 'short'], 'Which side', 'long', ({ shown }) => shown.position.side),
  why: text('Why it is still held', 'Contract is not tradable now', ({ why }) => why),
});

interface Closed {
  readonly accountId: AccountId;
  readonly closed: number;
  readonly left: readonly Left[];
}

const CLOSED = row<Closed>()({
  accountId: text('Account id', '1', (done) => String(done.accountId)),
  closed: whole('Positions that were closed at the market', 2, ({ closed }) => closed),
  left: { ...rows(LEFT, ({ left }: Closed) => left), example: [] },
});

interface Page {
  readonly before: number | undefined;
  readonly limit: number;
}

/** Newest first: ids of all markets are of one sequence. */
function pageOf<T extends { readonly orderId: number }>(found: T[], { before, limit }: Page): T[] {
  const wanted = before === undefined ? found : found.filter(({ orderId }) => orderId < before);
  return wanted.sort((one, other) => other.orderId - one.orderId).slice(0, limit);
}

function openOrdersOf(state: StateReader, accountId: AccountId): ShownOrder[] {
  const found: ShownOrder[] = [];
  for (const order of state.openOrders(accountId)) {
    found.push(pairOrder(present(state.listings.spotById(order.instrumentId), 'pair'), order));
  }
  for (const order of state.openContractOrders(accountId)) {
    const contract = present(state.listings.contractById(order.instrumentId), 'contract');
    found.push(contractOrder(contract, order));
  }
  return found;
}

/** What it holds, contract by contract, the long side first. */
function positionsOf(state: StateReader, accountId: AccountId): ShownPosition[] {
  const found: ShownPosition[] = [];
  for (const contract of state.listings.contracts.values()) {
    const account = state.marginAccount(accountId, contract.instrumentId);
    if (account === undefined) continue;
    for (const position of [account.long, account.short]) {
      if (position.lots > 0) found.push({ contract, mode: account.marginMode, position });
    }
  }
  return found;
}

async function accountOf(
  { venue }: AdminContext,
  path: Readonly<Record<string, string | undefined>>,
): Promise<AccountView | Refused> {
  return venue.read((state) => onAccount(state, path.account, (account) => account));
}

export const ACTIVITY_ENDPOINTS = {
  openOrders: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/open-orders`,
    summary: 'Open orders of an account in pairs and contracts, newest first',
    request: { before: BEFORE_ORDER, limit: LIMIT },
    response: listOf(ACCOUNT_ORDER),
    answer: ({ venue }: AdminContext, page, { path }) =>
      venue.read((state) =>
        onAccount(state, path.account, ({ accountId }) =>
          jsonList(pageOf(openOrdersOf(state, accountId), page), ACCOUNT_ORDER.write),
        ),
      ),
  }),
  closedOrders: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/closed-orders`,
    summary: 'Orders of an account that are over, in pairs or in contracts, newest first',
    request: { product: PRODUCT, before: BEFORE_ORDER, limit: LIMIT },
    response: listOf(ACCOUNT_ORDER),
    example: { request: { product: 'spot' } },
    answer: async (context: AdminContext, { product, before, limit }, { path }) => {
      const account = await accountOf(context, path);
      if (isRefused(account)) return account;
      const { history, live, historyReady } = context;
      const { accountId } = account;
      await historyReady();
      if (product === 'spot') {
        return jsonList(await history.orders({ accountId, afterId: before, limit }), (order) => {
          const pair = present(live.listings.spotById(order.instrumentId), 'pair');
          return ACCOUNT_ORDER.write(pairOrder(pair, order));
        });
      }
      const query = { accountId, before, limit, offset: 0 };
      return jsonList(await history.contractOrders(query), (order) => {
        const contract = present(live.listings.contractById(order.instrumentId), 'contract');
        return ACCOUNT_ORDER.write(contractOrder(contract, order));
      });
    },
  }),
  fills: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/fills`,
    summary: 'Fills of an account in pairs and contracts, newest first',
    request: { before: beforeTrade('Trade id: fills before it'), limit: LIMIT },
    response: listOf(ACCOUNT_FILL),
    answer: async (context: AdminContext, { before, limit }, { path }) => {
      const account = await accountOf(context, path);
      if (isRefused(account)) return account;
      await context.historyReady();
      return fillsOf(context, account.accountId, limit, before);
    },
  }),
  positions: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/positions`,
    summary: 'What an account holds in contracts',
    request: {},
    response: listOf(ACCOUNT_POSITION),
    answer: ({ venue }: AdminContext, _asked, { path }) =>
      venue.read((state) =>
        onAccount(state, path.account, ({ accountId }) =>
          jsonList(positionsOf(state, accountId), ACCOUNT_POSITION.write),
        ),
      ),
  }),
  triggers: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/triggers`,
    summary: 'Trigger orders, take-profits and stop-losses of an account that wait, newest first',
    request: { before: BEFORE_ORDER, limit: LIMIT },
    response: listOf(ACCOUNT_TRIGGER),
    answer: ({ venue }: AdminContext, page, { path }) =>
      venue.read((state) =>
        onAccount(state, path.account, ({ accountId }) =>
          jsonList(pageOf([...state.waitingTriggers(accountId)], page), (trigger) => {
            const contract = state.listings.contractById(trigger.instrumentId);
            return ACCOUNT_TRIGGER.write({ contract: present(contract, 'contract'), trigger });
          }),
        ),
      ),
  }),
  bills: operatorEndpoint({
    method: 'GET',
    path: `${ACCOUNT_PATH}/bills`,
    summary: 'Every change of a balance of an account: of its spot or of its contract wallets',
    request: {
      product: PRODUCT,
      before: wholeNumber('Entry id: entries before it'),
      limit: LIMIT,
    },
    response: listOf(ACCOUNT_ENTRY),
    example: { request: { product: 'spot' } },
    answer: async (context: AdminContext, { product, before, limit }, { path }) => {
      const account = await accountOf(context, path);
      if (isRefused(account)) return account;
      const { accountId } = account;
      const { history, live } = context;
      await context.historyReady();
      if (product === 'spot') {
        const found = await history.bills({ accountId, wallet: 'spot', afterId: before, limit });
        return jsonList(found, (bill) => ACCOUNT_ENTRY.write(spotEntry(live.listings, bill)));
      }
      const found = await history.ledger({ accountId, before, limit });
      return jsonList(found, (entry) => ACCOUNT_ENTRY.write(contractEntry(live.listings, entry)));
    },
  }),
  closePositions: operatorEndpoint({
    method: 'POST',
    path: `${ACCOUNT_PATH}/close-positions`,
    duty: 'run',
    summary: 'Close every position of an account at the market; before it is frozen, not after',
    request: {},
    response: CLOSED,
    answer: async ({ venue }: AdminContext, _asked, { path }) => {
      const found = await venue.read((state) =>
        onOpenAccount(state, path.account, ({ accountId, frozen }) => ({
          accountId,
          frozen,
          held: positionsOf(state, accountId),
        })),
      );
      if (isRefused(found)) return found;
      if (found.frozen) return refuse('account_frozen');
      return closeAll(venue, found.accountId, found.held);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

/** The newest of both kinds; both fills of a trade with oneself are on one page. */
async function fillsOf(
  { history, live: { listings } }: AdminContext,
  accountId: AccountId,
  limit: number,
  before: TradeId | undefined,
): Promise<string> {
  const query = { accountId, limit, before };
  const spot = (await history.newestFills(query)).map((fill) =>
    pairFill(present(listings.spotById(fill.instrumentId), 'pair'), fill),
  );
  const contracts = (await history.contractFills(query)).map((fill) =>
    contractFill(present(listings.contractById(fill.instrumentId), 'contract'), fill),
  );
  const all = [...spot, ...contracts].sort((one, other) => other.tradeId - one.tradeId);
  const isCut = all[limit]?.tradeId === all[limit - 1]?.tradeId;
  return jsonList(all.slice(0, isCut ? limit + 1 : limit), ACCOUNT_FILL.write);
}

/** One after the other. What cannot be closed, of a contract that is halted say, is named. */
async function closeAll(
  venue: VenuePort,
  accountId: AccountId,
  held: readonly ShownPosition[],
): Promise<string> {
  const refusals = new Map<string, string>();
  for (const one of held) {
    const { instrumentId } = one.contract;
    const { side } = one.position;
    const [first] = await venue.submit({ kind: 'close_position', accountId, instrumentId, side });
    if (first?.kind === 'refused') refusals.set(keyOf(one), refusalText(first));
  }
  await workDone(venue);
  const left = await venue.read((state) =>
    positionsOf(state, accountId).map((shown) => ({
      shown,
      why: refusals.get(keyOf(shown)) ?? 'The book or the price band kept a part back',
    })),
  );
  const closed = Math.max(held.length - left.length, 0);
  return CLOSED.write({ accountId, closed, left });
}

function keyOf({ contract, position }: ShownPosition): string {
  return `${contract.instrumentId} ${position.side}`;
}
