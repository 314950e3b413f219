/** Lets a person in: a link to choose a password is mailed, or waits to be handed out. */

import { useState } from 'react';
import { admin } from '#client';
import { Field } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

interface NewPersonDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function NewPersonDialog({ onDone, onClose }: NewPersonDialogProps) {
  const { desk } = usePeopleTexts();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const run = async (): Promise<string> => {
    const asked = { email: email.trim(), name: name.trim() };
    const { person } = await operator.call(admin.makePerson, asked);
    onDone();
    return desk.added(person.email);
  };
  return (
    <ActionDialog title={desk.add} action={desk.add} {...{ run, onClose }}>
      <Field label={desk.email} type="email" value={email} onValue={setEmail} required />
      <Field label={desk.name} value={name} onValue={setName} />
      <p className="remark">{desk.addMeans}</p>
    </ActionDialog>
  );
}
