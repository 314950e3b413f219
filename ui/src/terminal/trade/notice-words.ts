/** Words the notices of the account and shows them. */
import { notify } from '../../look/mod.ts';
import { type Notice, withoutOutdone } from '../../model/notices.ts';
import { compare } from '../../model/numbers.ts';
import type { OrderLine } from '../../model/orders.ts';
import type { PlanLine } from '../../model/plans.ts';
import { textsNow } from '../../texts/texts.ts';
import { describeFailure, NO_ANSWER, VenueError } from '../../wire/failure.ts';
import { signal } from '../alerts/signal.ts';
import {
  marketName,
  orderName,
  planReason,
  planSize,
  priceOf,
  ratioText,
  sizeOf,
  sizeUnit,
} from './formats.ts';

/** Why a call failed. Without an answer the outcome is unknown: it must not be sent twice. */
export function failureWords(error: unknown): { readonly code: string; readonly text: string } {
  return isUnanswered(error)
    ? { code: '', text: textsNow().trade.noAnswerMeans }
    : describeFailure(error);
}

function isUnanswered(error: unknown): boolean {
  return error instanceof VenueError && error.code === NO_ANSWER;
}

/** Shows why a call was not done: the code and the text of the venue, or that it did not answer. */
export function notifyRefusal(error: unknown): void {
  const { trade } = textsNow();
  const { code, text } = failureWords(error);
  const failed = isUnanswered(error) ? trade.noAnswer : trade.failed;
  const title = error instanceof VenueError && error.status !== 0 ? trade.refused : failed;
  notify('fault', title, code === '' ? text : `${code} ${text}`);
}

type Telling<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;

/** More cancelled orders at once than this share one notice. */
const CANCELLED_APART_MAX = 2;

/** Shows the notices of one message. */
export function tell(all: readonly Notice[]): void {
  const notices = withoutOutdone(all);
  const cancelled = notices.flatMap((one) => (one.kind === 'cancelled' ? [one] : []));
  const isMany = cancelled.length > CANCELLED_APART_MAX;
  if (isMany) tellCancelledMany(cancelled);
  for (const notice of notices) {
    const isToldTogether = isMany && notice.kind === 'cancelled';
    if (!isToldTogether) tellOne(notice);
  }
}

function tellCancelledMany(cancelled: readonly Telling<'cancelled'>[]): void {
  const title = textsNow().trade.noticeCancelledMany(String(cancelled.length));
  notify('info', title);
  if (cancelled.some(({ order }) => reasonWords(order) !== '')) signal('cancel', title, '');
}

function tellOne(notice: Notice): void {
  const { refusal, trade } = textsNow();
  switch (notice.kind) {
    case 'filled':
      tellFilled(notice);
      break;
    case 'cancelled':
      tellCancelled(notice);
      break;
    case 'forced':
      tellForced(notice);
      break;
    case 'plan_triggered':
      notify('good', trade.noticePlan.triggered, planName(notice.plan));
      break;
    case 'plan_failed':
      notify('fault', trade.noticePlan.failed, failedPlan(notice.plan));
      break;
    case 'plan_cancelled':
      notify('info', trade.noticePlan.cancelled, planName(notice.plan));
      break;
    case 'refused':
      notify('fault', trade.refused, `${notice.code} ${refusal(notice.message)}`);
      break;
    case 'risk':
      tellRisk(notice);
      break;
  }
}

function tellFilled({ order }: Telling<'filled'>): void {
  const { trade } = textsNow();
  const tone = order.status === 'cancelled' ? 'warning' : 'good';
  const title = trade.noticeFills[order.status];
  const text = `${filledWords(order)}${reasonWords(order)}`;
  notify(tone, title, text);
  signal('fill', title, text);
}

/** What the owner has cancelled needs no attention. */
function tellCancelled({ order }: Telling<'cancelled'>): void {
  const title = textsNow().trade.noticeCancelled;
  const reason = reasonWords(order);
  const text = `${orderName(order)}${reason}`;
  notify('info', title, text);
  if (reason !== '') signal('cancel', title, text);
}

/** "Buy 0.0166 BTC at 30,000.00, BTC/USDT". */
function filledWords({ symbol, filled, average, action }: OrderLine): string {
  const { trade } = textsNow();
  const size = `${sizeOf(filled, symbol)} ${sizeUnit(symbol, trade)}`;
  const price = priceOf(average, symbol) ?? '';
  return `${trade.actions[action]} ${trade.at(size, price)}, ${marketName(symbol, trade)}`;
}

/** Why it was cancelled; empty when the owner cancelled it. */
function reasonWords({ cancelReason }: OrderLine): string {
  if (cancelReason === '' || cancelReason === 'cancelled_by_owner') return '';
  return `: ${textsNow().trade.cancelReasons[cancelReason]}`;
}

/** An order placed by the venue gives a notice once it has filled. */
function tellForced({ order, cause }: Telling<'forced'>): void {
  if (compare(order.filled, '0') === 0) return;
  const { trade } = textsNow();
  const text = filledWords(order);
  notify('fault', trade.noticeForced[cause], text);
  signal('risk', trade.noticeForced[cause], text);
}

function tellRisk({ symbol, side, level, marginRatio }: Telling<'risk'>): void {
  const { trade } = textsNow();
  const position = `${marketName(symbol, trade)} ${trade[side]}`;
  const words = trade.ratioOf(position, ratioText(marginRatio));
  notify(level === 'danger' ? 'fault' : 'warning', trade.noticeRisk[level], words);
  signal('risk', trade.noticeRisk[level], words, position);
}

function planName(plan: PlanLine): string {
  const { trade } = textsNow();
  const { action, symbol, trigger } = plan;
  const price = priceOf(trigger, symbol) ?? '';
  const what = trade.at(planSize(plan, trade), price);
  return `${trade.actions[action]} ${what}, ${marketName(symbol, trade)}`;
}

function failedPlan(plan: PlanLine): string {
  const reason = planReason(plan);
  return reason === '' ? planName(plan) : `${planName(plan)}: ${textsNow().refusal(reason)}`;
}
