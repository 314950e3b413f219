/**
 * What a sandbox's reset takes from people. Ids of accounts are given again afterwards, so access
 * to an account that the checkpoint lacks ends with it: whoever gets the id next is somebody else.
 */
import type { AccountId, KeptAccount, StateReader } from '#domain';
import { FROM_OPERATOR, note, type PeopleContext } from '../context.ts';

/** Accounts deleted in one statement. */
const AT_ONCE = 500;

/** Before the reset, so that nothing is reset where the store of people cannot follow. */
export async function dropLostAccess(
  context: PeopleContext,
  state: StateReader,
  checkpointName: string,
): Promise<void> {
  const { people, sessions } = context;
  const checkpoint = [...state.sandbox.checkpoints()].find(({ name }) => name === checkpointName);
  if (checkpoint === undefined || !people.mayHold) return;
  const store = await people.get();
  const kept = new Map<AccountId, KeptAccount>();
  for (const one of state.sandbox.accountsOf(checkpointName)) kept.set(one.accountId, one);
  const lost = (await store.accountsWithAccess()).filter((accountId) => {
    const account = state.account(accountId);
    const earlier = kept.get(accountId);
    return (
      account === undefined || earlier === undefined || !isSame(account, earlier, checkpoint.timeMs)
    );
  });
  for (let at = 0; at < lost.length; at += AT_ONCE) {
    for (const personId of await store.dropAccounts(lost.slice(at, at + AT_ONCE))) {
      await sessions.changed(personId);
      const detail = `reset to ${checkpointName}`;
      await note(context, store, personId, 'access_taken', FROM_OPERATOR, detail);
    }
  }
}

/**
 * Whether an account is the one that a checkpoint has under its id. Time goes on over resets, so
 * two of one id were made at different times; but a sandbox's clock may stand still, and then an
 * account as old as the checkpoint is told apart by its name.
 */
function isSame(
  account: Pick<KeptAccount, 'name' | 'createdTimeMs'>,
  earlier: KeptAccount,
  savedMs: number,
): boolean {
  if (account.createdTimeMs !== earlier.createdTimeMs) return false;
  return account.createdTimeMs < savedMs || account.name === earlier.name;
}
