/** What a sandbox answers. Times and counts are whole numbers, all else is text. */
import type { CheckpointView, FaultRule, SandboxView } from '#domain';
import { formatTrimmed } from '#kernel';

const SPEED_SCALE = 3;
const PPM_SCALE = 6;

export interface ClockReading {
  readonly timeMs: number;
  readonly isControlled: boolean;
  readonly speedPermille: number;
}

export function clockData({ timeMs, isControlled, speedPermille }: ClockReading): object {
  const speed = formatTrimmed(speedPermille, SPEED_SCALE);
  return { time: timeMs, controlled: isControlled, speed };
}

export function checkpointData({ name, seq, timeMs, rowsCount }: CheckpointView): object {
  return { name, seq, time: timeMs, rows: rowsCount };
}

export function checkpointsData(sandbox: SandboxView): object[] {
  return [...sandbox.checkpoints()].map(checkpointData);
}

export function faultData(rule: FaultRule): object {
  const { faultId, label, key, target, effect, probabilityPpm, skipCount, hitsMax, seed } = rule;
  const probability = formatTrimmed(probabilityPpm, PPM_SCALE);
  const what = { faultId, label, key, target, effect };
  return { ...what, probability, skip: skipCount, count: hitsMax, seed };
}

export function faultsData(sandbox: SandboxView): object[] {
  return [...sandbox.faults()].map(faultData);
}
