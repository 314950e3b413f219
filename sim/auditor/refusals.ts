/**
 * Refusals that are not foretold: where a rule is simple enough to be told from the state alone,
 * the reason that is given must be true of it.
 */
import type { Command, RejectKind } from '#domain';
import { must } from './judge.ts';
import type { Model } from './model.ts';
import type { Turn } from './turn.ts';

type Check = (model: Model, command: Command) => boolean | undefined;

/** What must be true when a reason is given; undefined where it cannot be told here. */
const TRUE_WHEN: Partial<Record<RejectKind, Check>> = {
  account_unknown: (model, command) =>
    'accountId' in command ? !model.accounts.has(command.accountId) : undefined,
  key_in_use: (model, command) =>
    command.kind === 'create_key' ? model.keys.has(command.record.key) : undefined,
};

export function judge(model: Model, turn: Turn, command: Command, reject: RejectKind): void {
  const holds = TRUE_WHEN[reject]?.(model, command);
  if (holds === undefined) {
    turn.count(`refusal not judged: ${reject}`);
    return;
  }
  turn.count('refusal with a true reason');
  must(holds, 'answer', () => `${command.kind} is refused for ${reject}, which is not so`);
}
