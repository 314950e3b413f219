/** Another e-mail address: asked for here, and taken over by a link that goes to it. */

import { type SubmitEvent, useState } from 'react';
import { people } from '#client';
import { Button, Fact, Field, Section } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { PersonSession } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { useSubmit } from '../use-submit.ts';
import { proven } from './proof.tsx';

export function Address({ session }: { readonly session: PersonSession }) {
  const { address } = usePeopleTexts().personal;
  const [email, setEmail] = useState('');
  const [next, setNext] = useState<people.AskEmailChangeAnswer['next']>();
  const { isBusy, failure, run } = useSubmit(async () => {
    const input = { email: email.trim() };
    setNext(undefined);
    const asked = await proven(() => person.call(people.askEmailChange, input));
    setEmail('');
    setNext(asked.next);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Section title={address.title}>
      <form className="account-body" aria-label={address.title} onSubmit={submit}>
        <div className="account-facts">
          <Fact label={address.current} text={session.person.email} />
        </div>
        <Field
          label={address.newEmail}
          type="email"
          name="new-email"
          autoComplete="email"
          value={email}
          onValue={setEmail}
          required
        />
        <p className="remark">{address.means}</p>
        {next === undefined ? null : <p role="status">{address.next[next]}</p>}
        <FormFault failure={failure} />
        <div className="dialog-actions">
          <Button type="submit" isBusy={isBusy}>
            {address.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}
