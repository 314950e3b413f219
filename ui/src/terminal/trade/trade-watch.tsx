/**
 * Shows nothing: follows the account while signed in, so that fills, refusals and liquidations give
 * notices on every page.
 */
import { useEffect } from 'react';
import { useWho } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { instruments, selected } from '../context.ts';
import { followAccount } from './account-feed.ts';
import { learnFees } from './own-fees.ts';
import { learnPermissions } from './permissions.ts';
import { loadTerms } from './terms.ts';

export function TradeWatch() {
  const who = useWho();
  const isListed = useStore(instruments).length > 0;
  useEffect(followTerms, []);
  useEffect(() => {
    if (who === undefined || !isListed) return undefined;
    void learnPermissions();
    void loadTerms()
      .then(learnFees)
      .catch(() => undefined);
    return followAccount();
  }, [who, isListed]);
  return null;
}

/** Reads the terms now and whenever another market is chosen; without them the forms wait. */
function followTerms(): () => void {
  const read = (): void => {
    void loadTerms().catch(() => undefined);
  };
  read();
  return selected.subscribe(read);
}
