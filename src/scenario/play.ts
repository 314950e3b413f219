/**
 * Scenarios: files that play a bad day on a venue and hold it against figures. A client like any
 * other: it speaks to the venue over HTTP only, to one that is given or one started for it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Operator } from './client.ts';
import { readScenario, type Scenario } from './file.ts';
import { type Failure, playScenario, type RunOptions } from './runner.ts';
import type { Spelling } from './spelling.ts';

/** The scenarios that come with the program. */
const SHIPPED = fileURLToPath(new URL('../../config/scenarios/', import.meta.url));
const EXTENSION = '.yaml';

/** A sandbox of one's own, until it is stopped. */
export interface StartedVenue extends Operator {
  stop(): Promise<void>;
}

export type StartVenue = (options: {
  readonly config?: string;
  readonly participants: boolean;
}) => Promise<StartedVenue>;

/** A file, or one of the shipped scenarios by its name. */
export function scenarioFile(named: string): string {
  const shipped = join(SHIPPED, named + EXTENSION);
  return !existsSync(named) && existsSync(shipped) ? shipped : named;
}

export interface ShippedScenario {
  /** What `outcry scenario run` knows it by. */
  readonly name: string;
  readonly scenario: Scenario;
}

export function shippedScenarios(spelling: Spelling): ShippedScenario[] {
  const files = readdirSync(SHIPPED).filter((file) => file.endsWith(EXTENSION));
  return files.sort().map((file) => ({
    name: basename(file, EXTENSION),
    scenario: readScenario(join(SHIPPED, file), spelling),
  }));
}

/** Plays a scenario on the venue of the operator, or on a new one that ends with it. */
export async function runScenario(
  scenario: Scenario,
  venue: Operator | StartVenue,
  options: RunOptions,
): Promise<readonly Failure[]> {
  if (typeof venue !== 'function') return playScenario(scenario, venue, options);
  const { config, participants } = scenario;
  const started = await venue({ participants, ...(config !== undefined && { config }) });
  try {
    return await playScenario(scenario, started, options);
  } finally {
    await started.stop();
  }
}
