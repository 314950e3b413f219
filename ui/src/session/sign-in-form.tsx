/** The form that signs in: with a key of one's own, or with one click in the demo venue. */
import { type SubmitEvent, useEffect, useState } from 'react';
import { Button, Check, Dialog, Field, focusNext } from '../look/mod.ts';
import { useTexts } from '../texts/texts.ts';
import type { Credential } from '../wire/signing.ts';
import { venueInfo } from '../wire/venue.ts';
import { session, useSession } from './session.ts';

/** Closes itself once the venue has taken the key. */
export function SignInDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useTexts().session;
  const state = useSession();
  const demo = useDemo();
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

/** The credential of the demo account; null where there is none. */
function useDemo(): Credential | null {
  const [demo, setDemo] = useState<Credential | null>(null);
  useEffect(() => {
    venueInfo().then(
      (venue) => setDemo(venue.demo),
      () => undefined,
    );
  }, []);
  return demo;
}
