/** The two pages of the documentation that are tables of the code, as the code wants them. */
import { readFileSync } from 'node:fs';
import { type Endpoint, readsQuery } from '#api';
import {
  ADMIN_ENDPOINTS,
  COMPETITION_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_REJECTS,
  CURRENT_SPOT_ENDPOINTS,
  currentDialect,
  FRAME,
  meaningOf,
  PEOPLE_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
  SANDBOX_ENDPOINTS,
  SPOT_ENDPOINTS,
  SWAP_ENDPOINTS,
  WIRE_REJECTS,
} from '#dialects';
import { LIMITS, REJECTS, type RejectKind, refuse } from '#domain';
import { enumerationsOf } from './enumerations.ts';

/** As people write it. */
const TRADES_MAX = LIMITS.orderTradesMax.toLocaleString('en');
const TIME_MS = 1_795_235_652_453;

/** docs/REJECTS.md */
export function rejectsPage(): string {
  const kinds = Object.keys(REJECTS) as RejectKind[];
  const rows = kinds.map((kind) => {
    const { number } = REJECTS[kind];
    const meaning = meaningOf(kind);
    const { code, status } = WIRE_REJECTS[kind];
    return `| ${number} | ${kind} | ${meaning} | ${code} | ${status} |`;
  });
  return `# Refusals

Everything the venue can refuse, by subject. A number is never reused; 116 to 118 are retired. The
classic interface answers an unknown key, a wrong passphrase and a wrong signature alike (125 to
127), so that no answer reveals which keys exist. Existing clients match on the code; the text
carries the meaning and, after a colon, the value it was about. Codes that begin with 60 belong to
the operator's interface.
\`Retry-After\` comes with 429 and with an overloaded venue (106).

The answer names the first check that fails: caller (1xx), request fields (2xx), coin or market
(3xx), form of prices and sizes (401, 402), then the state of the venue.
For an order in a contract that is, in this order: 701, 709, 710; 402 to 404; 401 for a price
between two steps; 711, 712; 713; 714; 716, 731 to 738; for an opening one 724, 727, 725, 726, for a
closing one 721, 727, 722, 723.
A trigger order: the same up to 401 for both of its prices, 713, 715, 706 or 731 to 738 for a
direction that is said, 731 to 738 for what it brings along, 721. A take-profit or stop-loss of a
position: 701, 709, 710; 721; 402, 404; 401; 713; 716; 731 to 738; another trigger for one: 408,
750, 701, 709, 710, 401, 731 to 738. A leverage: 749 out of bounds, 741, 749 for the tier, 725, and
749 at the threshold.

A refusal looks the same everywhere:

\`\`\`json
${FRAME.refusal(refuse('order_unknown'), TIME_MS).body}
\`\`\`

| number | reject | meaning | code | HTTP |
|---|---|---|---|---|
${rows.join('\n')}

## The current interface

The same refusals under \`/api/v3\` and \`/capi/v3\`. A code is an integer; the text begins as shown
and may go on with the value it was about. With HTTP 429 and 5xx the text is in \`message\` and not
in \`msg\`, which clients take for a reason to try again; an unknown path is answered with
\`timestamp\`, \`status\`, \`error\` and \`path\`.

\`\`\`json
${currentDialect.frame.refusal(refuse('order_unknown'), TIME_MS, '/api/v3/order').body}
\`\`\`

| number | reject | code | contracts | HTTP | text |
|---|---|---|---|---|---|
${kinds.map(currentRow).join('\n')}
`;
}

function currentRow(kind: RejectKind): string {
  const { code, contract, status, text } = CURRENT_REJECTS[kind];
  const codes = `${code} | ${contract?.code ?? code} | ${status}`;
  return `| ${REJECTS[kind].number} | ${kind} | ${codes} | ${text} |`;
}

/** What older clients call, and where answers differ from the contract. */
const CLIENTS = readFileSync(new URL('pages-clients.md', import.meta.url), 'utf8');

