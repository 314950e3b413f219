/** The terminal: loads the instruments, then lays out its parts for a desk or for a phone. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Button, Skeleton, useIsPhone } from '../look/mod.ts';
import { useIsSignedIn } from '../session/session.ts';
import { SessionButton } from '../session/session-button.tsx';
import { useHasPeople } from '../session/use-venue.ts';
import { Connection } from '../shell/connection.tsx';
import { PageHead } from '../shell/page-head.tsx';
import { useTexts } from '../texts/texts.ts';
import { describeFailure } from '../wire/failure.ts';
import { AlertsButton, AlertWatch } from './alerts/mod.ts';
import {
  followAddress,
  followTickers,
  type Instrument,
  loadInstruments,
  useInstrument,
} from './context.ts';
import { ArrangeButton } from './desk/mod.ts';
import { DeskLayout, PhoneLayout } from './layout.tsx';
import { MarketFacts, MarketSelector, MarketStar, useMarketName } from './market/mod.ts';
import { TradeWatch } from './trade/mod.ts';
import './terminal.css';

/** Behind the page: nobody waits for it, and trading goes on without it. */
const Banner = lazy(() => import('./banner/banner.tsx').catch(() => ({ default: () => null })));

export function App() {
  const { shell } = useTexts();
  const instrument = useInstrument();
  const { fault, retry } = useInstruments();
  const isPhone = useIsPhone();
  return (
    <div className={useIsSignedIn() ? 'terminal terminal-signed-in' : 'terminal'}>
      <PageHead page="terminal" middle={<Connection />} end={<SessionButton />} />
      {useHasPeople() && instrument !== undefined ? (
        <Suspense>
          <Banner />
        </Suspense>
      ) : null}
      <main className="terminal-main" tabIndex={-1}>
        {instrument === undefined ? (
          <h1 className="only-read-out">{shell.terminal}</h1>
        ) : (
          <Heading instrument={instrument} />
        )}
        {fault === undefined ? null : <Unreachable text={fault} onRetry={retry} />}
        <div className="market-line panel">
          <div className="market-choice">
            <MarketSelector />
            {instrument === undefined ? null : <MarketStar instrument={instrument} />}
          </div>
          {instrument === undefined ? <Skeleton lines={1} /> : <MarketFacts />}
          <div className="market-tools">
            <AlertsButton />
            {isPhone ? null : <ArrangeButton />}
          </div>
        </div>
        {isPhone ? <PhoneLayout /> : <DeskLayout />}
      </main>
      <TradeWatch />
      <AlertWatch />
    </div>
  );
}

function Heading({ instrument }: { readonly instrument: Instrument }) {
  return <h1 className="only-read-out">{useMarketName(instrument)}</h1>;
}

/** Loads the instruments once and follows their tickers. */
function useInstruments() {
  const [fault, setFault] = useState<string | undefined>();
  const load = useCallback(() => {
    loadInstruments().then(
      () => setFault(undefined),
      (error: unknown) => setFault(describeFailure(error).text),
    );
  }, []);
  useEffect(() => {
    load();
    return followTickers();
  }, [load]);
  useEffect(followAddress, []);
  return { fault, retry: load };
}

interface UnreachableProps {
  readonly text: string;
  readonly onRetry: () => void;
}

function Unreachable({ text, onRetry }: UnreachableProps) {
  const { shell } = useTexts();
  return (
    <div className="panel invitation" role="alert">
      <p>
        {shell.unreachable}: {text}
      </p>
      <Button onClick={onRetry}>{shell.retry}</Button>
    </div>
  );
}
