/** The controls of a sandbox: time, prices, money, checkpoints, faults and scenarios. */

import { admin, sandbox as api } from '#client';
import { Refusal, Skeleton } from '../../look/mod.ts';
import { useLoaded } from '../use-loaded.ts';
import { Checkpoints } from './checkpoints.tsx';
import { Clock } from './clock.tsx';
import { Faults } from './faults.tsx';
import { Market } from './market.tsx';
import { Scenarios } from './scenarios.tsx';

const EVERY_MS = 1_000;

export function Sandbox() {
  const { data, failure, reload } = useLoaded(api.state, {}, EVERY_MS);
  const listed = useLoaded(admin.instruments, {}).data;
  return (
    <div className="ops-page">
      <Refusal failure={failure} />
      {data === undefined || listed === undefined ? (
        failure === undefined && <Skeleton lines={8} />
      ) : (
        <>
          <div className="ops-halves">
            <Clock clock={data.clock} listed={listed} onDone={reload} />
            <Market listed={listed} />
          </div>
          <Checkpoints rows={data.checkpoints} onDone={reload} />
          <Faults rows={data.faults} onDone={reload} />
        </>
      )}
      <Scenarios />
    </div>
  );
}
