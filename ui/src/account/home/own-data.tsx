/** What is kept of a person: downloaded, and deleted for good. */

import { useState } from 'react';
import { people } from '#client';
import { ActionDialog, Button, Section } from '../../look/mod.ts';
import { person } from '../../session/person.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import type { PersonSession } from '../../wire/person.ts';
import { FormFault } from '../fault.tsx';
import { useSubmit } from '../use-submit.ts';
import { proven } from './proof.tsx';

export function OwnData({ session }: { readonly session: PersonSession }) {
  const { data } = usePeopleTexts().personal;
  const [isLeaving, setLeaving] = useState(false);
  const { isBusy, failure, run } = useSubmit(async () => {
    const kept = await proven(() => person.call(people.exportPerson, {}));
    save(JSON.stringify(kept, null, 2));
  });
  const leave = async (): Promise<string> => {
    await proven(() => person.call(people.deletePerson, {}));
    person.left();
    return data.deleted;
  };
  return (
    <Section title={data.title}>
      <div className="account-body">
        <p className="remark">{data.exportMeans}</p>
        <FormFault failure={failure} />
        <div className="dialog-actions">
          <Button isBusy={isBusy} onClick={() => void run()}>
            {data.export}
          </Button>
        </div>
        <p className="remark">{data.deleteMeans}</p>
        <div className="dialog-actions">
          <Button onClick={() => setLeaving(true)}>{data.delete}</Button>
        </div>
      </div>
      {isLeaving ? (
        <ActionDialog
          title={data.delete}
          action={data.delete}
          question={data.deleteQuestion(session.person.email)}
          run={leave}
          onClose={() => setLeaving(false)}
        />
      ) : null}
    </Section>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'outcry-my-data.json';
  link.click();
  URL.revokeObjectURL(url);
}
