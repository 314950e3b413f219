/** People page by page. The search opens one by the whole address. */

import { type SubmitEvent, useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Field, Mark, Refusal, Section, Table, Time } from '../../look/mod.ts';
import type { PeopleTexts } from '../../texts/en-people.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { describeFailure } from '../../wire/failure.ts';
import { Act } from '../act.tsx';
import { operator } from '../operator.ts';
import { go } from '../place.ts';
import { type Failure, useLoaded } from '../use-loaded.ts';
import { NewPersonDialog } from './new-person-dialog.tsx';

const ROWS = 50;
const TONES = { pending: 'warning', active: 'good', suspended: 'fault' } as const;

export function PersonList() {
  const ops = useOpsTexts();
  const { desk } = usePeopleTexts();
  const [isAdding, setAdding] = useState(false);
  // Where each page begins: the last one is shown.
  const [starts, setStarts] = useState<readonly string[]>(['']);
  const after = starts.at(-1) || undefined;
  const { data, failure, reload } = useLoaded(admin.people, { after, limit: ROWS + 1 });
  const rows = data?.slice(0, ROWS);
  const last = rows?.at(-1)?.personId;
  return (
    <Section
      title={desk.title}
      actions={
        <>
          <Search />
          <Act onClick={() => setAdding(true)}>{desk.add}</Act>
        </>
      }
    >
      <Refusal failure={failure} />
      <Table
        label={desk.title}
        columns={columnsOf(desk)}
        rows={rows}
        keyOf={({ personId }) => personId}
        onRow={({ personId }) => go('people', personId)}
      />
      <nav className="pager" aria-label={ops.pages}>
        <Button disabled={starts.length === 1} onClick={() => setStarts(starts.slice(0, -1))}>
          {ops.previous}
        </Button>
        <span className="remark">{ops.page(String(starts.length))}</span>
        <Button
          disabled={(data?.length ?? 0) <= ROWS || last === undefined}
          onClick={() => setStarts([...starts, last ?? ''])}
        >
          {ops.next}
        </Button>
      </nav>
      {isAdding ? <NewPersonDialog onDone={reload} onClose={() => setAdding(false)} /> : null}
    </Section>
  );
}

type Words = PeopleTexts['desk'];

export function StateMark({
  state,
  desk,
}: Pick<admin.PeopleRow, 'state'> & { readonly desk: Words }) {
  return <Mark tone={TONES[state]}>{desk.states[state]}</Mark>;
}

function columnsOf(desk: Words): readonly Column<admin.PeopleRow>[] {
  return [
    {
      name: 'email',
      title: desk.email,
      cell: ({ personId, email }) => (
        <a href={`#people/${personId}`} onClick={(event) => event.stopPropagation()}>
          {email}
        </a>
      ),
    },
    { name: 'name', title: desk.name, cell: ({ name }) => name },
    { name: 'state', title: desk.state, cell: ({ state }) => <StateMark {...{ state, desk }} /> },
    {
      name: 'factor',
      title: desk.factor,
      cell: ({ secondFactor }) => <FactorMark isOn={secondFactor} />,
    },
    { name: 'since', title: desk.since, cell: ({ cTime }) => <Time at={Number(cTime)} /> },
  ];
}

function FactorMark({ isOn }: { readonly isOn: boolean }) {
  const { factor } = usePeopleTexts();
  return <Mark tone={isOn ? 'good' : 'plain'}>{isOn ? factor.on : factor.off}</Mark>;
}

function Search() {
  const { desk } = usePeopleTexts();
  const [email, setEmail] = useState('');
  const [failure, setFailure] = useState<Failure>();
  const search = async (): Promise<void> => {
    try {
      const [found] = await operator.call(admin.people, { email });
      if (found === undefined) setFailure({ code: '', text: desk.notFound });
      else go('people', found.personId);
    } catch (error) {
      setFailure(describeFailure(error));
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setFailure(undefined);
    if (email.trim() !== '') void search();
  };
  return (
    <search>
      <form className="ops-search" onSubmit={submit}>
        <Field label={desk.search} value={email} onValue={setEmail} />
        <Button type="submit">{desk.find}</Button>
        <Refusal failure={failure} />
      </form>
    </search>
  );
}
