/**
 * The ways to sign in: by e-mail on a page of its own, where passwords are known to be asked for;
 * with a key; or with one click in the demo venue.
 */
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { Button, Check, Dialog, Field, focusNext } from '../look/mod.ts';
import { useTexts } from '../texts/texts.ts';
import type { Credential } from '../wire/signing.ts';
import type { VenueInfo } from '../wire/venue.ts';
import { session, useSession } from './session.ts';
import { useVenue } from './use-venue.ts';
import { goSignIn, goSignUp } from './way-back.ts';

/** Closes itself once the venue has taken the key. */
export function SignInDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts().session;
  const state = useSession();
  const venue = useVenue();
  const demo = venue?.demo ?? null;
  const [key, setKey] = useState('');
  const [secret, setSecret] = useState('');
  const [passphrase, setPassphrase] = useState('');
  const [isKept, setKept] = useState(false);
  const signIn = async (credential: Credential): Promise<void> => {
    if (!(await session.signIn(credential, isKept))) return;
    onClose();
    // The button that opened this dialog is gone: trading goes on at the order.
    focusNext('.order-form input:not(:disabled)', 'main');
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void signIn({ key, secret, passphrase });
  };
  const isBusy = state.kind === 'checking';
  const fields = { required: true, disabled: isBusy };
  return (
    <Dialog title={texts.signIn} onClose={onClose}>
      {venue === undefined ? null : <ByEmail venue={venue} />}
      <form className="stack" onSubmit={submit}>
        {demo === null ? null : (
          <Button tone="main" isWide isBusy={isBusy} onClick={() => void signIn(demo)}>
            {texts.demo}
          </Button>
        )}
        <Field label={texts.key} value={key} onValue={setKey} {...fields} />
        <Field
          label={texts.secret}
          value={secret}
          onValue={setSecret}
          type="password"
          {...fields}
        />
        <Field
          label={texts.passphrase}
          value={passphrase}
          onValue={setPassphrase}
          type="password"
          {...fields}
        />
        <Check label={texts.keep} value={isKept} onValue={setKept} />
        {state.kind === 'refused' ? (
          <p className="fault" role="alert">
            {texts.refused}: {state.code} {state.text}
          </p>
        ) : null}
        <p className="remark">{texts.explanation}</p>
        <Button type="submit" isWide isBusy={isBusy}>
          {texts.signIn}
        </Button>
      </form>
    </Dialog>
  );
}

interface ByEmailProps {
  readonly venue: VenueInfo;
}

/** People have a page of their own. Where nothing is quicker, the keyboard begins here. */
function ByEmail({ venue }: ByEmailProps) {
  const texts = useTexts().session;
  const button = useRef<HTMLButtonElement>(null);
  const isFirst = venue.demo === null;
  useEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  if (venue.people === null) return null;
  return (
    <div className="sign-in-ways">
      <Button ref={button} tone={isFirst ? 'main' : 'plain'} isWide onClick={goSignIn}>
        {texts.byEmail}
      </Button>
      {venue.people === 'closed' ? null : (
        <Button isWide onClick={goSignUp}>
          {texts.newHere}
        </Button>
      )}
      <p className="remark">{texts.orByKey}</p>
    </div>
  );
}
