/** Where one signs in and out, in the head of the page. */
import { useState } from 'react';
import { Button, focusNext, notifyFailure } from '../look/mod.ts';
import { textsNow, useTexts } from '../texts/texts.ts';
import type { Access } from '../wire/person.ts';
import { AccountSelect } from './account-select.tsx';
import { usePerson } from './person.ts';
import { session, useSession } from './session.ts';
import { SignInDialog } from './sign-in-form.tsx';

export function SessionButton() {
  const texts = useTexts().session;
  const state = useSession();
  const [isOpen, setOpen] = useState(false);
  if (state.kind === 'signed_in') {
    return (
      <span className="head-group">
        {'key' in state ? (
          <span className="head-key" title={texts.signedInAs}>
            {state.key}
          </span>
        ) : (
          <PersonMark account={state.account} />
        )}
        <Button onClick={() => void signOut()}>{texts.signOut}</Button>
      </span>
    );
  }
  return (
    <span className="head-session">
      <Button tone="main" onClick={() => setOpen(true)}>
        {texts.signIn}
      </Button>
      {isOpen ? <SignInDialog onClose={() => setOpen(false)} /> : null}
    </span>
  );
}

/** Who has signed in, with a way to the account page, and for which account. */
function PersonMark({ account }: { readonly account: Access }) {
  const { shell } = useTexts();
  const state = usePerson();
  if (state.kind !== 'in') return null;
  const { person, accounts } = state.session;
  return (
    <>
      <span className="head-choice">
        <AccountSelect accounts={accounts} account={account} />
      </span>
      <a className="button button-plain head-account" href="/account" title={person.email}>
        {shell.accountPage}
      </a>
    </>
  );
}

/** The button is gone with the session; the one that signs in stands in its place. */
async function signOut(): Promise<void> {
  try {
    await session.signOut();
    focusNext('.head-session button');
  } catch (error) {
    notifyFailure(textsNow().session.notSignedOut, error);
  }
}

/** Stands in place of what needs a session; the text says what would be there. */
export function SignInInvitation({ text }: { readonly text?: string }) {
  const texts = useTexts().session;
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="invitation">
      {text === undefined ? null : <p>{text}</p>}
      <Button tone="main" onClick={() => setOpen(true)}>
        {texts.needed}
      </Button>
      {isOpen ? <SignInDialog onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
