/** Money above a limit waits here for a second operator, and moves when one has approved it. */
import { refuseSaying } from '#api';
import {
  type Asset,
  accountId,
  isRefused,
  LIMITS,
  type Refused,
  refuse,
  type Wallet,
} from '#domain';
import { formatDecimal } from '#kernel';
import {
  APPROVAL_KINDS,
  APPROVAL_STATES,
  type Approval,
  type ApprovalState,
  askApproval,
  decideApproval,
  endApproval,
  findApproval,
  isCleared,
  isUnsettled,
  listApprovals,
  type MoneyMovement,
  moveAlone,
  setLimit,
  shownState,
} from '#people';
import type { OperatorCall } from '../access/calls.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { walletNamed } from '../kit/markets.ts';
import { optionalText, pageLimit, requiredText } from '../kit/request.ts';
import { jsonList, listOf, oneOf, row, text, timeMs, timeMsOrZero, truth } from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';
import { flag, optional, word } from './fields.ts';
import { submitOnce } from './money-once.ts';
import { refuseHandMoved } from './payment-accounts.ts';

const APPROVAL_ID = '019a1b2c3d4e5f60718293a4';
const APPROVAL_PATH = `${BASE}/approvals/:approval`;
const STATES = [...APPROVAL_STATES, 'expired'] as const;

interface Shown {
  readonly approval: Approval;
  readonly state: ApprovalState | 'expired';
  readonly unsettled: boolean;
}

const APPROVAL = row<Shown>()({
  approvalId: text('Approval id', APPROVAL_ID, ({ approval }) => approval.approvalId),
  kind: oneOf(APPROVAL_KINDS, 'What is to be done', 'deposit', ({ approval }) => approval.kind),
  accountId: text('Account id; empty for an insurance fund or a limit', '1', ({ approval }) =>
    approval.accountId === 0 ? '' : String(approval.accountId),
  ),
  wallet: text(
    'Wallet; empty for an insurance fund or a limit',
    'spot',
    ({ approval }) => approval.wallet,
  ),
  coin: text('Coin', 'USDT', ({ approval }) => approval.coin),
  amount: text('Amount; of a limit, empty for none', '25000', ({ approval }) => approval.amount),
  clientOid: text(
    'Id given by who asked, may be empty; of a grant or competition, what is to be done',
    '',
    ({ approval }) => approval.clientOid,
  ),
  askedBy: text('Who asked for it', 'ada@example.com', ({ approval }) => approval.askedByName),
  askedById: text('Id of that operator', APPROVAL_ID, ({ approval }) => approval.askedById),
  reason: text('Why; may be empty', 'ticket 4711', ({ approval }) => approval.reason),
  cTime: timeMs('When it was asked for', TIME_MS, ({ approval }) => approval.createdMs),
  expiresTime: timeMs('Until when it may be approved', TIME_MS, (one) => one.approval.expiresMs),
  state: oneOf(
    STATES,
    'approved: being carried out, or waiting to be done by who asked',
    'pending',
    ({ state }) => state,
  ),
  unsettled: truth(
    'Approved, but the process stopped before it could say whether the money moved: look in the ' +
      'history of the account, then settle it',
    false,
    ({ unsettled }) => unsettled,
  ),
  decidedBy: text('Who decided; empty before', '', ({ approval }) => approval.decidedByName),
  decidedTime: timeMsOrZero('When; 0 before', TIME_MS, ({ approval }) => approval.decidedMs),
  outcome: text(
    'Id of the entry in the account history, or why the money did not move',
    '',
    ({ approval }) => approval.outcome,
  ),
});

const isGiven = (text: string): string | undefined => (text === '' ? undefined : text);