/** What the calls of the current interface have in common. */
const CURRENT = `## Current interface: spot

Answers have no frame: the data is the body. A call costs weight: 500 in 10 seconds, by address when
public and by account when signed, pairs and contracts together; besides, an account places 300
orders a minute. \`x-used-weight-10s\`, \`x-remaining-weight-10s\`, \`x-order-count-10s\` and
\`x-order-count-1m\` say what is used up. Signed calls carry the same headers as above, with a
timestamp at most 30 s from the venue's time either way.
`;

const CURRENT_CONTRACT = `## Current interface: contracts

Sizes are in base coin and not in contracts: one contract of 0.001 BTC is \`0.001\`. BTCUSDT is the
perpetual here and the pair under \`/api/v3\`. Inverse contracts are not shown. An unknown contract
is -1142 in market data and -1121 elsewhere.
`;

/** What the calls about competitions have in common. */
const COMPETITIONS = `## Competitions

What spectators see, without signing in, and how somebody joins. Answers are up to a second old.
The leaderboard of a round is there as a file, too, under \`leaderboard.csv\` in place of
\`leaderboard\`: a row for each trader and team, with the fields below and \`kind\` first. Returns
and drawdowns are fractions of the first equity and of the highest one so far; the Sharpe ratio is
the mean of the returns between samples over their deviation (n - 1), times the root of the number
of samples in 365 days. [OPERATIONS.md](OPERATIONS.md) has what an operator does.
`;

/** What the calls of people have in common. */
const PEOPLE = `## People

Where people sign up and in, with the session of a browser. \`POST /people/v1/sessions\`
sets a cookie that scripts cannot read (\`__Host-outcry-session\` over TLS,
\`outcry-session\` without). Every call that is not GET also has the header \`X-CSRF-Token\`
with the \`csrfToken\` that the session was answered with; an \`Origin\`, where there is
one, must be the venue's own. A \`csrfToken\` is that of one cookie: calls that change the
cookie answer with both. Permission \`person\` is any session. What is refused with 60804
wants a proof of the last 15 minutes, by \`POST /people/v1/session/confirm\`. Fields the
table does not know are refused.

With the same cookie a session calls the signed endpoints of every interface: without a key
header and without a signature, with \`X-CSRF-Token\` as above, and with the account in
\`X-Outcry-Account\`. Private streams open with the account in the query, as in
\`/spot/v1/stream?account=1\`, and need no login; they are closed with 1008 when the session
ends or loses the account.
`;

/** What the calls of contracts have in common. */
const CONTRACTS = `## Contracts

Sizes are in contracts, amounts in the margin coin of the contract; fees that were charged are
below zero. Candles are lists, not objects: opening time, open, high, low, close, contracts, volume
in underlying coin. An order that cannot be cancelled is not a refusal: the answer has
\`"result":false\` and says why in \`err_code\` and \`err_msg\`.
`;

/** Where the calls of a sandbox are. */
const SANDBOX = `## Sandbox

Only a venue served with \`--sandbox\` has these calls. They carry the admin token like those of the
operator; [SANDBOX.md](SANDBOX.md) says what they do.
`;

