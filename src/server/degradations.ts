/** What is wrong with a venue that serves all the same, for /health/ready. */
import type { Degradation } from '#api';
import { clockTrouble } from './clock-skew.ts';
import type { Recovered } from './recovered.ts';
import { suspendedMarkets } from './suspensions.ts';

export function degradationsOf(parts: Recovered): Degradation[] {
  const { live, faults } = parts;
  const trouble = clockTrouble(parts);
  return [
    ...suspendedMarkets(live).map(({ symbol, reason }) => {
      return { kind: 'instrument_suspended', subject: symbol, text: reason } as const;
    }),
    ...faults.withheld.map(({ kind, reason }) => {
      return { kind: 'command_withheld', subject: kind, text: reason } as const;
    }),
    ...(trouble === undefined
      ? []
      : [{ kind: 'clock_skew', subject: 'clock', text: trouble } as const]),
  ];
}
