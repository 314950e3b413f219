/** Where the parts of the terminal stand: a grid on a desk, tabs on a phone. */
import { useState } from 'react';
import { Skeleton, type Tab, Tabs, useIsWide } from '../look/mod.ts';
import { useIsSignedIn } from '../session/session.ts';
import { SignInInvitation } from '../session/session-button.tsx';
import type { Texts } from '../texts/en.ts';
import { useTexts } from '../texts/texts.ts';
import { useInstrument } from './context.ts';
import { Book, Chart, DepthChart, Trades } from './market/mod.ts';
import {
  Balances,
  Fills,
  OpenOrders,
  OrderForm,
  OrderHistory,
  Plans,
  Positions,
} from './trade/mod.ts';

type Words = Texts['layout'];

export function DeskLayout() {
  const { layout } = useTexts();
  const isWide = useIsWide();
  if (useInstrument() === undefined) return <WaitingDesk isWide={isWide} />;
  return (
    <div className="desk">
      <div className="panel desk-chart">
        <ChartTabs />
      </div>
      {isWide ? <BookAndTrades /> : <BookTabs />}
      <section className="panel desk-form" aria-label={layout.trade}>
        <OrderForm />
      </section>
      <div className="panel desk-account">
        <AccountTabs />
      </div>
    </div>
  );
}

/** The same panels in the same places, so that nothing moves when the markets are known. */
function WaitingDesk({ isWide }: { readonly isWide: boolean }) {
  const names = ['chart', 'book', ...(isWide ? ['trades'] : []), 'form', 'account'];
  return (
    <div className="desk" aria-busy="true">
      {names.map((name) => (
        <div key={name} className={`panel desk-${name}`}>
          <Skeleton lines={name === 'account' ? 4 : 12} />
        </div>
      ))}
    </div>
  );
}

function BookAndTrades() {
  const { layout } = useTexts();
  return (
    <>
      <section className="panel desk-book" aria-label={layout.book}>
        <h2 className="panel-title">{layout.book}</h2>
        <Book />
      </section>
      <div className="panel desk-trades">
        <h2 className="panel-title">{layout.trades}</h2>
        <Trades />
      </div>
    </>
  );
}

type BookTab = 'book' | 'trades';

/** One at a time, so that either has rows enough. */
function BookTabs() {
  const { layout } = useTexts();
  const [chosen, setChosen] = useState<BookTab>('book');
  const tabs: readonly Tab<BookTab>[] = [
    { name: 'book', title: layout.book, panel: () => <Book /> },
    { name: 'trades', title: layout.trades, panel: () => <Trades /> },
  ];
  return (
    <div className="panel desk-book">
      <Tabs label={layout.book} tabs={tabs} chosen={chosen} onChoose={setChosen} />
    </div>
  );
}

type PhoneTab = 'chart' | 'book' | 'trade' | 'account';

export function PhoneLayout() {
  const { layout, shell } = useTexts();
  const [chosen, setChosen] = useState<PhoneTab>('chart');
  const isWaiting = useInstrument() === undefined;
  const tabs: readonly Tab<PhoneTab>[] = [
    {
      name: 'chart',
      title: layout.chart,
      panel: () => (isWaiting ? <Skeleton lines={12} /> : <ChartTabs />),
    },
    { name: 'book', title: layout.book, panel: () => <PhoneBook /> },
    { name: 'trade', title: layout.trade, panel: () => <OrderForm /> },
    { name: 'account', title: layout.account, panel: () => <AccountTabs /> },
  ];
  return (
    <div className="phone panel" aria-busy={isWaiting}>
      <Tabs label={shell.terminal} tabs={tabs} chosen={chosen} onChoose={setChosen} />
    </div>
  );
}

function PhoneBook() {
  const { layout } = useTexts();
  return (
    <>
      <Book />
      <h2 className="panel-title">{layout.trades}</h2>
      <Trades />
    </>
  );
}

type ChartTab = 'chart' | 'depth';

function ChartTabs() {
  const { layout } = useTexts();
  const [chosen, setChosen] = useState<ChartTab>('chart');
  const tabs: readonly Tab<ChartTab>[] = [
    { name: 'chart', title: layout.chart, panel: () => <Chart /> },
    { name: 'depth', title: layout.depth, panel: () => <DepthChart /> },
  ];
  return <Tabs label={layout.chart} tabs={tabs} chosen={chosen} onChoose={setChosen} />;
}

type AccountTab = 'positions' | 'openOrders' | 'plans' | 'history' | 'fills' | 'balances';

function AccountTabs() {
  const { layout, session } = useTexts();
  const isContract = useInstrument()?.kind === 'contract';
  const isSignedIn = useIsSignedIn();
  const [chosen, setChosen] = useState<AccountTab>('openOrders');
  const all = accountTabs(layout).filter(({ name }) => isContract || !CONTRACTS_ONLY.has(name));
  const tabs = isSignedIn
    ? all
    : all.map((tab) => ({ ...tab, panel: () => <SignInInvitation text={session.neededFor} /> }));
  return <Tabs label={layout.account} tabs={tabs} chosen={chosen} onChoose={setChosen} />;
}

const CONTRACTS_ONLY: ReadonlySet<AccountTab> = new Set(['positions', 'plans']);

function accountTabs(layout: Words): readonly Tab<AccountTab>[] {
  return [
    { name: 'positions', title: layout.positions, panel: () => <Positions /> },
    { name: 'openOrders', title: layout.openOrders, panel: () => <OpenOrders /> },
    { name: 'plans', title: layout.plans, panel: () => <Plans /> },
    { name: 'history', title: layout.history, panel: () => <OrderHistory /> },
    { name: 'fills', title: layout.fills, panel: () => <Fills /> },
    { name: 'balances', title: layout.balances, panel: () => <Balances /> },
  ];
}
