/**
 * What operators change is written down before it is done: who, when, from where, why, what and how
 * it ended. What they only look at is not. Secrets never come that far.
 */
import { type Answer, type ApiRequest, printable, refusalOf, refuseSaying } from '#api';
import { isRefused, type Refused, refuse } from '#domain';
import type { ActingOperator, ActionLog, NewAction } from '#people';
import { rolesOf } from '#people';
import { dutyOf, type OperatorCall, type OperatorRow } from './calls.ts';

export interface ActionOptions {
  readonly log: Pick<ActionLog, 'begin' | 'beginFrequent' | 'end'>;
  /** Whether what is done to money, accounts, people and operators needs a reason. */
  readonly isReasonRequired: boolean;
  /** The id of the account that a path names; empty for none. */
  accountIdOf(named: string): string | Promise<string>;
}

const REASON_HEADER = 'x-outcry-reason';
const REASON_LENGTH_MAX = 200;
const PATH_LENGTH_MAX = 300;
const ASKED_LENGTH_MAX = 2_000;
const SECRET = /secret|password|passphrase|token|privatekey/i;
/** Of /admin/v1: money, accounts, people and who may do what. */
const REASONED: ReadonlySet<string> = new Set([
  ...['accounts', 'account-imports', 'approvals', 'insurance'],
  ...['keys', 'operator-limits', 'operators', 'payments', 'people'],
]);

/** Of the header, where letters beyond ASCII are escaped as in an address, or of the field. */
export function reasonOf({ headers }: ApiRequest, input: OperatorCall['input']): string {
  const header = headers[REASON_HEADER];
  const field = typeof input.reason === 'string' ? input.reason : '';
  const given = typeof header === 'string' && header !== '' ? unescaped(header) : field;
  return printable(given.trim(), REASON_LENGTH_MAX);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function askedText(input: OperatorCall['input']): string {
  const { reason: _reason, ...asked } = input;
  try {
    const shown = (name: string, value: unknown) => (SECRET.test(name) ? '(secret)' : value);
    return printable(JSON.stringify(asked, shown), ASKED_LENGTH_MAX);
  } catch {
    // Nested so deeply that writing it would exhaust the stack.
    return '(nested too deeply)';
  }
}

export class ActionRecords {
  readonly #options: ActionOptions | undefined;

  /** Without options nothing is written. */
  constructor(options: ActionOptions | undefined) {
    this.#options = options;
  }

  /** Carries a call out for an operator whose role allows it. */
  async carryOut(
    endpoint: OperatorRow,
    call: OperatorCall,
    request: ApiRequest,
    act: () => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const options = this.#options;
    const refused = refusedFor(endpoint, call, options);
    const done = refused === undefined ? act : () => refused;
    if (options === undefined || endpoint.method === 'GET') return done();
    const action = await actionOf(endpoint, call, request, options);
    return written(options.log, endpoint, action, done);
  }
}

function refusedFor(
  endpoint: OperatorRow,
  { operator, reason }: OperatorCall,
  options: ActionOptions | undefined,
): Refused | undefined {
  const roles = rolesOf(dutyOf(endpoint));
  if (!roles.includes(operator.role)) {
    return refuseSaying('role_insufficient', `${operator.role}: this takes ${roles.join(' or ')}`);
  }
  const isReasoned = options?.isReasonRequired === true && endpoint.method !== 'GET';
  if (!isReasoned || reason !== '' || !REASONED.has(endpoint.path.split('/')[3] ?? ''))
    return undefined;
  return refuse('reason_needed');
}

async function actionOf(
  { method, path: pattern }: OperatorRow,
  { operator, input, path, reason }: OperatorCall,
  { address, id, target }: ApiRequest,
  { accountIdOf }: ActionOptions,
): Promise<NewAction> {
  const named = path.account ?? '';
  return {
    ...byOf(operator),
    kind: `${method} ${pattern}`,
    path: printable(target.split('?', 1)[0] ?? '', PATH_LENGTH_MAX),
    account: named === '' ? '' : await accountIdOf(named),
    address: printable(address, 64),
    requestId: printable(id, 64),
    reason,
    asked: askedText(input),
  };
}

function byOf({ id, name, role }: ActingOperator) {
  return { operatorId: id, operatorName: name, role };
}

async function written(
  log: ActionOptions['log'],
  { isFrequent }: OperatorRow,
  action: NewAction,
  act: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const begun = await (isFrequent === true ? log.beginFrequent(action) : log.begin(action));
  if (begun === undefined) return act();
  try {
    const answer = await act();
    if (isRefused(answer)) log.end(begun, action, 'refused', textOf(answer));
    else log.end(begun, action, 'done', '');
    return answer;
  } catch (error) {
    log.end(begun, action, 'failed', textOf(refusalOf(error)));
    throw error;
  }
}

function textOf({ reject, detail }: Refused): string {
  const more = detail?.is === 'text' ? `: ${detail.text}` : '';
  return printable(reject + more, REASON_LENGTH_MAX);
}
