/** Asks for a link to choose a new password; the answer says nothing about the address. */

import { useState } from 'react';
import { people } from '#client';
import { Button, Field } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { FormFault } from '../fault.tsx';
import type { LinkWay } from '../rules.ts';
import { useSubmit } from '../use-submit.ts';
import { DoorForm, DoorNote, isEmail } from './door-form.tsx';

export function ForgottenForm() {
  const texts = usePeopleTexts();
  const { forgotten } = texts;
  const [email, setEmail] = useState('');
  const [isTried, setTried] = useState(false);
  const [next, setNext] = useState<LinkWay>();
  const { isBusy, failure, run } = useSubmit(async () => {
    const input = { email: email.trim() };
    setNext((await person.call(people.askReset, input)).next);
  });
  const back = <a href="#sign-in">{texts.back}</a>;
  if (next !== undefined) {
    return (
      <DoorNote title={forgotten.done} text={forgotten.next[next]}>
        {back}
      </DoorNote>
    );
  }
  const submit = (): void => {
    setTried(true);
    if (isEmail(email)) void run();
  };
  return (
    <DoorForm title={forgotten.title} onSubmit={submit}>
      <p>{forgotten.means}</p>
      <Field
        label={texts.email}
        type="email"
        name="username"
        autoComplete="username"
        value={email}
        fault={isTried && !isEmail(email) ? texts.faults.email : undefined}
        onValue={setEmail}
      />
      <FormFault failure={failure} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {forgotten.submit}
      </Button>
      <p>{back}</p>
    </DoorForm>
  );
}
