/** What is wrong with a venue that serves all the same, for /health/ready. */
import type { Degradation } from '#api';
import type { Recovered } from './recovered.ts';
import { suspendedMarkets } from './suspensions.ts';

export function degradationsOf({ live, faults }: Recovered): Degradation[] {
  return [
    ...suspendedMarkets(live).map(({ symbol, reason }) => {
      return { kind: 'instrument_suspended', subject: symbol, text: reason } as const;
    }),
    ...faults.withheld.map(({ kind, reason }) => {
      return { kind: 'command_withheld', subject: kind, text: reason } as const;
    }),
  ];
}
