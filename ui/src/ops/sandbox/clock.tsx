/** The clock of the venue: how fast it goes, and how to make it later. */

import { useState } from 'react';
import { type admin, sandbox as api, type Endpoint } from '#client';
import { Fact, Field, Mark, Refusal, Section, Select, useTimes } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { operator } from '../operator.ts';
import { Line } from './line.tsx';
import { type Step, useStep } from './use-step.ts';

const SPEEDS = ['1', '10', '60', '600'];
const STEPS = [
  ['1s', 1_000],
  ['1m', 60_000],
  ['1h', 3_600_000],
  ['8h', 28_800_000],
] as const;
/** A day passes second by second, with all that it brings. */
const STEP_MAX_MS = 600_000;

interface ClockProps {
  readonly clock: api.PauseClockAnswer;
  readonly listed: admin.InstrumentsAnswer;
  readonly onDone: () => void;
}

export function Clock({ clock, listed, onDone }: ClockProps) {
  const { sandbox } = useOpsTexts();
  const times = useTimes();
  const step = useStep(onDone);
  const set = <Input,>(
    endpoint: Endpoint<Input, api.PauseClockAnswer>,
    input: NoInfer<Input>,
  ): void =>
    step.run(async () => {
      const now = await operator.call(endpoint, input, { timeoutMs: STEP_MAX_MS });
      return sandbox.itIs(times.dateTime(now.time), sandbox.speedOf(now.speed));
    });
  const mode = clock.speed === '0' ? sandbox.paused : sandbox.speedOf(clock.speed);
  return (
    <Section
      title={sandbox.clock}
      actions={
        <Mark tone={clock.speed === '0' ? 'warning' : 'good'}>
          {clock.controlled ? mode : sandbox.systemClock}
        </Mark>
      }
    >
      <div className="ops-controls">
        <Fact label={sandbox.venueTime} text={times.dateTime(clock.time)} />
        <div className="actions">
          <Act isBusy={step.isBusy} onClick={() => set(api.pauseClock, {})}>
            {sandbox.pause}
          </Act>
          {SPEEDS.map((speed) => (
            <Act key={speed} isBusy={step.isBusy} onClick={() => set(api.runClock, { speed })}>
              {sandbox.run(speed)}
            </Act>
          ))}
        </div>
        <div className="actions">
          {STEPS.map(([name, ms]) => (
            <Act key={name} isBusy={step.isBusy} onClick={() => set(api.stepClock, { ms })}>
              +{name}
            </Act>
          ))}
        </div>
        <StepBy step={step} onStep={(ms) => set(api.stepClock, { ms })} />
        <Jump clock={clock} step={step} onJump={(time) => set(api.jumpClock, { time })} />
        <Funding
          listed={listed}
          step={step}
          onJump={(symbol, beforeMs) => set(api.jumpToFunding, { symbol, beforeMs })}
        />
        <Refusal failure={step.failure} />
      </div>
    </Section>
  );
}

interface StepByProps {
  readonly step: Step;
  readonly onStep: (ms: string) => void;
}

function StepBy({ step, onStep }: StepByProps) {
  const { sandbox } = useOpsTexts();
  const [ms, setMs] = useState('60000');
  return (
    <Line
      label={sandbox.step}
      action={sandbox.step}
      isBusy={step.isBusy}
      onSubmit={() => onStep(ms)}
    >
      <Field label={sandbox.stepMs} value={ms} onValue={setMs} unit="ms" isNumber required />
    </Line>
  );
}

interface JumpProps {
  readonly clock: api.PauseClockAnswer;
  readonly step: Step;
  readonly onJump: (timeMs: number) => void;
}

function Jump({ clock, step, onJump }: JumpProps) {
  const { sandbox } = useOpsTexts();
  const times = useTimes();
  const [typed, setTyped] = useState('');
  // The browser's own field for a time, in the zone of the page.
  const value = typed || times.dateTime(clock.time + 3_600_000).replace(' ', 'T');
  return (
    <Line
      label={sandbox.jump}
      action={sandbox.jump}
      isBusy={step.isBusy}
      onSubmit={() => onJump(times.parse(value))}
    >
      <Field
        label={sandbox.jumpTo}
        type="datetime-local"
        value={value}
        onValue={setTyped}
        required
      />
    </Line>
  );
}

interface FundingProps {
  readonly listed: admin.InstrumentsAnswer;
  readonly step: Step;
  readonly onJump: (symbol: string, beforeMs: string) => void;
}

function Funding({ listed, step, onJump }: FundingProps) {
  const { sandbox } = useOpsTexts();
  const symbols = listed.contracts.map((contract) => contract.symbol);
  const [symbol, setSymbol] = useState(symbols[0] ?? '');
  const [beforeMs, setBeforeMs] = useState('1000');
  return (
    <Line
      label={sandbox.toFunding}
      action={sandbox.toFunding}
      isBusy={step.isBusy}
      onSubmit={() => onJump(symbol, beforeMs)}
    >
      <Select
        label={sandbox.contract}
        value={symbol}
        choices={symbols.map((name) => [name, name] as const)}
        onValue={setSymbol}
      />
      <Field
        label={sandbox.before}
        value={beforeMs}
        onValue={setBeforeMs}
        unit="ms"
        isNumber
        required
      />
    </Line>
  );
}
