/**
 * Follows the account that is signed in, all of it whatever is on the screen, and folds what it
 * says into its state. The screen is told once a frame, notices are given at once.
 */
import type { AccountData, StreamMessage } from '#client';
import { fillLine } from '../../model/fills.ts';
import type { RiskLevel } from '../../model/notices.ts';
import { type Notice, orderNotice, planNotice, riskNotice, riskOf } from '../../model/notices.ts';
import { signOf } from '../../model/numbers.ts';
import { orderLine } from '../../model/orders.ts';
import { planLine } from '../../model/plans.ts';
import type { Position } from '../../model/positions.ts';
import { atNextFrame } from '../../store/store.ts';
import { stream } from '../../wire/stream.ts';
import { account, forgetAccount, noteGap, publish, tables } from './account-state.ts';
import { tell } from './notice-words.ts';

const ANY = () => true;

/** Returns how to stop, which forgets the account. */
export function followAccount(): () => void {
  let isOver = false;
  const show = (): void => {
    if (!isOver) publish();
  };
  const stop = stream.follow('account', {
    onMessage: (message) => {
      if (message.type === 'snapshot') replaceAll(message.data);
      else takeChanges(message);
      atNextFrame(show);
    },
  });
  return () => {
    isOver = true;
    stop();
    forgetAccount();
    levels.clear();
  };
}

/** A snapshot is no news; after the first one it may leave out what has ended meanwhile. */
function replaceAll(data: AccountData): void {
  const { orders, plans, balances, settings, positions } = tables;
  if (account.openOrders.get() !== undefined) noteGap();
  orders.replaceOpen(data.orders.map(orderLine), orders.mark(), ANY);
  plans.replaceOpen(data.triggers.map(planLine), plans.mark(), ANY);
  for (const table of [balances, settings, positions]) table.clear();
  takeStates(data);
}

function takeChanges({ data }: StreamMessage<AccountData>): void {
  const { orders, plans, fills } = tables;
  const nowMs = Date.now();
  for (const row of data.fills) fills.hear(fillLine(row), nowMs);
  const notices = [
    ...data.orders
      .map((row) => orders.hear(orderLine(row), nowMs))
      .map((one) => one && orderNotice(one)),
    ...data.triggers
      .map((row) => plans.hear(planLine(row), nowMs))
      .map((one) => one && planNotice(one)),
    ...takeStates(data),
  ];
  tell(notices.filter((notice) => notice !== undefined));
}

/** What has no history; gives the warnings of positions. */
function takeStates(data: AccountData): readonly (Notice | undefined)[] {
  const { balances, settings, positions } = tables;
  for (const row of data.balances) balances.hear(`${row.wallet} ${row.coin}`, row);
  for (const row of data.settings) settings.hear(row.symbol, row);
  return data.positions.map((position) => {
    const name = `${position.symbol} ${position.side}`;
    if (signOf(position.size) > 0) positions.hear(name, position);
    else positions.drop(name);
    return watched(name, position);
  });
}

const levels = new Map<string, RiskLevel>();

/** A warning when a position comes nearer to liquidation. */
function watched(name: string, position: Position): Notice | undefined {
  const now = signOf(position.size) > 0 ? riskOf(position) : 'calm';
  const notice = riskNotice(position, levels.get(name) ?? 'calm', now);
  levels.set(name, now);
  return notice;
}
