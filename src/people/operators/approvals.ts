/**
 * The rule of two: money above a limit moves when a second operator has approved it, and once. That
 * somebody approved is written before the money moves, and how that ended after it; one whose
 * outcome is missing, because the process stopped in between, is never carried out again. Whether
 * the money moved is then seen in the account's history, and written by an operator.
 */
import { isRefused, type Refused, refuse } from '#domain';
import { refuseSaying } from '../context.ts';
import type { PeopleStore } from '../port.ts';
import { newId } from '../secrets/tokens.ts';
import {
  type Approval,
  type ApprovalState,
  CLEARED_KINDS,
  type ClearedKind,
  type MoneyMovement,
} from './approvals-port.ts';
import {
  type AloneMoved,
  type ApprovalContext,
  isOwnGain,
  type MovedAlone,
  moveAlone,
} from './movements.ts';
import type { ActingOperator } from './port.ts';

const PENDING_MAX = 1_000;
/** An approval that has no outcome for so long has none because the process stopped. */
const CARRIED_OUT_MS = 60_000;
const OUTCOME_LENGTH_MAX = 200;

/**
 * Keeps a movement until somebody else approves it: the refusal that says so. One that is asked
 * for again under its id is the same one.
 */
export async function askApproval(
  { people, nowMs, settings }: ApprovalContext,
  by: ActingOperator,
  movement: MoneyMovement,
  reason: string,
): Promise<Refused> {
  const createdMs = nowMs();
  const store = await people.get();
  const { clientOid } = movement;
  const open =
    clientOid === '' ? undefined : await store.openApproval({ ...movement, nowMs: createdMs });
  if (open !== undefined) {
    return isSame(open, movement)
      ? refuseSaying('approval_pending', open.approvalId)
      : refuse('operator_request_differs', { is: 'id', id: clientOid });
  }
  const approvalId = newId(createdMs);
  const asked = { askedById: by.id, askedByName: by.name, reason };
  const times = { createdMs, expiresMs: createdMs + settings.approvalMs };
  const approval = { ...movement, approvalId, ...asked, ...times };
  const isKept = await store.addApproval(approval, PENDING_MAX);
  if (!isKept) return refuseSaying('people_exceeded', `${PENDING_MAX} pending approvals`);
  return refuseSaying('approval_pending', approvalId);
}

function isSame(one: MoneyMovement, other: MoneyMovement): boolean {
  return one.wallet === other.wallet && one.coin === other.coin && one.amount === other.amount;
}

/** Approves or refuses, once; whoever asked may only take it back. */
export async function decideApproval(
  { people, nowMs }: ApprovalContext,
  approvalId: string,
  by: ActingOperator,
  { to, reason }: { readonly to: 'approved' | 'refused'; readonly reason: string },
): Promise<Approval | Refused> {
  const store = await people.get();
  const approval = await store.approval(approvalId);
  if (approval === undefined) return refuse('approval_unknown');
  if (to === 'approved' && (approval.askedById === by.id || (await gains(store, by, approval)))) {
    return refuse('approval_own');
  }
  const outcome = to === 'refused' ? reason.slice(0, OUTCOME_LENGTH_MAX) : '';
  const decision = { to, byId: by.id, byName: by.name, nowMs: nowMs(), outcome };
  return (await store.decideApproval(approvalId, decision)) ?? refuse('approval_state_wrong');
}

/** Whether the operator gains from it, or an account that the operator may use. */
async function gains(
  store: PeopleStore,
  by: ActingOperator,
  { kind, accountId, clientOid }: Approval,
): Promise<boolean> {
  const [subject = ''] = clientOid.split(/[/ ]/, 1);
  const isOwn = kind === 'grant' && subject === by.id;
  const others = kind === 'competition' ? await store.accountsIn(subject) : [];
  return isOwnGain(store, by, { accountId, others, isOwn });
}

export function isCleared({ kind }: Pick<Approval, 'kind'>): boolean {
  return CLEARED_KINDS.some((one) => one === kind);
}

/** What an operator does that has money appear or move, in a way that cannot wait by itself. */
export interface Caused {
  readonly kind: ClearedKind;
  /** What is to be done, the same for the same call; it begins with whom or what it is about. */
  readonly subject: string;
  readonly accountId: number;
  readonly moves: readonly MovedAlone[];
}

/** It may happen now: one operator may do it alone, or a second one has approved it, once. */
export async function mayCause(
  context: ApprovalContext,
  by: ActingOperator,
  { kind, subject, accountId, moves }: Caused,
  reason: string,
): Promise<AloneMoved | Refused> {
  const alone = await moveAlone(context, by, moves);
  if (!('beyond' in alone)) return alone;
  const { nowMs, settings } = context;
  const store = await context.people.get();
  const clientOid = subject;
  const known = await store.openApproval({ kind, accountId, clientOid, nowMs: nowMs() });
  if (known?.state === 'approved' && known.askedById === by.id) {
    const isFresh = nowMs() - known.decidedMs < settings.approvalMs;
    const [to, outcome] = isFresh ? (['done', subject] as const) : (['failed', 'late'] as const);
    const taken = await endApproval(context, known.approvalId, { state: to, outcome });
    if (isFresh && !isRefused(taken)) return { forget: async () => undefined };
  }
  const { coin, amount } = alone.beyond;
  const asked = { kind, accountId, wallet: '', coin, amount, clientOid };
  return askApproval(context, by, asked, reason);
}

/** How the movement of an approval ended. */
export async function endApproval(
  { people }: ApprovalContext,
  approvalId: string,
  { state, outcome }: { readonly state: 'done' | 'failed'; readonly outcome: string },
): Promise<Approval | Refused> {
  const store = await people.get();
  const text = outcome.slice(0, OUTCOME_LENGTH_MAX);
  return (await store.endApproval(approvalId, state, text)) ?? refuse('approval_state_wrong');
}

/** Whether its outcome is to be written by an operator, who has looked whether the money moved. */
export function isUnsettled(
  { nowMs }: Pick<ApprovalContext, 'nowMs'>,
  { kind, state, decidedMs }: Approval,
): boolean {
  return state === 'approved' && !isCleared({ kind }) && nowMs() - decidedMs >= CARRIED_OUT_MS;
}

/** As it is shown: nobody can approve it any more after its time. */
export function shownState(
  { nowMs }: Pick<ApprovalContext, 'nowMs'>,
  { state, expiresMs }: Approval,
): ApprovalState | 'expired' {
  return state === 'pending' && nowMs() >= expiresMs ? 'expired' : state;
}

export async function findApproval(
  { people }: ApprovalContext,
  approvalId: string,
): Promise<Approval | Refused> {
  return (await (await people.get()).approval(approvalId)) ?? refuse('approval_unknown');
}

export async function listApprovals(
  { people }: ApprovalContext,
  query: {
    readonly state: ApprovalState | undefined;
    readonly before: string | undefined;
    readonly limit: number;
  },
): Promise<readonly Approval[]> {
  return (await people.get()).approvals(query);
}