export const APPROVAL_ENDPOINTS = {
  approvals: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/approvals`,
    summary: 'Money that waits for a second operator, or has, newest first',
    request: {
      state: optional(word(APPROVAL_STATES, 'pending'), 'pending, approved, done, failed, refused'),
      before: optionalText('Approval id: those before it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(APPROVAL),
    answer: async ({ desk }: AdminContext, { state, before, limit }) => {
      const found = await listApprovals(desk, { state, before: isGiven(before), limit });
      return jsonList(found, (one) => shownText(desk, one));
    },
  }),
  approve: operatorEndpoint({
    method: 'POST',
    path: `${APPROVAL_PATH}/approve`,
    duty: 'run',
    summary: 'Approve what another operator asked for: it is carried out, once',
    request: {},
    response: APPROVAL,
    answer: async (context: AdminContext, _asked, { path, operator, reason }) => {
      const { approval: id = '' } = path;
      const limited = await refuseLimit(context, id, operator);
      if (limited !== undefined) return limited;
      const decided = await decideApproval(context.desk, id, operator, { to: 'approved', reason });
      return isRefused(decided) ? decided : carryOutApproved(context, decided);
    },
  }),
  refuseApproval: operatorEndpoint({
    method: 'POST',
    path: `${APPROVAL_PATH}/refuse`,
    duty: 'run',
    summary: 'Refuse it, or take back what one asked for oneself',
    request: {},
    response: APPROVAL,
    answer: async ({ desk }: AdminContext, _asked, { path, operator, reason }) => {
      const { approval: id = '' } = path;
      const decided = await decideApproval(desk, id, operator, { to: 'refused', reason });
      return isRefused(decided) ? decided : shownText(desk, decided);
    },
  }),
  settleApproval: operatorEndpoint({
    method: 'POST',
    path: `${APPROVAL_PATH}/settle`,
    duty: 'run',
    summary: 'Say whether the money of an unsettled approval moved; nothing is carried out',
    request: {
      moved: flag('true or false'),
      outcome: requiredText('What was seen, as the id of the entry in the history'),
    },
    response: APPROVAL,
    example: { request: { moved: true, outcome: formatId(12) } },
    answer: async ({ desk }: AdminContext, { moved, outcome }, { path }) => {
      const { approval: id = '' } = path;
      if (moved === undefined)
        return refuse('parameter_missing', { is: 'missing', parameter: 'moved' });
      const found = await findApproval(desk, id);
      if (isRefused(found)) return found;
      if (!isUnsettled(desk, found)) return refuse('approval_state_wrong');
      const ended = await endApproval(desk, id, { state: moved ? 'done' : 'failed', outcome });
      return isRefused(ended) ? ended : shownText(desk, ended);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;

function shownText(desk: AdminContext['desk'], approval: Approval): string {
  const state = shownState(desk, approval);
  return APPROVAL.write({ approval, state, unsettled: isUnsettled(desk, approval) });
}

/** Money that is to move. */
interface Movement {
  readonly clientOid: string | undefined;
  readonly kind: 'deposit' | 'withdraw' | 'insurance';
  readonly coin: Asset;
  readonly amount: bigint;
  /** Undefined for an insurance fund. */
  readonly at: { readonly accountId: number; readonly wallet: Wallet } | undefined;
}

/** Moves it where one operator is enough; otherwise keeps it for a second one, and says so. */
export async function movedByOperator(
  { desk }: AdminContext,
  { operator, reason }: OperatorCall,
  { kind, coin, amount: units, at, clientOid = '' }: Movement,
  move: () => Promise<string | Refused>,
): Promise<string | Refused> {
  const accountId = at?.accountId ?? 0;
  const wallet = at?.wallet ?? '';
  const amount = formatDecimal(units, coin.scale);
  const movement = { kind, accountId, wallet, coin: coin.code, amount, clientOid };
  const alone = await moveAlone(desk, operator, [{ ...movement, ...movementIdOf(movement) }]);
  if ('beyond' in alone) return askApproval(desk, operator, movement, reason);
  const moved = await move();
  // What may have happened all the same counts.
  if (isRefused(moved) && moved.reject !== 'outcome_unknown') await alone.forget();
  return moved;
}

/** The same call again is the same movement, and adds nothing to what was moved alone. */
function movementIdOf(movement: MoneyMovement): { readonly movementId?: string } {
  const { kind, accountId, wallet, coin, amount, clientOid } = movement;
  if (clientOid === '') return {};
  return { movementId: [kind, accountId, clientOid, wallet, coin, amount].join(' ') };
}

/** It has been decided and written that it is carried out now: whatever happens, once at most. */
async function carryOutApproved(
  context: AdminContext,
  approval: Approval,
): Promise<string | Refused> {
  const { desk } = context;
  // Whoever asked does it.
  if (isCleared(approval)) return shownText(desk, approval);
  const isLimit = approval.kind === 'limit';
  const moved = await (isLimit ? changeLimit : moveMoney)(context, approval);
  const ended = isRefused(moved)
    ? await endApproval(desk, approval.approvalId, { state: 'failed', outcome: moved.reject })
    : await endApproval(desk, approval.approvalId, { state: 'done', outcome: moved });
  if (isRefused(moved)) return moved;
  return isRefused(ended) ? ended : shownText(desk, ended);
}

/** Limits are for owners to change. */
async function refuseLimit(
  { desk }: AdminContext,
  approvalId: string,
  { role }: OperatorCall['operator'],
): Promise<Refused | undefined> {
  const limit = await findApproval(desk, approvalId);
  if (isRefused(limit) || limit.kind !== 'limit' || role === 'owner') return undefined;
  return refuseSaying('role_insufficient', `${role}: this takes owner`);
}

/** A limit that two owners want. */
async function changeLimit(
  { desk }: AdminContext,
  { coin, amount, askedByName, decidedByName }: Approval,
): Promise<string> {
  await setLimit(desk, { coin, amount, changedBy: `${askedByName}, ${decidedByName}` });
  return 'limit';
}

/** The id of the entry in the account's history. */
async function moveMoney(
  { venue, live, payments }: AdminContext,
  { kind, accountId: account, wallet, coin: code, amount: given, clientOid }: Approval,
): Promise<string | Refused> {
  const coin = live.listings.assetByCode(code);
  if (coin === undefined) return refuse('coin_unknown');
  if (kind !== 'insurance' && kind !== 'deposit' && kind !== 'withdraw') {
    return refuse('approval_state_wrong');
  }
  const amount = readDecimal(given, { scale: coin.scale, least: 0, reject: 'amount_invalid' });
  if (isRefused(amount)) return amount;
  const operatorOid = isGiven(clientOid);
  const money = { assetId: coin.assetId, amount, operatorOid };
  if (kind === 'insurance') {
    const command = { kind: 'fund_insurance', ...money } as const;
    const event = await submitOnce(venue, 'insurance_funded', command);
    return isRefused(event) ? event : 'insurance fund';
  }
  const named = walletNamed(live.listings, wallet);
  if (isRefused(named)) return named;
  const place = { accountId: accountId(account), wallet: named };
  const owner = await venue.read((state) => state.account(place.accountId));
  if (owner === undefined) return refuse('account_unknown');
  const refused = await refuseHandMoved(payments, { kind, name: owner.name, coin, amount });
  if (refused !== undefined) return refused;
  const event = await submitOnce(venue, 'balance_changed', { kind, ...place, ...money });
  return isRefused(event) ? event : formatId(event.billId);
}
