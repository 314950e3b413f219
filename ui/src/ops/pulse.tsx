/** The state of the venue in one line of the head, whichever tab is open. */

import { grouped } from '../model/numbers.ts';
import { useStore } from '../store/store.ts';
import { useOpsTexts } from '../texts/ops.ts';
import { type Vitals, vitals } from './health/sampler.ts';

type Condition = 'unknown' | 'unreachable' | 'halted' | 'notReady' | 'degraded' | 'ready';

const LIGHTS: Readonly<Record<Condition, string>> = {
  unknown: 'connecting',
  unreachable: 'stale',
  halted: 'stale',
  notReady: 'stale',
  degraded: 'connecting',
  ready: 'live',
};

export function conditionOf({ samples, notReady, degradations, failure }: Vitals): Condition {
  if (failure !== undefined) return 'unreachable';
  if (notReady === undefined) return 'unknown';
  if (samples.at(-1)?.isHalted === true) return 'halted';
  if (notReady !== '') return 'notReady';
  return degradations.length === 0 ? 'ready' : 'degraded';
}

export function Pulse() {
  const ops = useOpsTexts();
  const condition = useStore(vitals, conditionOf);
  const seq = useStore(vitals, ({ samples }) => samples.at(-1)?.releasedSeq);
  return (
    <div className="ops-pulse">
      <span className={`connection connection-${LIGHTS[condition]}`} role="status">
        <span className="connection-light" aria-hidden="true" />
        {ops.conditions[condition]}
      </span>
      {seq === undefined ? null : (
        <span className="ops-pulse-seq">
          {ops.health.sequence} <span className="figure">{grouped(String(seq))}</span>
        </span>
      )}
    </div>
  );
}
