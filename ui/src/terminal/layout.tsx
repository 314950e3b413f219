/** What the panels of the terminal hold: side by side on a desk, one at a time on a phone. */
import { Fragment, type ReactNode, useState } from 'react';
import { Skeleton, type Tab, Tabs, useIsWide } from '../look/mod.ts';
import { panelsOf } from '../model/panels.ts';
import { useAccount, useIsSignedIn } from '../session/session.ts';
import { SignInInvitation } from '../session/session-button.tsx';
import { useStore } from '../store/store.ts';
import type { Texts } from '../texts/en.ts';
import { useTexts } from '../texts/texts.ts';
import { useInstrument } from './context.ts';
import { type Contents, Desk, deskPlace } from './desk/mod.ts';
import { Book, Chart, DepthChart, Trades, Watchlist } from './market/mod.ts';
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

const CONTENTS: Contents = {
  chart: ChartTabs,
  book: BookPanel,
  trades: TradesPanel,
  form: FormPanel,
  account: AccountTabs,
  watchlist: Watchlist,
};

export function DeskLayout() {
  return <Desk contents={CONTENTS} isWaiting={useInstrument() === undefined} />;
}

/** The trades are a tab of the book where they have no panel of their own. */
function BookPanel() {
  const { layout } = useTexts();
  const hasTrades = useStore(deskPlace(useIsWide()), (place) => panelsOf(place).includes('trades'));
  if (!hasTrades) return <BookTabs />;
  return (
    <section className="titled" aria-label={layout.book}>
      <h2 className="panel-title">{layout.book}</h2>
      <Book />
    </section>
  );
}

function TradesPanel() {
  const { layout } = useTexts();
  return (
    <>
      <h2 className="panel-title">{layout.trades}</h2>
      <Trades />
    </>
  );
}

function FormPanel() {
  const { layout } = useTexts();
  return (
    <section className="desk-scroll" aria-label={layout.trade}>
      <AccountOrderForm />
    </section>
  );
}

/** It starts anew with another account: what was typed was meant for the one before. */
function AccountOrderForm() {
  return <OrderForm key={useAccount()?.accountId ?? ''} />;
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
  return <Tabs label={layout.book} tabs={tabs} chosen={chosen} onChoose={setChosen} />;
}

const PHONE_TABS = ['chart', 'book', 'trade', 'account'] as const;
type PhoneTab = (typeof PHONE_TABS)[number];

/** Of the bar at the foot. */
const PICTURES: Readonly<Record<PhoneTab, string>> = {
  chart: 'M5 2v3m0 6v4M3 5h4v6H3zM13 3v4m0 5v4M11 7h4v5h-4z',
  book: 'M2 4h9M2 8h6M2 12h12M2 16h8',
  trade: 'M3 6h11l-3-3M15 12H4l3 3',
  account: 'M3 5h12v10H3zM3 8h12M11 11h2',
};

export function PhoneLayout() {
  const { shell } = useTexts();
  const [chosen, setChosen] = useState<PhoneTab>('chart');
  const isWaiting = useInstrument() === undefined;
  const panels: Readonly<Record<PhoneTab, () => ReactNode>> = {
    chart: () => (isWaiting ? <Skeleton lines={12} /> : <ChartTabs />),
    book: () => <PhoneBook />,
    trade: () => <AccountOrderForm />,
    account: () => <AccountTabs />,
  };
  const tabs = PHONE_TABS.map(
    (name): Tab<PhoneTab> => ({ name, title: <BarTitle name={name} />, panel: panels[name] }),
  );
  return (
    <div className="phone panel" aria-busy={isWaiting}>
      <Tabs label={shell.terminal} tabs={tabs} chosen={chosen} onChoose={setChosen} />
    </div>
  );
}

function BarTitle({ name }: { readonly name: PhoneTab }) {
  const { layout } = useTexts();
  return (
    <span className="bar-title">
      <svg className="icon" viewBox="0 0 18 18" aria-hidden="true">
        <path d={PICTURES[name]} />
      </svg>
      {layout[name]}
    </span>
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
  const accountId = useAccount()?.accountId ?? '';
  const [chosen, setChosen] = useState<AccountTab>('openOrders');
  const all = accountTabs(layout).filter(({ name }) => isContract || !CONTRACTS_ONLY.has(name));
  const tabs = all.map((tab) => ({
    ...tab,
    panel: () =>
      isSignedIn ? (
        <Fragment key={accountId}>{tab.panel()}</Fragment>
      ) : (
        <SignInInvitation text={session.neededFor} />
      ),
  }));
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
