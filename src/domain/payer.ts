/** Whose share of a busy venue a command takes. */
import type { Command } from './command.ts';
import type { AccountId } from './units.ts';

/** What the operator does to an account must not wait for that account. */
const OF_OPERATOR: ReadonlySet<Command['kind']> = new Set([
  ...(['update_account', 'deposit', 'withdraw', 'set_lock'] as const),
  'transfer_between_accounts',
]);

/** Undefined for what is no account's: the operator's commands and the venue's own. */
export function payerOf(command: Command): AccountId | undefined {
  return 'accountId' in command && !OF_OPERATOR.has(command.kind) ? command.accountId : undefined;
}
