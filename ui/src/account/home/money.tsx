/** What an account owns and what changed it: the lists of the terminal, with its transfers. */

import { useEffect } from 'react';
import { Section } from '../../look/mod.ts';
import { AccountSelect } from '../../session/account-select.tsx';
import { session as trading, useAccount } from '../../session/session.ts';
import { followTickers, loadInstruments, selected } from '../../terminal/context.ts';
import { Balances, TradeWatch } from '../../terminal/trade/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { PersonSession } from '../../wire/person.ts';
import { OwnFeeLevel } from './own-fee-level.tsx';
import { RequestList } from './request-list.tsx';
import '../../terminal/terminal.css';
import '../../terminal/market/market.css';

export default function Money({ session }: { readonly session: PersonSession }) {
  const { money } = usePeopleTexts();
  const account = useAccount();
  useMarkets();
  if (session.accounts.length === 0) return <p className="empty">{money.none}</p>;
  if (account === undefined) return null;
  return (
    <div className="account-page">
      <Section
        title={money.title}
        actions={
          <AccountSelect accounts={session.accounts} account={account} isLabelHidden={false} />
        }
      >
        <div className="account-money" key={account.accountId}>
          <Balances />
        </div>
      </Section>
      <OwnFeeLevel accountId={account.accountId} />
      <RequestList key={account.accountId} {...{ account }} accounts={session.accounts} />
      <TradeWatch />
    </div>
  );
}

/** Loads what the lists of the terminal need; the link of a market leads there. */
function useMarkets(): void {
  useEffect(() => {
    const stopTrading = trading.followPerson();
    void loadInstruments().catch(() => undefined);
    const stop = followTickers();
    // By symbol: the list of instruments is made of new objects each time that it is loaded.
    let first = selected.get()?.symbol;
    const leave = selected.subscribe(() => {
      const now = selected.get()?.symbol;
      if (first !== undefined && now !== undefined && now !== first) location.assign(`/#${now}`);
      first ??= now;
    });
    return () => {
      stop();
      leave();
      stopTrading();
    };
  }, []);
}
