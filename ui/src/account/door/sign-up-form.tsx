/** Somebody new: what the venue answers is the same whether or not the address is known. */

import { useState } from 'react';
import { people } from '#client';
import { Button, Field, Skeleton } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { language } from '../../texts/texts.ts';
import { FormFault } from '../fault.tsx';
import { invitationCode } from '../place.ts';
import { faultAt, useSubmit } from '../use-submit.ts';
import { DoorForm, DoorNote, isEmail } from './door-form.tsx';

type Next = people.SignUpAnswer['next'];

const INVITATION_WRONG = '60807';

export function SignUpForm({ rules }: { readonly rules: people.RulesAnswer | undefined }) {
  const texts = usePeopleTexts();
  const [next, setNext] = useState<Next>();
  if (rules === undefined) return <Skeleton lines={6} />;
  const back = (
    <a className="button" href="#sign-in">
      {texts.back}
    </a>
  );
  if (rules.signUp === 'closed') {
    return (
      <DoorNote title={texts.signUp.title} text={texts.signUp.closed}>
        {back}
      </DoorNote>
    );
  }
  if (next !== undefined) {
    return (
      <DoorNote title={texts.signUp.done} text={texts.signUp.next[next]}>
        {back}
      </DoorNote>
    );
  }
  return <Form rules={rules} onNext={setNext} />;
}

interface FormProps {
  readonly rules: people.RulesAnswer;
  readonly onNext: (next: Next) => void;
}

const EMPTY = { email: '', name: '', invitation: '' };

function Form({ rules, onNext }: FormProps) {
  const texts = usePeopleTexts();
  const [draft, setDraft] = useState({ ...EMPTY, invitation: invitationCode });
  const [isTried, setTried] = useState(false);
  const isInvited = rules.signUp === 'invitation';
  const faults = {
    email: isEmail(draft.email) ? undefined : texts.faults.email,
    invitation: isInvited && draft.invitation.trim() === '' ? texts.faults.invitation : undefined,
  };
  const { isBusy, failure, run } = useSubmit(async () => {
    const { email, name, invitation } = draft;
    // Mails are written in what is read here.
    const about = { email: email.trim(), name: name.trim(), language: language.get() };
    const input = isInvited ? { ...about, invitation: invitation.trim() } : about;
    onNext((await person.call(people.signUp, input)).next);
  });
  const submit = (): void => {
    setTried(true);
    if (Object.values(faults).every((fault) => fault === undefined)) void run();
  };
  const set = (name: keyof typeof EMPTY) => (value: string) =>
    setDraft((now) => ({ ...now, [name]: value }));
  return (
    <DoorForm title={texts.signUp.title} onSubmit={submit}>
      <Field
        label={texts.email}
        type="email"
        name="username"
        autoComplete="username"
        value={draft.email}
        fault={isTried ? faults.email : undefined}
        onValue={set('email')}
      />
      <Field
        label={texts.name}
        name="name"
        autoComplete="name"
        value={draft.name}
        onValue={set('name')}
      />
      {isInvited ? (
        <Field
          label={texts.signUp.invitation}
          name="invitation"
          value={draft.invitation}
          fault={(isTried ? faults.invitation : undefined) ?? faultAt(failure, INVITATION_WRONG)}
          onValue={set('invitation')}
        />
      ) : null}
      <FormFault failure={failure} besides={[INVITATION_WRONG]} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {texts.signUp.submit}
      </Button>
      <p>
        {texts.signUp.known} <a href="#sign-in">{texts.signIn.title}</a>
      </p>
    </DoorForm>
  );
}
