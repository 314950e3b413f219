/**
 * What may be done. A session says it of the account. Of a key no call returns it, so a cancel that
 * names no order of this venue is sent: it does nothing, and only a key that may not trade is
 * refused. A refused transfer shows the rest.
 */
import { session, useAccount } from '../../session/session.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import { VenueError } from '../../wire/failure.ts';
import type { Access } from '../../wire/person.ts';
import { instruments } from '../context.ts';

const PERMISSION_MISSING = '40014';
const NO_ORDER = '1';

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
  try {
    await cancelNothing();
  } catch (error) {
    if (isMissing(error)) permissions.set((now) => ({ ...now, mayTrade: false }));
  }
}

/** Runs a transfer, and notes when the key may not make any. */
export async function notingTransfers(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (isMissing(error)) permissions.set((now) => ({ ...now, mayTransfer: false }));
    throw error;
  }
}

async function cancelNothing(): Promise<void> {
  const [first] = instruments.get();
  if (first === undefined) return;
  const { kind, symbol } = first;
  const [path, name] =
    kind === 'spot'
      ? ['/api/spot/v1/trade/cancel-batch-orders', 'orderIds']
      : ['/api/swap/v3/order/cancel_batch_orders', 'ids'];
  await session.call('POST', path, { symbol, [name]: [NO_ORDER] });
}

function isMissing(error: unknown): boolean {
  return error instanceof VenueError && error.code === PERMISSION_MISSING;
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
  const { permissions: granted } = account;
  return { mayTrade: granted.includes('trade'), mayTransfer: granted.includes('transfer') };
}
