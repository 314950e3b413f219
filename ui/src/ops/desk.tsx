/** What the operator sees and does, once the token was taken: one tab at a time. */
import { type ReactNode, useEffect, useState } from 'react';
import { type Tab, Tabs } from '../look/mod.ts';
import { useHasPeople } from '../session/use-venue.ts';
import { useStore } from '../store/store.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { venueInfo } from '../wire/venue.ts';
import { Accounts } from './accounts/accounts.tsx';
import { Cluster, useIsClustered } from './cluster.tsx';
import { Competitions } from './competitions/competitions.tsx';
import { Health } from './health/health.tsx';
import { startSampling } from './health/sampler.ts';
import { Instruments } from './instruments/instruments.tsx';
import { Limits } from './limits.tsx';
import { Liquidations } from './liquidations.tsx';
import { Money } from './money/money.tsx';
import { NoticesPage } from './notices/notices.tsx';
import { useMay } from './operator.ts';
import { ActionLog } from './operators/log.tsx';
import { Operators } from './operators/operators.tsx';
import { People } from './people/people.tsx';
import { go, place, TABS, type TabName } from './place.ts';
import { Sandbox } from './sandbox/sandbox.tsx';

const PANELS: Readonly<Record<TabName, () => ReactNode>> = {
  health: () => <Health />,
  cluster: () => <Cluster />,
  money: () => <Money />,
  accounts: () => <Accounts />,
  people: () => <People />,
  instruments: () => <Instruments />,
  notices: () => <NoticesPage />,
  competitions: () => <Competitions />,
  operators: () => <Operators />,
  log: () => <ActionLog />,
  liquidations: () => <Liquidations />,
  limits: () => <Limits />,
  sandbox: () => <Sandbox />,
};

export function Desk() {
  const ops = useOpsTexts();
  const tab = useStore(place, (now) => now.tab);
  const mayRun = useMay('run');
  const isHidden: Partial<Record<TabName, boolean>> = {
    sandbox: !useIsSandbox() || !mayRun,
    cluster: !useIsClustered(),
    people: useHasPeople() !== true,
    notices: useHasPeople() !== true,
    competitions: useHasPeople() !== true,
  };
  useEffect(startSampling, []);
  const tabs: Tab<TabName>[] = TABS.filter((name) => isHidden[name] !== true).map((name) => ({
    name,
    title: ops.tabs[name],
    panel: PANELS[name],
  }));
  return <Tabs label={ops.title} tabs={tabs} chosen={tab} onChoose={(name) => go(name)} />;
}

/** Whether time, prices and faults can be controlled here. */
function useIsSandbox(): boolean {
  const [isSandbox, setSandbox] = useState(false);
  useEffect(() => {
    venueInfo().then(
      ({ sandbox }) => setSandbox(sandbox),
      () => undefined,
    );
  }, []);
  return isSandbox;
}
