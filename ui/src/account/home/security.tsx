/** How a person signs in: profile, password, second factor, sessions, and what has happened. */

import { type SubmitEvent, useState } from 'react';
import { people } from '#client';
import { Button, Fact, Field, notify, Section, Select, useTimes } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../../texts/texts.ts';
import type { PersonSession } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { NewPassword, passwordFault, Username } from '../passwords.tsx';
import { useRules } from '../rules.ts';
import { faultAt, useSubmit } from '../use-submit.ts';
import { Address } from './address.tsx';
import { Events } from './events.tsx';
import { OwnData } from './own-data.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

const PASSWORD_UNFIT = '60809';
const WRONG = '60802';

interface SecurityProps {
  readonly session: PersonSession;
}

export function Security({ session }: SecurityProps) {
  return (
    <div className="account-page">
      <div className="account-columns">
        <Profile session={session} />
        <Address session={session} />
        <Password session={session} />
        <SecondFactor person={session.person} />
      </div>
      <Sessions sessionId={session.sessionId} />
      <Events sessionId={session.sessionId} />
      <OwnData session={session} />
    </div>
  );
}

function Profile({ session }: SecurityProps) {
  const texts = usePeopleTexts();
  const times = useTimes();
  const { cTime } = session.person;
  const [name, setName] = useState(session.person.name);
  const [mails, setMails] = useState(session.person.language);
  const { isBusy, failure, run } = useSubmit(async () => {
    await person.call(people.changePerson, { name: name.trim(), language: mails });
    await person.check();
    notify('good', texts.profile.saved);
  });
  const isSame = name.trim() === session.person.name && mails === session.person.language;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Section title={texts.profile.title}>
      <form className="account-body" aria-label={texts.profile.title} onSubmit={submit}>
        <div className="account-facts">
          <Fact label={texts.profile.since} text={times.dateTime(Number(cTime))} />
        </div>
        <Field
          label={texts.profile.name}
          name="name"
          autoComplete="name"
          value={name}
          onValue={setName}
        />
        <Select
          label={texts.personal.mailLanguage}
          value={mails}
          choices={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]])}
          onValue={setMails}
        />
        <FormFault failure={failure} />
        <div className="dialog-actions">
          <Button type="submit" isBusy={isBusy} disabled={isSame}>
            {texts.profile.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

const EMPTY = { password: '', newPassword: '' };

function Password({ session }: SecurityProps) {
  const texts = usePeopleTexts();
  const rules = useRules();
  const [draft, setDraft] = useState(EMPTY);
  const [isTried, setTried] = useState(false);
  const { password, newPassword } = draft;
  const missing = password === '' ? texts.faults.password : undefined;
  const unfit = passwordFault(newPassword, rules, texts);
  const { isBusy, failure, run } = useSubmit(async () => {
    person.adopt(await person.call(people.changePassword, draft));
    setDraft(EMPTY);
    setTried(false);
    notify('good', texts.passwordForm.changed);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (missing === undefined && unfit === undefined) void run();
  };
  const shown = (fault: string | undefined) => (isTried ? fault : undefined);
  return (
    <Section title={texts.passwordForm.title}>
      <form
        className="account-body"
        aria-label={texts.passwordForm.title}
        onSubmit={submit}
        noValidate
      >
        <Username email={session.person.email} />
        <Field
          label={texts.passwordForm.current}
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          fault={shown(missing) ?? faultAt(failure, WRONG)}
          onValue={(value) => setDraft({ ...draft, password: value })}
        />
        <NewPassword
          label={texts.newPassword}
          value={newPassword}
          rules={rules}
          fault={shown(unfit) ?? faultAt(failure, PASSWORD_UNFIT)}
          onValue={(value) => setDraft({ ...draft, newPassword: value })}
        />
        <p className="remark">{texts.passwordForm.means}</p>
        <FormFault failure={failure} besides={[WRONG, PASSWORD_UNFIT]} />
        <div className="dialog-actions">
          <Button type="submit" isBusy={isBusy}>
            {texts.passwordForm.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}
