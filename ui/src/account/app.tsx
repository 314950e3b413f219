/** The account page: the door for strangers, a link that was sent, or what a person has here. */

import { lazy, Suspense } from 'react';
import { Button, Skeleton } from '../look/mod.ts';
import { person, usePerson } from '../session/person.ts';
import { useHasPeople } from '../session/use-venue.ts';
import { PageHead } from '../shell/page-head.tsx';
import { useStore } from '../store/store.ts';
import { usePeopleTexts } from '../texts/people.ts';
import { Door } from './door/door.tsx';
import { LinkPage } from './door/link-page.tsx';
import { link } from './place.ts';
import { useSubmit } from './use-submit.ts';
import './account.css';

const Home = lazy(() => import('./home/home.tsx'));

export function App() {
  const texts = usePeopleTexts();
  const isIn = usePerson().kind === 'in';
  return (
    <div className="account">
      <PageHead page="account" end={isIn ? <SignOut /> : null} />
      <main className="account-main" tabIndex={-1}>
        <h1 className="only-read-out">{texts.title}</h1>
        <Content />
      </main>
    </div>
  );
}

function Content() {
  const state = usePerson();
  const sent = useStore(link);
  const hasPeople = useHasPeople();
  if (hasPeople === false) return <NotHere />;
  if (sent !== undefined) return <LinkPage key={sent.token} sent={sent} />;
  if (hasPeople === undefined || state.kind === 'unknown') return <Skeleton lines={6} />;
  if (state.kind === 'out') return <Door hasEnded={state.hasEnded} />;
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <Home session={state.session} />
    </Suspense>
  );
}

function NotHere() {
  const texts = usePeopleTexts();
  return (
    <section className="stack panel page-form">
      <h2>{texts.notHere}</h2>
      <p>{texts.notHereMeans}</p>
      <a className="button button-main" href="/">
        {texts.toTerminal}
      </a>
    </section>
  );
}

function SignOut() {
  const texts = usePeopleTexts();
  const { isBusy, run } = useSubmit(() => person.signOut());
  return (
    <Button isBusy={isBusy} onClick={() => void run()}>
      {texts.signOut}
    </Button>
  );
}