/** docs/API.md */
export function apiPage(): string {
  return `# The HTTP interface

Requests and answers are JSON. A spot or operator answer has a frame around its data; a contract
answer is the data alone. Numbers in answers are text with plain decimals.

\`\`\`json
${FRAME.around(TIME_MS).join('{}')}
\`\`\`

A refusal has the same frame everywhere, with \`"data":null\` and a code from
[REJECTS.md](REJECTS.md). A contract answer never has a \`code\`: whatever has one is a refusal.

Every scalar of a request may come as text or as a JSON number; absent, \`null\` and \`""\` all mean
"not given", and unknown fields are ignored. Symbols are taken in any case, those of pairs with or
without \`_SPBL\`. A page size above the maximum counts as the maximum.

A \`clientOrderId\`, \`client_oid\` or \`clientOid\` names one order, plan order or transfer of an
account: it stays taken while the order is open and for 24 hours after it closed, in all pairs, in
all contracts and for transfers apart, so that a request sent again is refused (43118, in contracts
40500) and not carried out twice.

A signed call carries \`ACCESS-KEY\`, \`ACCESS-TIMESTAMP\` (milliseconds, at most 30 s behind the
venue's time and 5 s ahead of it), \`ACCESS-PASSPHRASE\` and \`ACCESS-SIGN\`: base64 of HMAC-SHA256
with the key's secret over timestamp + METHOD + path with query + body, byte for byte as sent. An
unknown key, a wrong passphrase and a wrong signature are answered alike (40012). Rates are counted
per endpoint, by account (all its keys together) when signed and by address when not; one call too
many is answered with HTTP 429.

An order trades with at most ${TRADES_MAX} resting orders, ${LIMITS.orderMatchesMax} at a time
with other markets in between. Until it is done, commands of its market and of its account wait, it
is shown as open, and its answer follows with its last fill. A fill-or-kill order meets
${LIMITS.orderMatchesMax} at most and is cancelled whole if it would need more.

A running venue serves the same tables, with every field of every call and answer, as
\`/openapi.json\` and, to read, as \`/docs\`.

${CLIENTS}
## Spot

${endpointsOf(SPOT_ENDPOINTS)}

${CONTRACTS}
${endpointsOf(SWAP_ENDPOINTS)}

${CURRENT}
${endpointsOf(CURRENT_SPOT_ENDPOINTS)}

${CURRENT_CONTRACT}
${endpointsOf(CURRENT_CONTRACT_ENDPOINTS)}

${PEOPLE}
${endpointsOf(PEOPLE_ENDPOINTS)}

${operatorCalls()}

${SANDBOX}
${endpointsOf(SANDBOX_ENDPOINTS)}
`;
}

function operatorCalls(): string {
  return `## Operator

Calls carry \`Authorization: Bearer\` and the admin token. Fields the table does not know are
refused.

${endpointsOf(ADMIN_ENDPOINTS)}

## Operator: people

${endpointsOf(PEOPLE_OPERATOR_ENDPOINTS)}

${COMPETITIONS}
${endpointsOf(COMPETITION_ENDPOINTS)}

## Operator: competitions

${endpointsOf(COMPETITION_OPERATOR_ENDPOINTS)}`;
}

/** A table of all of them, and an example of each. */
function endpointsOf(table: Readonly<Record<string, Endpoint>>): string {
  const endpoints = Object.values(table);
  return [endpointTable(endpoints), ...endpoints.map(endpointExample)].join('\n\n');
}

function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => {
    const { method, path, rate, permission, summary } = endpoint;
    const calls =
      rate === null ? costText(endpoint) : `${rate.limit} per ${rate.windowMs / 1_000} s`;
    return `| ${method} | \`${path}\` | ${calls} | ${permission} | ${summary} |`;
  });
  return `| method | path | rate | permission | |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

function costText({ cost = {}, entryCost }: Endpoint): string {
  const parts = Object.entries(cost).map(([counts, price]) => `${counts} ${price}`);
  for (const [counts, price] of Object.entries(entryCost?.cost ?? {})) {
    parts.push(`${counts} ${price} each`);
  }
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** The words of its fields, with what they mean; nothing where there are none. */
function wordsTable({ request, response }: Endpoint): string {
  const rows = [
    ...enumerationsOf(request).map((row) => ['request', row] as const),
    ...enumerationsOf(response).map((row) => ['answer', row] as const),
  ].map(([where, { field, words, description }]) => {
    const list = words.map((word) => `\`${word}\``).join(', ');
    return `| ${where} | \`${field}\` | ${list} | ${description} |`;
  });
  if (rows.length === 0) return '';
  return `\n\n| in the | field | takes | |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function endpointExample(endpoint: Endpoint): string {
  const { method, path, example } = endpoint;
  const request = readsQuery(endpoint)
    ? `${method} ${path}${queryText(example.request)}`
    : `${method} ${path}\n${JSON.stringify(example.request)}`;
  const data = block('json', JSON.stringify(example.data));
  const words = wordsTable(endpoint);
  const [title = '', ...more] = endpoint.summary.split('. ');
  const rest = more.length === 0 ? '' : `${more.join('. ')}.\n\n`;
  return `### ${title}\n\n${rest}${block('', request)}\n\n${data}${words}`;
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function queryText(query: Endpoint['example']['request']): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
