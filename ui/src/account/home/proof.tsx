/**
 * What is worth more than reading wants a fresh proof of who it is. A call that is refused for the
 * lack of one asks for the password here, and is sent again.
 */

import { type SubmitEvent, useState } from 'react';
import { people } from '#client';
import { Button, Dialog, Field } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { createStore, useStore } from '../../store/store.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { CONFIRMATION_NEEDED, isCode } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { useSubmit } from '../use-submit.ts';

interface Asked {
  /** Whether the proof was given. */
  readonly answer: (isProven: boolean) => void;
}

const asked = createStore<Asked | undefined>(undefined);

/** Runs a task of the venue, after the reader has proven who it is where the venue wants that. */
export async function proven<Data>(task: () => Promise<Data>): Promise<Data> {
  try {
    return await task();
  } catch (error) {
    if (!isCode(error, CONFIRMATION_NEEDED)) throw error;
    const isProven = await new Promise<boolean>((answer) => asked.set({ answer }));
    if (!isProven) throw error;
    return task();
  }
}

/** Stands once on the page, over whatever asked. */
export function ProofDialog({ hasFactor }: { readonly hasFactor: boolean }) {
  const now = useStore(asked);
  if (now === undefined) return null;
  const close = (isProven: boolean): void => {
    asked.set(undefined);
    now.answer(isProven);
  };
  return <ProofForm hasFactor={hasFactor} onClose={close} />;
}

interface ProofFormProps {
  readonly hasFactor: boolean;
  readonly onClose: (isProven: boolean) => void;
}

function ProofForm({ hasFactor, onClose }: ProofFormProps) {
  const texts = usePeopleTexts();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { isBusy, failure, run } = useSubmit(async () => {
    const input = hasFactor ? { password, code: code.trim() } : { password };
    person.adopt(await person.call(people.confirmSession, input));
    onClose(true);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run();
  };
  return (
    <Dialog title={texts.prove.title} onClose={() => onClose(false)}>
      <form className="stack" onSubmit={submit}>
        <p>{texts.prove.means}</p>
        <Field
          label={texts.password}
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          required
        />
        {hasFactor ? (
          <Field
            label={texts.signIn.code}
            name="code"
            autoComplete="one-time-code"
            value={code}
            onValue={setCode}
            required
          />
        ) : null}
        <FormFault failure={failure} />
        <Button type="submit" tone="main" isWide isBusy={isBusy}>
          {texts.prove.submit}
        </Button>
      </form>
    </Dialog>
  );
}
