/** Somebody new: what the venue answers is the same whether or not the address is known. */
import { useState } from 'react';
import { Button, Field, Skeleton } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { language } from '../../texts/texts.ts';
import { byPerson } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { NewPassword, passwordFault } from '../passwords.tsx';
import { invitationCode } from '../place.ts';
import type { PeopleRules } from '../rules.ts';
import { faultAt, useSubmit } from '../use-submit.ts';
import { DoorForm, DoorNote, isEmail } from './door-form.tsx';

type Next = 'sign_in' | 'confirm_mail' | 'confirm_operator';

const PATH = '/people/v1/sign-up';
const INVITATION_WRONG = '60807';
const PASSWORD_UNFIT = '60809';

export function SignUpForm({ rules }: { readonly rules: PeopleRules | undefined }) {
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
  readonly rules: PeopleRules;
  readonly onNext: (next: Next) => void;
}

const EMPTY = { email: '', name: '', password: '', invitation: '' };

function Form({ rules, onNext }: FormProps) {
  const texts = usePeopleTexts();
  const [draft, setDraft] = useState({ ...EMPTY, invitation: invitationCode });
  const [isTried, setTried] = useState(false);
  const isInvited = rules.signUp === 'invitation';
  const faults = {
    email: isEmail(draft.email) ? undefined : texts.faults.email,
    password: passwordFault(draft.password, rules, texts),
    invitation: isInvited && draft.invitation.trim() === '' ? texts.faults.invitation : undefined,
  };
  const { isBusy, failure, run } = useSubmit(async () => {
    const { email, name, password, invitation } = draft;
    // Mails are written in what is read here.
    const named = { email: email.trim(), name: name.trim(), password };
    const about = { ...named, language: language.get() };
    const input = isInvited ? { ...about, invitation: invitation.trim() } : about;
    onNext((await byPerson<{ readonly next: Next }>({ method: 'POST', path: PATH, input })).next);
  });
  const submit = (): void => {
    setTried(true);
    if (Object.values(faults).every((fault) => fault === undefined)) void run();
  };
  const set = (name: keyof typeof EMPTY) => (value: string) =>
    setDraft((now) => ({ ...now, [name]: value }));
  const shown = (name: keyof typeof faults, code = '') =>
    (isTried ? faults[name] : undefined) ?? faultAt(failure, code);
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
      <NewPassword
        label={texts.password}
        value={draft.password}
        rules={rules}
        fault={shown('password', PASSWORD_UNFIT)}
        onValue={set('password')}
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
          fault={shown('invitation', INVITATION_WRONG)}
          onValue={set('invitation')}
        />
      ) : null}
      <FormFault failure={failure} besides={[INVITATION_WRONG, PASSWORD_UNFIT]} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {texts.signUp.submit}
      </Button>
      <p>
        {texts.signUp.known} <a href="#sign-in">{texts.signIn.title}</a>
      </p>
    </DoorForm>
  );
}
