/**
 * What a link is for: to confirm or change an address, or to choose a password. A link is used by a
 * button, so that a program which only opens links uses none up.
 */

import { useState } from 'react';
import { people } from '#client';
import { Button } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { FormFault } from '../fault.tsx';
import { NewPassword, passwordFault } from '../passwords.tsx';
import { go, type Link, link } from '../place.ts';
import { useRules } from '../rules.ts';
import { faultAt, useSubmit } from '../use-submit.ts';
import { DoorForm } from './door-form.tsx';
import { type News, news } from './news.ts';

const PASSWORD_UNFIT = '60809';

export function LinkPage({ sent }: { readonly sent: Link }) {
  if (sent.kind === 'email') return <ChangeAddress sent={sent} kind="email" />;
  if (sent.kind === 'email_undo') return <ChangeAddress sent={sent} kind="email_undo" />;
  return <Choose kind={sent.kind} token={sent.token} />;
}

/** The link is used up: what follows is the sign-in. */
function leave(said: News): void {
  news.set(said);
  link.set(undefined);
  go('sign-in');
}

interface ChangeAddressProps {
  readonly sent: Link;
  readonly kind: 'email' | 'email_undo';
}

/** To a new address, or back to the one before. */
function ChangeAddress({ sent: { token }, kind }: ChangeAddressProps) {
  const { link: words } = usePeopleTexts().personal;
  const isNew = kind === 'email';
  const { isBusy, failure, run } = useSubmit(async () => {
    await person.call(isNew ? people.completeEmailChange : people.undoEmailChange, { token });
    leave(isNew ? 'emailChanged' : 'emailUndone');
    // Whoever is signed in on this page sees the new address, or is signed out.
    await person.resume();
  });
  return (
    <DoorForm title={words[kind]} onSubmit={() => void run()}>
      <p>{words[`${kind}Means`]}</p>
      <FormFault failure={failure} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {words[`${kind}Submit`]}
      </Button>
      <Back />
    </DoorForm>
  );
}

const NEWS = { confirm: 'confirmed', reset: 'passwordSet', welcome: 'welcome' } as const;

interface ChooseProps {
  readonly kind: 'confirm' | 'reset' | 'welcome';
  readonly token: string;
}

/** The link proves the address, and the password that is chosen is the only one from then on. */
function Choose({ kind, token }: ChooseProps) {
  const texts = usePeopleTexts();
  const rules = useRules();
  const [password, setPassword] = useState('');
  const [isTried, setTried] = useState(false);
  const fault = passwordFault(password, rules, texts);
  const { isBusy, failure, run } = useSubmit(async () => {
    await person.call(people.completeReset, { token, password });
    leave(NEWS[kind]);
  });
  const submit = (): void => {
    setTried(true);
    if (fault === undefined) void run();
  };
  return (
    <DoorForm title={texts.link[kind]} onSubmit={submit}>
      <p>{texts.link[`${kind}Means`]}</p>
      <NewPassword
        label={texts.newPassword}
        value={password}
        rules={rules}
        fault={(isTried ? fault : undefined) ?? faultAt(failure, PASSWORD_UNFIT)}
        onValue={setPassword}
      />
      <FormFault failure={failure} besides={[PASSWORD_UNFIT]} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {texts.link.submit}
      </Button>
      <Back />
    </DoorForm>
  );
}

function Back() {
  const texts = usePeopleTexts();
  return (
    <Button tone="quiet" onClick={() => link.set(undefined)}>
      {texts.back}
    </Button>
  );
}
