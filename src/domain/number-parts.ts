/**
 * Parts of a whole number of units, in numbers: exact whatever the whole, as long as that is a safe
 * integer. What is none is NaN, and bigints decide.
 */
import { PPM } from './units.ts';

/** A product or sum of exact numbers: it is exact as well unless it is too large. */
export function exact(value: number): number {
  return value <= Number.MAX_SAFE_INTEGER ? value : Number.NaN;
}

/** A part of a whole number of units, in whole units and what is left over in parts of one. */
export interface NumberParts {
  readonly units: number;
  readonly rest: number;
}

/** A rate of an exact value; the rest in PPM parts of a unit. No step of it is too large. */
export function ratedParts(value: number, ratePpm: number): NumberParts {
  const millions = Math.floor(value / PPM);
  const due = (value - millions * PPM) * ratePpm;
  const units = Math.floor(due / PPM);
  return { units: millions * ratePpm + units, rest: due - units * PPM };
}

/** An exact value over a leverage; the rest in parts of so many. */
export function leveragedParts(value: number, leverage: number): NumberParts {
  const units = Math.floor(value / leverage);
  return { units, rest: value - units * leverage };
}
