/** What may be done: a session says it of the account, and the venue of a key. */
import { native } from '#client';
import { session, useAccount } from '../../session/session.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import type { Access } from '../../wire/person.ts';

interface Permissions {
  readonly mayTrade: boolean;
  readonly mayTransfer: boolean;
}

const ALL: Permissions = { mayTrade: true, mayTransfer: true };
const permissions: Store<Permissions> = createStore<Permissions>(ALL);

/** Checks again what the key may do, as after signing in. */
export async function learnPermissions(): Promise<void> {
  permissions.set(ALL);
  if (accountNow() !== undefined) return;
  const asked = session.state.get();
  try {
    const { permissions: granted } = await session.ask(native.account, {});
    // Another key may have signed in meanwhile.
    if (session.state.get() === asked) permissions.set(permissionsOf(granted));
  } catch {
    // Until it can be asked the venue itself says no.
  }
}

function permissionsOf(granted: readonly string[]): Permissions {
  return { mayTrade: granted.includes('trade'), mayTransfer: granted.includes('transfer') };
}

/** The account of a person; undefined for a key. */
function accountNow(): Access | undefined {
  const now = session.state.get();
  return 'account' in now ? now.account : undefined;
}

export function usePermissions(): Permissions {
  const ofKey = useStore(permissions);
  const account = useAccount();
  if (account === undefined) return ofKey;
  return permissionsOf(account.permissions);
}
