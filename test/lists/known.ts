/**
 * What is known of every call that answers a list: how it is walked, or why it needs no walk. A new
 * list that nobody has thought of is in none of these, and fails the tests of its dialect.
 */
import type { TSchema } from 'typebox';
import type { Endpoint } from '#api';

const PAGE_PARAMETERS = [
  ...['after', 'before', 'limit', 'offset', 'page', 'pageIndex', 'pageSize'],
  ...['startTime', 'endTime', 'nextKeyId', 'from', 'until'],
];

interface Shape {
  readonly type?: unknown;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
}

/** Whether it holds rows, not counting what is inside of a row. */
function hasRows({ type, items, properties, anyOf }: Shape): boolean {
  if (type === 'array') return items?.type !== 'string';
  const parts = [...Object.values(properties ?? {}), ...(anyOf ?? [])];
  return parts.some(hasRows);
}

type Known = Pick<Endpoint, 'method' | 'path' | 'permission' | 'request' | 'response'>;

/** What changes something answers what became of it. */
function isReading({ method, permission }: Known): boolean {
  return method === 'GET' || permission === 'read';
}

export function nameOf({ method, path }: Known): string {
  return `${method} ${path}`;
}

/** The calls among these that read a list, or take the parameters of a page. */
export function listsAmong(endpoints: readonly Known[]): string[] {
  const found = endpoints
    .filter(isReading)
    .filter(({ request, response }) => {
      const asked = Object.keys(request.properties);
      return (
        hasRows(response as TSchema & Shape) || asked.some((name) => PAGE_PARAMETERS.includes(name))
      );
    })
    .map(nameOf);
  return [...new Set(found)].sort();
}

/** Answered whole at every call: by what bounds them. */
const WHOLE_BY: Readonly<Record<string, readonly string[]>> = {
  'what is listed': [
    ...['GET /api/spot/v1/public/currencies', 'GET /api/spot/v1/public/products'],
    ...['GET /api/spot/v1/public/product', 'GET /api/spot/v1/market/tickers'],
    ...['GET /api/swap/v3/market/contracts', 'GET /api/swap/v3/market/tickers'],
    ...['GET /api/swap/v3/market/insurance', 'GET /api/v3/coins', 'GET /api/v3/exchangeInfo'],
    ...['GET /api/v3/market/ticker/24hr', 'GET /api/v3/market/ticker/price'],
    ...['GET /api/v3/market/ticker/bookTicker', 'GET /capi/v3/market/exchangeInfo'],
    ...['GET /capi/v3/market/ticker/24hr', 'GET /capi/v3/market/ticker/bookTicker'],
    ...['GET /capi/v3/market/premiumIndex', 'GET /admin/v1/instruments'],
    ...['GET /admin/v1/contracts/:symbol', 'GET /admin/v1/insurance', 'GET /admin/v1/audit'],
    ...['GET /v1/markets', 'GET /v1/tickers', 'GET /v1/coins', 'GET /v1/insurance'],
    ...['GET /admin/v1/payments-held', 'GET /people/v1/payment-rules'],
    'GET /admin/v1/operator-limits',
  ],
  'what an account has of what is listed': [
    ...['GET /api/spot/v1/account/assets', 'GET /api/spot/v1/account/assets-lite'],
    ...['GET /api/v1/account/accounts', 'GET /api/swap/v3/account/accounts'],
    ...['GET /api/swap/v3/account/wallets', 'GET /api/swap/v3/position/allPosition'],
    ...['GET /api/swap/v3/position/singlePosition', 'GET /api/v3/account/', 'GET /api/v3/account'],
    ...['GET /capi/v3/account/balance', 'GET /capi/v3/account/symbolConfig'],
    ...['GET /capi/v3/account/position/allPosition', 'GET /capi/v3/sim/balance'],
    ...['GET /capi/v3/account/position/singlePosition', 'GET /capi/v3/sim/position/allPosition'],
    ...['GET /admin/v1/accounts/:account', 'GET /admin/v1/accounts/:account/positions'],
    ...['GET /v1/balances', 'GET /v1/positions', 'GET /v1/margin', 'GET /v1/fees'],
  ],
  'the open orders that an account may have': [
    ...['POST /api/spot/v1/trade/open-orders', 'GET /api/swap/v3/order/current'],
    ...['GET /api/v3/openOrders', 'GET /v1/orders', 'GET /v1/triggers'],
  ],
  'one order': ['POST /api/spot/v1/trade/orderInfo'],
  'a wallet that there is not': ['POST /api/v3/account/fundingBills'],
  'the days that are kept': [
    ...['GET /api/swap/v3/market/historyInsurance', 'GET /v1/insurance-days'],
  ],
  'a cap on what may be made': [
    ...['GET /admin/v1/accounts/:account/keys', 'GET /people/v1/accounts/:account/keys'],
    ...['GET /people/v1/accounts/:account/people', 'GET /people/v1/accounts'],
    'GET /people/v1/accounts/:account/access-codes',
    ...['GET /people/v1/session', 'GET /people/v1/sessions', 'GET /admin/v1/people/:person'],
    ...['GET /admin/v1/people/:person/sessions', 'GET /admin/v1/operators'],
    ...['GET /admin/v1/invitations', 'GET /admin/v1/announcements', 'GET /people/v1/notices'],
    ...['GET /admin/v1/payments/:payment', 'GET /admin/v1/account-imports/:reference'],
    ...['GET /admin/v1/competitions', 'GET /admin/v1/competitions/:competition'],
    ...['GET /competition/v1/competitions', 'GET /people/v1/competitions'],
    'GET /competition/v1/competitions/:competition/rounds/:round/leaderboard',
    ...['GET /sandbox/v1/checkpoints', 'GET /sandbox/v1/faults', 'GET /sandbox/v1/state'],
  ],
  'the configuration': [
    ...['GET /admin/v1/fee-levels', 'GET /admin/v1/cluster', 'GET /sandbox/v1/scenarios'],
  ],
};

/** The newest rows, or the best, and no others: where older ones are. */
const ENDS_BY: Readonly<Record<string, readonly string[]>> = {
  'public trades are kept as far back as the largest page': [
    ...['GET /api/spot/v1/market/fills', 'GET /api/spot/v1/market/fills-history'],
    ...['GET /api/swap/v3/market/trades', 'GET /api/v3/market/trades'],
    ...['GET /capi/v3/market/trades', 'GET /v1/trades'],
  ],
  'candles of before are in historyKlines': [
    ...['GET /capi/v3/market/klines', 'GET /capi/v3/market/markPriceKlines'],
    'GET /capi/v3/market/indexPriceKlines',
  ],
  'levels behind those that the contract lets a client ask for': [
    ...['GET /api/spot/v1/market/depth', 'GET /api/swap/v3/market/depth'],
    ...['GET /api/v3/market/depth', 'GET /capi/v3/market/depth', 'GET /v1/book'],
  ],
  'curves of others are asked for by their trader': [
    'GET /competition/v1/competitions/:competition/rounds/:round/curves',
  ],
  'the same as a list that is walked, under another path': [
    ...['POST /api/v3/tax/income', 'GET /capi/v3/sim/order/history'],
  ],
  'links wait for hours': ['GET /admin/v1/people-links'],
  'events and payments of before are in lists of their own': ['GET /people/v1/export'],
};

/** What needs no walk. */
export const UNWALKED: ReadonlySet<string> = new Set(
  [...Object.values(WHOLE_BY), ...Object.values(ENDS_BY)].flat(),
);
