/** The commands of a sandbox for its clock and its fault rules. The engine acts out neither. */
import {
  type AddFault,
  byFigure,
  CLOCK,
  countFigure,
  type Detail,
  dueTo,
  type FaultEffect,
  inRange,
  LIMITS,
  ofId,
  PPM,
  type RemoveFaults,
  refuse,
  type SetClock,
} from '#domain';
import type { Refusal, State } from '../state.ts';

/** Longest wait a rule may put in; a call or message that waits costs memory. */
const WAIT_MAX_MS = 600_000;
const TARGET_LENGTH_MAX = 200;
const COUNT_MAX = 1_000_000_000;
/** Decimal places of what is kept in millionths, and in thousandths. */
const PPM_SCALE = 6;
const PERMILLE_SCALE = 3;
/** No control characters and no halves of characters. */
const PLAIN = /^\P{C}*$/u;

export function setClock(state: State, command: SetClock): Refusal {
  const { speedPermille } = command;
  if (!isCount(speedPermille, CLOCK.speedPermilleMax)) {
    return refuse(
      'clock_invalid',
      inRange('clock_speed', 0, CLOCK.speedPermilleMax, PERMILLE_SCALE),
    );
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
    return refuse('faults_exceeded', byFigure('fault_rules_kept', countFigure(LIMITS.faultsMax)));
  }
  const added = { ...rule, faultId: state.takeIds(1) };
  rules.set(added.faultId, added);
  state.emit({ kind: 'fault_added', rule: added });
  return undefined;
}

export function removeFaults(state: State, { faultId }: RemoveFaults): Refusal {
  const { rules } = state.sandbox;
  const gone = faultId === 0 ? [...rules.keys()] : [faultId];
  for (const id of gone) if (!rules.has(id)) return refuse('fault_unknown', ofId(String(id)));
  for (const id of gone) rules.delete(id);
  state.emit({ kind: 'faults_removed', faultIds: gone });
  return undefined;
}

/** The first thing that is wrong with a rule; undefined for a sound one. */
function faultOf(rule: AddFault['rule']): Detail | undefined {
  const { label, key, target, probabilityPpm, skipCount, hitsMax, seed } = rule;
  const { nameLengthMax } = LIMITS;
  if (label.length > nameLengthMax) return inRange('fault_label', 0, nameLengthMax);
  if (key.length > nameLengthMax) return inRange('fault_key', 0, nameLengthMax);
  if (target.length > TARGET_LENGTH_MAX) return inRange('fault_target', 0, TARGET_LENGTH_MAX);
  if (![label, key, target].every((text) => PLAIN.test(text))) return dueTo('fault_texts_form');
  if (!isCount(probabilityPpm, PPM)) return inRange('fault_probability', 0, PPM, PPM_SCALE);
  if (!isCount(skipCount, COUNT_MAX)) return inRange('fault_skip', 0, COUNT_MAX);
  if (!isCount(hitsMax, COUNT_MAX)) return inRange('fault_hits', 0, COUNT_MAX);
  if (!isCount(seed, 2 ** 32 - 1)) return dueTo('fault_seed_form');
  return effectFaultOf(rule.effect);
}

function effectFaultOf(effect: FaultEffect): Detail | undefined {
  const waits =
    effect.kind === 'latency'
      ? [effect.ms, effect.jitterMs]
      : effect.kind === 'delay_message'
        ? [effect.ms]
        : effect.kind === 'rate_limited'
          ? [effect.retryAfterMs]
          : [];
  const isSound = waits.every((waitMs) => isCount(waitMs, WAIT_MAX_MS));
  return isSound ? undefined : inRange('fault_times', 0, WAIT_MAX_MS);
}

function isCount(value: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= max;
}
