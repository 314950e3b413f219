/** Where one signs in and out, in the head of the page. */
import { useState } from 'react';
import { Button, focusNext } from '../look/mod.ts';
import { useTexts } from '../texts/texts.ts';
import { session, useSession } from './session.ts';
import { SignInDialog } from './sign-in-form.tsx';

export function SessionButton() {
  const texts = useTexts().session;
  const state = useSession();
  const [isOpen, setOpen] = useState(false);
  if (state.kind === 'signed_in') {
    return (
      <span className="head-group">
        <span className="head-key" title={texts.signedInAs}>
          {state.key}
        </span>
        <Button onClick={signOut}>{texts.signOut}</Button>
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

/** The button is gone with the session; the one that signs in stands in its place. */
function signOut(): void {
  session.signOut();
  focusNext('.head-session button');
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
