/** Who acts, and the log of what operators have done. */
import Type from 'typebox';
import { LIMITS, refuse } from '#domain';
import { csvRecord } from '#kernel';
import {
  ACTION_OUTCOMES,
  type ActingOperator,
  DUTIES,
  type Duty,
  type LoggedAction,
  type LogVerdict,
  OPERATOR_ROLES,
  rolesOf,
} from '#people';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { optionalText, pageLimit, type Values, wholeNumber } from '../kit/request.ts';
import {
  jsonList,
  listOf,
  nullOr,
  oneOf,
  row,
  text,
  texts,
  timeMs,
  truth,
  whole,
} from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const ENDED_AS = [...ACTION_OUTCOMES, 'unknown'] as const;

interface Acting {
  readonly operator: ActingOperator;
  readonly isReasonRequired: boolean;
}

const ACTING = row<Acting>()({
  id: text('Id of the person, or admin-token', 'admin-token', ({ operator }) => operator.id),
  name: text('E-mail address, or admin token', 'admin token', ({ operator }) => operator.name),
  role: oneOf(OPERATOR_ROLES, 'Role', 'owner', ({ operator }) => operator.role),
  duties: texts('What the role may do: own, run, help, read', [...DUTIES], ({ operator }): Duty[] =>
    DUTIES.filter((duty) => rolesOf(duty).includes(operator.role)),
  ),
  reasonRequired: truth(
    'What is done to money, accounts, people and operators needs a reason',
    false,
    ({ isReasonRequired }) => isReasonRequired,
  ),
});

const ACTION = row<LoggedAction>()({
  actionId: whole('Number, growing', 17, ({ actionId }) => actionId),
  time: timeMs('When', TIME_MS, ({ timeMs: happenedMs }) => happenedMs),
  operatorId: text('Id of the person, or admin-token', 'admin-token', (one) => one.operatorId),
  operator: text('Who', 'ada@example.com', ({ operatorName }) => operatorName),
  role: oneOf(OPERATOR_ROLES, 'In which role', 'operator', ({ role }) => role),
  kind: text('Endpoint', 'POST /admin/v1/accounts/:account/deposits', ({ kind }) => kind),
  path: text('As it was called', '/admin/v1/accounts/1/deposits', ({ path }) => path),
  accountId: text('Account it is about; may be empty', '1', ({ account }) => account),
  address: text('From where', '203.0.113.7', ({ address }) => address),
  requestId: text('Id of the call, as in the log of the server', 'a1-2f', (one) => one.requestId),
  reason: text('Why; may be empty', 'ticket 4711', ({ reason }) => reason),
  asked: text(
    'What was asked, as JSON; no secrets',
    '{"coin":"USDT","amount":"250"}',
    (one) => one.asked,
  ),
  outcome: oneOf(
    ENDED_AS,
    'unknown: it is being carried out, or the process stopped before it could say',
    'done',
    ({ outcome }) => outcome ?? 'unknown',
  ),
  answer: text('Why it was not done; may be empty', '', ({ answer }) => answer),
  hash: text('Of its entry', HASH, ({ hash }) => hash),
});

const VERDICT = row<LogVerdict>()({
  intact: truth('Every entry follows the one before it', true, ({ intact }) => intact),
  entries: whole('Entries that were read', 34, ({ entriesCount }) => entriesCount),
  lastEntry: whole('Number of the newest', 34, ({ head }) => head.entryId),
  lastHash: text(
    'Hash of the newest: noted elsewhere, it shows later whether the end was cut off',
    HASH,
    ({ head }) => head.hash,
  ),
  brokenAt: {
    ...nullOr(
      'The first entry that is not as it was written; null for none',
      whole('Number', 12, ({ brokenAt = 0 }: LogVerdict) => brokenAt),
      ({ brokenAt }) => brokenAt === undefined,
    ),
    example: null,
  },
});

const SEARCH = {
  who: optionalText('Id, or a part of the name'),
  kind: optionalText('A part of method and path of the endpoint'),
  account: optionalText('Account id'),
  from: wholeNumber('From this time on, in milliseconds'),
  until: wholeNumber('Before this time, in milliseconds'),
  text: optionalText('A part of what was asked, why, where, or how it ended'),
};

function searched({ who, kind, account, from, until, text: part }: Values<typeof SEARCH>) {
  const found = { who: given(who), kind: given(kind), account: given(account) };
  return { ...found, fromMs: from, untilMs: until, text: given(part) };
}

const CSV_ROWS_MAX = 100_000;
const CSV_COLUMNS = [
  ...['actionId', 'time', 'operator', 'operatorId', 'role', 'kind', 'path', 'accountId'],
  ...['address', 'requestId', 'reason', 'asked', 'outcome', 'answer', 'hash'],
];
const CSV_FILE = {
  schema: Type.String({ description: `CSV with the columns ${CSV_COLUMNS.join()}` }),
  example: `${CSV_COLUMNS.join()}\r\n`,
};

async function* csvOf(pages: AsyncIterable<readonly LoggedAction[]>): AsyncGenerator<string> {
  yield csvRecord(CSV_COLUMNS);
  let rowsLeft = CSV_ROWS_MAX;
  for await (const page of pages) {
    yield page.slice(0, rowsLeft).map(csvRow).join('');
    rowsLeft -= page.length;
    if (rowsLeft > 0) continue;
    if (rowsLeft < 0) yield csvRecord([`cut after ${CSV_ROWS_MAX} actions: narrow the search`]);
    return;
  }
}

function csvRow(one: LoggedAction): string {
  const { actionId, timeMs: atMs, operatorName, operatorId, role, kind, path, account } = one;
  const { address, requestId, reason, asked, outcome = 'unknown', answer, hash } = one;
  return csvRecord([
    ...[String(actionId), new Date(atMs).toISOString(), operatorName, operatorId, role, kind],
    ...[path, account, address, requestId, reason, asked, outcome, answer, hash],
  ]);
}

export const ACTION_ENDPOINTS = {
  operator: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/operator`,
    summary: 'Who calls, and what the role may do',
    request: {},
    response: ACTING,
    answer: ({ desk }: AdminContext, _asked, { operator }) =>
      ACTING.write({ operator, isReasonRequired: desk.settings.reasonRequired }),
  }),
  actions: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/actions`,
    summary: 'What operators did, newest first (100 by default, up to 500)',
    request: {
      ...SEARCH,
      before: wholeNumber('Number: actions before it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(ACTION),
    answer: async ({ desk }: AdminContext, { before, limit, ...asked }) => {
      const found = await desk.log.actions({ ...searched(asked), before, limit });
      return jsonList(found, ACTION.write);
    },
  }),
  actionsCsv: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/actions.csv`,
    summary:
      `The same as CSV, up to ${CSV_ROWS_MAX} actions; a last line that begins with cut says ` +
      'that there are more',
    request: SEARCH,
    response: CSV_FILE,
    isFile: true,
    answer: ({ desk }: AdminContext, asked) => {
      const pages = desk.log.pages({ ...searched(asked), before: undefined });
      if (pages === undefined) return refuse('venue_busy');
      return { name: 'actions.csv', contentType: 'text/csv; charset=utf-8', parts: csvOf(pages) };
    },
  }),
  verifyActions: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/actions/verify`,
    summary: 'Read the whole log of actions, and hold every entry against the one before it',
    request: {},
    response: VERDICT,
    answer: async ({ desk }: AdminContext) => VERDICT.write(await desk.log.verify()),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

function given(text: string): string | undefined {
  return text === '' ? undefined : text;
}
