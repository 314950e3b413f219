/** Where random scenarios are played: every kind of floor, with either kind of wallets. */
import fc from 'fast-check';
import { WALLET_SCOPES } from '#domain';
import { FLOORS, type FloorKind } from './swap-floors.ts';
import { type Scenario, scenario } from './swap-random.ts';

const KINDS = Object.keys(FLOORS) as FloorKind[];
/** Each with a wallet per contract, and those with linear contracts with one for all of them. */
export const HOUSES = WALLET_SCOPES.flatMap((wallets) =>
  KINDS.filter((kind) => wallets === 'contract' || kind !== 'inverse').map((kind) => ({
    kind,
    wallets,
    name: `${kind}, a wallet per ${wallets}`,
  })),
);

const SEED = 20_210_519;

/**
 * Checks a property of scenarios on a floor, always the same ones. It names the one that fails and
 * stops: a scenario takes minutes to shrink, and is too long to print.
 */
export function check(
  kind: FloorKind,
  [minLength, maxLength]: readonly [number, number],
  numRuns: number,
  property: (drawn: Scenario) => void,
): void {
  const drawn = scenario(FLOORS[kind].length, minLength, maxLength);
  const settings = { numRuns, seed: SEED, endOnFailure: true };
  const result = fc.check(fc.property(drawn, property), settings);
  if (!result.failed) return;
  const path = result.counterexamplePath;
  throw new Error(`scenario { seed: ${SEED}, path: '${path}' }`, { cause: result.errorInstance });
}
