/**
 * Shows nothing: follows the account while signed in, so that fills, refusals and liquidations give
 * notices on every page.
 */
import { useEffect } from 'react';
import { useWho } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { instruments, selected, useInstrument } from '../context.ts';
import { forgetAccount } from './account-state.ts';
import { followContractAccount, followSpotAccount, forgetRisk } from './account-streams.ts';
import { learnFees } from './own-fees.ts';
import { learnPermissions } from './permissions.ts';
import { loadTerms } from './terms.ts';
import { learnWallets } from './wallets.ts';

/** Contracts whose private topics are followed at once; a stream takes 240 topics in an hour. */
const CONTRACTS_MAX = 20;

export function TradeWatch() {
  const who = useWho();
  const chosen = useInstrument()?.symbol ?? '';
  const followed = useFollowedContracts(chosen);
  useEffect(followTerms, []);
  useEffect(() => {
    // With another account all that is known of the one before is forgotten.
    if (who === undefined) return undefined;
    const stop = followSpotAccount();
    return () => {
      stop();
      forgetAccount();
      forgetRisk();
    };
  }, [who]);
  const isListed = useStore(instruments).length > 0;
  useEffect(() => {
    if (who === undefined || !isListed) return;
    void learnPermissions();
    void learnWallets().catch(() => undefined);
    void loadTerms()
      .then(learnFees)
      .catch(() => undefined);
  }, [who, isListed]);
  if (who === undefined) return null;
  return followed.map((symbol) => <ContractWatch key={`${who} ${symbol}`} symbol={symbol} />);
}

/** Reads the terms now and whenever another market is chosen; without them the forms wait. */
function followTerms(): () => void {
  const read = (): void => {
    void loadTerms().catch(() => undefined);
  };
  read();
  return selected.subscribe(read);
}

function ContractWatch({ symbol }: { readonly symbol: string }) {
  useEffect(() => followContractAccount(symbol), [symbol]);
  return null;
}

/** The first contracts of the venue, and the one that is looked at. */
function useFollowedContracts(chosen: string): readonly string[] {
  const all = useStore(instruments).filter(({ kind }) => kind === 'contract');
  const symbols = all.slice(0, CONTRACTS_MAX).map(({ symbol }) => symbol);
  const isFurther = all.some(({ symbol }) => symbol === chosen) && !symbols.includes(chosen);
  return isFurther ? [...symbols.slice(0, -1), chosen] : symbols;
}
