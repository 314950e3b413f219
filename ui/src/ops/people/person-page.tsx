/** One person: accounts, sessions, what has happened, and what the operator does for it. */

import { type ReactNode, useState } from 'react';
import { admin } from '#client';
import { EventTable } from '../../account/home/events.tsx';
import { Button, Fact, Field, Refusal, Section, Skeleton, useTimes } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator, useMay } from '../operator.ts';
import { ActionTable } from '../operators/log.tsx';
import { go } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { Links } from './links.tsx';
import { PersonAccounts } from './person-accounts.tsx';
import { StateMark } from './person-list.tsx';
import { PersonSessions } from './person-sessions.tsx';

const EVERY_MS = 3_000;
/** The log has the others. */
const ACTIONS = 50;

export function PersonPage({ personId }: { readonly personId: string }) {
  const { desk, events } = usePeopleTexts();
  const mayHelp = useMay('help');
  const { data, failure, reload } = useLoaded(admin.person, { person: personId }, EVERY_MS);
  const happened = useLoaded(admin.personEvents, { person: personId }, EVERY_MS);
  return (
    <div className="ops-page">
      <div className="ops-line">
        <Button tone="quiet" onClick={() => go('people')}>
          ← {desk.back}
        </Button>
        <Refusal failure={failure} />
      </div>
      {data === undefined ? (
        failure === undefined && <Skeleton lines={8} />
      ) : (
        <>
          <Head person={data} personId={personId} onDone={reload} />
          <PersonAccounts rows={data.accounts} />
          <PersonSessions personId={personId} email={data.email} onDone={reload} />
          {mayHelp ? <Links personId={personId} /> : null}
          <Section title={events.title}>
            <Refusal failure={happened.failure} />
            <EventTable rows={happened.data} />
          </Section>
          <PersonActions personId={personId} />
        </>
      )}
    </div>
  );
}

/** What operators did that names the person, newest first. */
function PersonActions({ personId }: { readonly personId: string }) {
  const { desk } = usePeopleTexts();
  const asked = { text: personId, limit: ACTIONS };
  const { data, failure } = useLoaded(admin.actions, asked, EVERY_MS);
  return (
    <Section title={desk.actions}>
      <Refusal failure={failure} />
      <ActionTable rows={data} />
    </Section>
  );
}

type Asked = 'suspend' | 'reset' | 'factor' | 'sessions' | 'wait';

interface PersonProps {
  readonly person: admin.PersonAnswer;
  readonly personId: string;
  readonly onDone: () => void;
}

function Head(props: PersonProps) {
  const { desk, factor } = usePeopleTexts();
  const times = useTimes();
  const { person } = props;
  const [asked, setAsked] = useState<Asked>();
  const isSuspended = person.state === 'suspended';
  const waitsUntil = Number(person.signInWaitsUntil);
  const close = (): void => setAsked(undefined);
  const dialogs: Readonly<Record<Asked, () => ReactNode>> = {
    suspend: () => <SuspendDialog {...props} onClose={close} />,
    reset: () => <ResetDialog {...props} onClose={close} />,
    factor: () => <FactorDialog {...props} onClose={close} />,
    sessions: () => <SessionsDialog {...props} onClose={close} />,
    wait: () => <WaitDialog {...props} onClose={close} />,
  };
  return (
    <section className="panel fact-line" aria-label={person.email}>
      <Fact label={desk.email} text={person.email} />
      <Fact label={desk.name} text={person.name || undefined} />
      <StateMark state={person.state} desk={desk} />
      <Fact label={desk.factor} text={person.secondFactor ? factor.on : factor.off} />
      <Fact label={desk.sessions} text={String(person.sessions)} />
      <Fact label={desk.since} text={times.dateTime(Number(person.cTime))} />
      {waitsUntil === 0 ? null : <Fact label={desk.waitsUntil} text={times.dateTime(waitsUntil)} />}
      <div className="actions ops-push">
        <Act duty="help" onClick={() => setAsked('suspend')}>
          {isSuspended ? desk.unsuspend : desk.suspend}
        </Act>
        <Act duty="help" disabled={isSuspended} onClick={() => setAsked('reset')}>
          {desk.reset}
        </Act>
        <Act duty="help" disabled={!person.secondFactor} onClick={() => setAsked('factor')}>
          {desk.removeFactor}
        </Act>
        <Act duty="help" disabled={person.sessions === 0} onClick={() => setAsked('sessions')}>
          {desk.endSessions}
        </Act>
        <Act duty="help" onClick={() => setAsked('wait')}>
          {desk.liftWait}
        </Act>
      </div>
      {asked === undefined ? null : dialogs[asked]()}
    </section>
  );
}

