/** The commands of a sandbox for its clock and its fault rules. The engine acts out neither. */
import {
  type AddFault,
  CLOCK,
  type FaultEffect,
  LIMITS,
  PPM,
  type RemoveFaults,
  type SetClock,
} from '#domain';
import { type Refusal, refuse, type State } from '../state.ts';

/** Longest wait a rule may put in; a call or message that waits costs memory. */
const WAIT_MAX_MS = 600_000;
const TARGET_LENGTH_MAX = 200;
const COUNT_MAX = 1_000_000_000;
/** No control characters and no halves of characters. */
const PLAIN = /^\P{C}*$/u;

export function setClock(state: State, command: SetClock): Refusal {
  const { speedPermille } = command;
  if (!isCount(speedPermille, CLOCK.speedPermilleMax)) {
    return refuse('clock_invalid', `speed must be from 0 to ${CLOCK.speedPermilleMax / 1_000}`);
  }
  state.sandbox.clock = { speedPermille };
  state.emit({ kind: 'clock_set', clock: state.sandbox.clock });
  return undefined;
}

export function addFault(state: State, { rule }: AddFault): Refusal {
  const { rules } = state.sandbox;
  const fault = faultOf(rule);
  if (fault !== undefined) return refuse('settings_invalid', fault);
  if (rules.size >= LIMITS.faultsMax) {
    return refuse('faults_exceeded', `a venue keeps ${LIMITS.faultsMax} rules`);
  }
  const added = { ...rule, faultId: state.takeIds(1) };
  rules.set(added.faultId, added);
  state.emit({ kind: 'fault_added', rule: added });
  return undefined;
}

export function removeFaults(state: State, { faultId }: RemoveFaults): Refusal {
  const { rules } = state.sandbox;
  const gone = faultId === 0 ? [...rules.keys()] : [faultId];
  for (const id of gone) if (!rules.has(id)) return refuse('fault_unknown', String(id));
  for (const id of gone) rules.delete(id);
  state.emit({ kind: 'faults_removed', faultIds: gone });
  return undefined;
}

/** The first thing that is wrong with a rule, in words; undefined for a sound one. */
function faultOf(rule: AddFault['rule']): string | undefined {
  const { label, key, target, probabilityPpm, skipCount, hitsMax, seed } = rule;
  if (label.length > LIMITS.nameLengthMax) return `label over ${LIMITS.nameLengthMax} characters`;
  if (key.length > LIMITS.nameLengthMax) return `key over ${LIMITS.nameLengthMax} characters`;
  if (target.length > TARGET_LENGTH_MAX) return `target over ${TARGET_LENGTH_MAX} characters`;
  if (![label, key, target].every((text) => PLAIN.test(text))) return 'texts are plain';
  if (!isCount(probabilityPpm, PPM)) return 'probability must be from 0 to 1';
  if (!isCount(skipCount, COUNT_MAX)) return `skip must be from 0 to ${COUNT_MAX}`;
  if (!isCount(hitsMax, COUNT_MAX)) return `count must be from 0 to ${COUNT_MAX}`;
  if (!isCount(seed, 2 ** 32 - 1)) return 'seed must be a whole number below 2^32';
  return effectFaultOf(rule.effect);
}

function effectFaultOf(effect: FaultEffect): string | undefined {
  const waits =
    effect.kind === 'latency'
      ? [effect.ms, effect.jitterMs]
      : effect.kind === 'delay_message'
        ? [effect.ms]
        : effect.kind === 'rate_limited'
          ? [effect.retryAfterMs]
          : [];
  const isSound = waits.every((waitMs) => isCount(waitMs, WAIT_MAX_MS));
  return isSound ? undefined : `times are whole milliseconds, up to ${WAIT_MAX_MS}`;
}

function isCount(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= max;
}
