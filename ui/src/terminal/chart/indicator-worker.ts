/** Works the indicators of one chart out, beside the thread that paints. */
import type { Bar } from '../../model/candles.ts';
import { fundingLine, type SettledRate } from '../../model/funding-line.ts';
import { IndicatorRun } from '../../model/indicator-run.ts';
import { type IndicatorChoice, settingOf } from '../../model/indicators.ts';
import { volumeProfile } from '../../model/volume-profile.ts';
import { type FromWorker, type ToWorker, unpacked } from './indicator-messages.ts';

let bars: Bar[] = [];
let epoch = 0;
let rates: readonly SettledRate[] = [];
let seen = { from: 0, to: 0 };
let runs: readonly IndicatorRun[] = [];

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'choices':
      choose(data.choices);
      break;
    case 'bars':
      epoch = data.epoch;
      takeBars(data.from, data.columns);
      break;
    case 'rates':
      rates = data.rates;
      for (const run of runs) if (run.choice.kind === 'funding') tell(run, 0);
      break;
    case 'seen':
      seen = data;
      for (const run of runs) if (run.choice.kind === 'volume_profile') tell(run, 0);
  }
});

/** Those with the same settings as before go on, with all the values that they have. */
function choose(choices: readonly IndicatorChoice[]): void {
  const known = new Map(runs.map((run) => [nameOf(run.choice), run]));
  runs = choices.map((choice) => {
    const run = known.get(nameOf(choice));
    if (run !== undefined) return run;
    const made = new IndicatorRun(choice);
    made.take(bars, 0);
    return made;
  });
  for (const run of runs) tell(run, 0);
}

function nameOf({ id, kind, settings }: IndicatorChoice): string {
  return JSON.stringify([id, kind, settings]);
}

function takeBars(from: number, columns: Float64Array): void {
  const fresh = unpacked(columns);
  bars = from === 0 ? fresh : bars.slice(0, from).concat(fresh);
  for (const run of runs) tell(run, run.take(bars, from));
}

function tell(run: IndicatorRun, from: number): void {
  const { choice } = run;
  const { id, kind } = choice;
  if (kind === 'volume_profile') {
    const rows = volumeProfile(bars.slice(seen.from, seen.to), settingOf(choice, 'rows'));
    say({ kind: 'profile', id, rows });
    return;
  }
  const lines = kind === 'funding' ? [fundingLine(bars, rates)] : run.lines;
  const values = lines.map((line) => Float64Array.from(line.slice(from)));
  say({ kind: 'lines', id, from, lines: values, epoch });
}

function say(message: FromWorker): void {
  postMessage(message);
}