interface AskProps extends PersonProps {
  readonly onClose: () => void;
}

function SuspendDialog({ person, personId, onDone, onClose }: AskProps) {
  const { desk } = usePeopleTexts();
  const [reason, setReason] = useState('');
  const isSuspended = person.state === 'suspended';
  const action = isSuspended ? desk.unsuspend : desk.suspend;
  const run = async (): Promise<string> => {
    await operator.call(admin.changePerson, {
      person: personId,
      suspended: !isSuspended,
      reason: reason.trim(),
    });
    onDone();
    return isSuspended ? desk.unsuspendedNow(person.email) : desk.suspendedNow(person.email);
  };
  return (
    <ActionDialog title={`${action}: ${person.email}`} duty="help" {...{ action, run, onClose }}>
      <p>{isSuspended ? desk.unsuspendMeans : desk.suspendMeans}</p>
      <Reason value={reason} onValue={setReason} />
    </ActionDialog>
  );
}

interface ReasonProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Reason({ value, onValue }: ReasonProps) {
  const { desk } = usePeopleTexts();
  return (
    <Field label={desk.reason} placeholder={desk.reasonMeans} {...{ value, onValue }} required />
  );
}

function ResetDialog({ person, personId, onDone, onClose }: AskProps) {
  const { desk } = usePeopleTexts();
  const run = async (): Promise<string> => {
    await operator.call(admin.resetPassword, { person: personId });
    onDone();
    return desk.resetDone;
  };
  return (
    <ActionDialog
      title={`${desk.reset}: ${person.email}`}
      action={desk.reset}
      question={desk.resetQuestion(person.email)}
      isMild
      duty="help"
      {...{ run, onClose }}
    />
  );
}

function FactorDialog({ person, personId, onDone, onClose }: AskProps) {
  const { desk } = usePeopleTexts();
  const [reason, setReason] = useState('');
  const action = desk.removeFactor;
  const run = async (): Promise<string> => {
    const asked = { reason: reason.trim() };
    await operator.call(admin.removeFactor, { person: personId, ...asked });
    onDone();
    return desk.removedFactor(person.email);
  };
  return (
    <ActionDialog title={`${action}: ${person.email}`} duty="help" {...{ action, run, onClose }}>
      <p>{desk.removeFactorMeans}</p>
      <Reason value={reason} onValue={setReason} />
    </ActionDialog>
  );
}

function WaitDialog({ person, personId, onDone, onClose }: AskProps) {
  const { desk } = usePeopleTexts();
  const [reason, setReason] = useState('');
  const action = desk.liftWait;
  const run = async (): Promise<string> => {
    await operator.call(admin.liftSignInWait, { person: personId, reason: reason.trim() });
    onDone();
    return desk.liftedWait(person.email);
  };
  return (
    <ActionDialog title={`${action}: ${person.email}`} duty="help" {...{ action, run, onClose }}>
      <p>{desk.liftWaitMeans}</p>
      <Reason value={reason} onValue={setReason} />
    </ActionDialog>
  );
}

function SessionsDialog({ person, personId, onDone, onClose }: AskProps) {
  const { desk } = usePeopleTexts();
  const action = desk.endSessions;
  const question = desk.endQuestion(person.email);
  const run = async (): Promise<string> => {
    const { ended } = await operator.call(admin.endSessions, { person: personId });
    onDone();
    return desk.ended(ended);
  };
  return (
    <ActionDialog
      title={`${action}: ${person.email}`}
      duty="help"
      {...{ action, question, run, onClose }}
    />
  );
}
