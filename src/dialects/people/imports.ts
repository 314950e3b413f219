/** Accounts by file: checked, carried out, followed, and written as such a file. */
import { isRefused, LIMITS } from '#domain';
import { formatDecimal } from '#kernel';
import {
  type AloneMoved,
  CSV_COLUMNS,
  type ExportedAccounts,
  exportAccounts,
  IMPORT_STATES,
  type ImportSeen,
  importAccounts,
  type LineFault,
  listImports,
  moveAlone,
  type NeedsSecond,
  seeImport,
} from '#people';
import { BASE } from '../admin/context.ts';
import { flag } from '../admin/fields.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { type Field, optionalText, pageLimit, requiredText, wholeNumber } from '../kit/request.ts';
import { jsonList, listOf, nullOr, oneOf, row, rows, text, timeMs, whole } from '../kit/row.ts';
import type { PeopleDialectContext } from './context.ts';

const IMPORTS = `${BASE}/account-imports`;
const REFERENCE_FORM = /^[A-Za-z0-9._-]{1,64}$/;
const CSV = `${CSV_COLUMNS.join(',')}\r\nada,ada@example.com,Ada,main,read trade,USDT=1000\r\n`;
/** An account may have several lines, so a page has fewer than others. */
const ACCOUNTS_MAX = 100;

const REFERENCE: Field<string> = {
  ...requiredText('Your own name for it: letters, digits, dots, dashes and underscores'),
  read: (fields, name) => {
    const reference = fields.requiredText(name);
    if (reference !== '' && !REFERENCE_FORM.test(reference)) {
      fields.refuse('parameter_invalid', `${name} takes up to 64 letters, digits, . _ -`);
    }
    return reference;
  },
};

const FAULT = row<LineFault>()({
  line: whole('Of the file, from 1', 2, ({ line }) => line),
  column: text('Column; may be empty', 'balances', ({ column }) => column),
  text: text('What is allowed', 'takes amounts above zero', (fault) => fault.text),
});

const FAULTS_SHOWN_MAX = 200;

const IMPORT = row<ImportSeen>()({
  reference: text('Your own name for it', 'course-2026', ({ reference }) => reference),
  state: oneOf(
    ['checked', ...IMPORT_STATES],
    'checked: nothing was kept; waiting, done; stopped: see fault, ask again to go on',
    'checked',
    ({ state }) => state,
  ),
  lines: whole('Lines that can be taken', 49, ({ linesCount }) => linesCount),
  done: whole('Lines that are done', 0, ({ doneCount }) => doneCount),
  fault: text('Why it stopped; empty otherwise', '', ({ fault }) => fault),
  faultsCount: whole('Faults in all', 1, ({ faults }) => faults.length),
  faults: rows(FAULT, ({ faults }: ImportSeen) => faults.slice(0, FAULTS_SHOWN_MAX)),
  cTime: timeMs('When it was sent', TIME_MS, ({ createdMs }) => createdMs),
});

const EXPORTED = row<ExportedAccounts>()({
  csv: text('Lines of the file, those of the first page with their columns', CSV, (one) => one.csv),
  next: nullOr(
    'Account id that the next page goes on behind; null after the last',
    text('Account id', '100', ({ next }: ExportedAccounts) => String(next)),
    ({ next }) => next === undefined,
  ),
});

export const IMPORT_ENDPOINTS = {
  imports: operatorEndpoint({
    method: 'GET',
    path: IMPORTS,
    summary: 'Imports of accounts, newest first (100 by default and at most)',
    request: {
      before: optionalText('Reference: imports listed behind it'),
      limit: pageLimit('Imports wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsDefault),
    },
    response: listOf(IMPORT),
    answer: async ({ people }: PeopleDialectContext, { before: given, limit }) => {
      const before = given === '' ? undefined : given;
      return jsonList(await listImports(people, { before, limit }), IMPORT.write);
    },
  }),
  importAccounts: operatorEndpoint({
    method: 'POST',
    path: IMPORTS,
    duty: 'run',
    summary: 'Import accounts from CSV text; with a fault, or as a dry run, nothing is done',
    request: {
      reference: REFERENCE,
      csv: requiredText(`Up to 1000 lines with the columns ${CSV_COLUMNS.join(', ')}`),
      firstLine: wholeNumber(
        'Of a part of a larger file: the number of the line before its first account (1)',
      ),
      dryRun: flag('true to check only'),
    },
    response: IMPORT,
    example: { request: { reference: 'course-2026', csv: CSV, dryRun: true } },
    answer: async ({ people, venue, live, operators }: PeopleDialectContext, asked, call) => {
      const { reference, csv, firstLine = 1, dryRun = false } = asked;
      const what = { reference, csv, firstLine, isDryRun: dryRun };
      const counted: AloneMoved[] = [];
      // As a sum: lines would else be a way around the limit. The same file counts once.
      const needsSecond: NeedsSecond = async ({ code: coin, scale }, sum) => {
        if (operators === undefined) return false;
        const movementId = `import ${reference} ${firstLine} ${coin}`;
        const amount = formatDecimal(sum, scale);
        // Nobody pays into an account of their own: the file names them by their address.
        const isOwn = csv.toLowerCase().includes(call.operator.name.toLowerCase());
        const movement = { coin, amount, accountId: 0, isOwn, movementId };
        const alone = await moveAlone(operators, call.operator, [movement]);
        if ('beyond' in alone) return true;
        counted.push(alone);
        return false;
      };
      const seen = await importAccounts({ people, venue }, what, live.listings, needsSecond);
      const isDone = !isRefused(seen) && seen.state !== 'checked';
      if (!isDone) for (const one of counted) await one.forget();
      return isRefused(seen) ? seen : IMPORT.write(seen);
    },
  }),
  accountImport: operatorEndpoint({
    method: 'GET',
    path: `${IMPORTS}/:reference`,
    summary: 'How far an import of accounts is',
    request: {},
    response: IMPORT,
    answer: async ({ people }: PeopleDialectContext, _asked, { path }) => {
      const seen = await seeImport(people, path.reference ?? '');
      return isRefused(seen) ? seen : IMPORT.write(seen);
    },
  }),
  exportAccounts: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/account-export`,
    summary: 'Accounts with people and spot balances as CSV text, page by page',
    request: {
      after: wholeNumber('Account id: accounts behind it'),
      limit: pageLimit('Accounts wanted (100, which is the most)', ACCOUNTS_MAX, ACCOUNTS_MAX),
    },
    response: EXPORTED,
    example: { request: { limit: '100' } },
    answer: async (
      { people, venue, live: { listings } }: PeopleDialectContext,
      { after = 0, limit },
    ) => EXPORTED.write(await exportAccounts({ people, venue }, listings, { after, limit })),
  }),
} as const satisfies Record<string, OperatorEndpoint<PeopleDialectContext>>;
