/**
 * Refusals of contract commands: where a rule is simple enough to be told from the state alone, the
 * reason that is given must be true of it.
 */
import type { Command, RejectKind } from '#domain';
import { must } from './judge.ts';
import type { Model } from './model.ts';
import type { Turn } from './turn.ts';

type Check = (model: Model, command: Command, turn: Turn) => boolean | undefined;

/** What must be true when a reason is given; undefined where it cannot be told here. */
const TRUE_WHEN: Partial<Record<RejectKind, Check>> = {
  account_unknown: (model, command) =>
    'accountId' in command ? !model.accounts.has(command.accountId) : undefined,
  account_frozen: (model, command) =>
    'accountId' in command ? model.accounts.get(command.accountId)?.frozen === true : undefined,
  contract_unknown: (model, command) =>
    'instrumentId' in command ? !model.contracts.has(command.instrumentId) : undefined,
  contract_suspended: (model, command) => statusOf(model, command) === 'suspended',
  contract_delisted: (model, command) => statusOf(model, command) === 'offline',
  contract_halted: (model, command, { timeMs }) => {
    if (statusOf(model, command) === 'halt') return true;
    const book = bookNamed(model, command);
    return book === undefined || book.terms.indexStaleMs > 0 || timeMs < 0;
  },
  order_unknown: (model, command) => {
    if (!('orderId' in command) || !('accountId' in command)) return undefined;
    const book = model.contracts.get(command.instrumentId);
    const { orderId, accountId, kind } = command;
    if (kind === 'cancel_contract_order' || kind === 'move_contract_order') {
      return !book?.orders.some((one) => one.orderId === orderId && one.accountId === accountId);
    }
    const found = book?.triggers.get(orderId)?.view;
    // Only a TP/SL is given another trigger.
    if (kind === 'modify_tp_sl' && found?.purpose === 'trigger') return true;
    return found?.accountId !== accountId;
  },
  leverage_locked: (model, command) => isBusy(model, command),
  key_in_use: (model, command) =>
    command.kind === 'create_key' ? model.keys.has(command.record.key) : undefined,
  key_not_found: (model, command) =>
    command.kind === 'revoke_key' ? !model.keys.has(command.key) : undefined,
};

export function judge(model: Model, turn: Turn, command: Command, reject: RejectKind): void {
  const holds = TRUE_WHEN[reject]?.(model, command, turn);
  if (holds === undefined) {
    turn.count(`refusal not judged: ${reject}`);
    return;
  }
  turn.count('refusal with a true reason');
  must(holds, 'answer', () => `${command.kind} is refused for ${reject}, which is not so`);
}

function bookNamed(model: Model, command: Command) {
  return 'instrumentId' in command ? model.contracts.get(command.instrumentId) : undefined;
}

function statusOf(model: Model, command: Command): string | undefined {
  return bookNamed(model, command)?.terms.status;
}

function isBusy(model: Model, command: Command): boolean | undefined {
  if (!('accountId' in command)) return undefined;
  const { accountId } = command;
  const book = bookNamed(model, command);
  const hasOrder = book?.orders.some((one) => one.accountId === accountId) === true;
  const waits = [...(book?.triggers.values() ?? [])];
  return hasOrder || waits.some(({ view }) => view.accountId === accountId);
}
