/** Scenarios the venue plays by itself, and what came of the last one. */

import { useState } from 'react';
import { sandbox as api } from '#client';
import { type Column, Mark, Refusal, Section, Table } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { describeFailure } from '../../wire/failure.ts';
import { Act } from '../act.tsx';
import { operator } from '../operator.ts';
import { type Failure, useLoaded } from '../use-loaded.ts';

const RUN_MAX_MS = 600_000;

interface Run {
  readonly name: string;
  readonly title: string;
  readonly outcome: api.RunScenarioAnswer | undefined;
  readonly failure: Failure | undefined;
}

export function Scenarios() {
  const { sandbox, scenario } = useOpsTexts();
  const { data, failure } = useLoaded(api.scenarios, {});
  const [last, setLast] = useState<Run>();
  const wordsOf = ({ name, title, description }: api.ScenariosRow) =>
    scenario(name, title, description);
  const play = async ({ name, title }: api.ScenariosRow): Promise<void> => {
    setLast({ name, title, outcome: undefined, failure: undefined });
    try {
      const outcome = await operator.call(
        api.runScenario,
        { scenario: name },
        { timeoutMs: RUN_MAX_MS },
      );
      setLast({ name, title, outcome, failure: undefined });
    } catch (error) {
      setLast({ name, title, outcome: undefined, failure: describeFailure(error) });
    }
  };
  const isRunning = last !== undefined && last.outcome === undefined && last.failure === undefined;
  const columns: readonly Column<api.ScenariosRow>[] = [
    { name: 'title', title: sandbox.name, cell: (row) => <strong>{wordsOf(row).title}</strong> },
    {
      name: 'description',
      title: sandbox.description,
      cell: (row) => <span className="ops-prose">{wordsOf(row).description}</span>,
    },
    {
      name: 'run',
      title: <span className="only-read-out">{sandbox.play}</span>,
      cell: (row) => (
        <Act
          aria-label={`${sandbox.play}: ${wordsOf(row).title}`}
          isBusy={isRunning}
          onClick={() => void play(row)}
        >
          {sandbox.play}
        </Act>
      ),
    },
  ];
  return (
    <Section title={sandbox.scenarios}>
      <p className="remark ops-note">{sandbox.scenariosMeaning}</p>
      <Refusal failure={failure} />
      <Table label={sandbox.scenarios} columns={columns} rows={data} keyOf={({ name }) => name} />
      {last === undefined ? null : <Outcome run={last} isRunning={isRunning} />}
    </Section>
  );
}

interface OutcomeProps {
  readonly run: Run;
  readonly isRunning: boolean;
}

function Outcome({ run, isRunning }: OutcomeProps) {
  const { scenario, sandbox } = useOpsTexts();
  const { outcome, failure } = run;
  const { title } = scenario(run.name, run.title, '');
  const tone = outcome?.passed === true ? 'good' : 'fault';
  const steps = (outcome?.steps ?? []).map((step, at) => ({ ...step, number: at + 1 }));
  return (
    <section className="ops-outcome" aria-label={title} aria-live="polite">
      <p>
        <strong>{title}</strong> {isRunning ? <Mark tone="plain">{sandbox.running}</Mark> : null}
        {outcome === undefined ? null : (
          <Mark tone={tone}>{outcome.passed ? sandbox.passed : sandbox.failed}</Mark>
        )}
      </p>
      <Refusal failure={failure} />
      <ol>
        {steps.map(({ number, text, ok, detail }) => (
          <li key={number} className={ok ? undefined : 'fault'}>
            {ok ? '✓' : '✕'} {text}
            {detail === undefined || detail === '' ? null : (
              <span className="remark"> {detail}</span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
