/** What a person has at the venue: one tab at a time. */

import { lazy, type ReactNode, Suspense } from 'react';
import { Skeleton, type Tab, Tabs } from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { PersonSession } from '../../wire/person.ts';
import { go, place, TABS, type TabName } from '../place.ts';
import { Accounts } from './accounts.tsx';
import { JoinCompetition } from './join-competition.tsx';
import { Keys } from './keys.tsx';
import { ProofDialog } from './proof.tsx';
import { Security } from './security.tsx';
import '../../look/section.css';

const Money = lazy(() => import('./money.tsx'));

export default function Home({ session }: { readonly session: PersonSession }) {
  const texts = usePeopleTexts();
  const tab = useStore(place, (now) => now.tab);
  const panels: Readonly<Record<TabName, () => ReactNode>> = {
    security: () => <Security session={session} />,
    accounts: () => (
      <>
        <Accounts session={session} />
        <JoinCompetition session={session} />
      </>
    ),
    keys: () => <Keys session={session} />,
    money: () => (
      <Suspense fallback={<Skeleton lines={8} />}>
        <Money session={session} />
      </Suspense>
    ),
  };
  const tabs: readonly Tab<TabName>[] = TABS.map((name) => ({
    name,
    title: texts.tabs[name],
    panel: panels[name],
  }));
  return (
    <>
      <Tabs label={texts.title} tabs={tabs} chosen={tab} onChoose={(name) => go(name)} />
      <ProofDialog hasFactor={session.person.secondFactor} />
    </>
  );
}
