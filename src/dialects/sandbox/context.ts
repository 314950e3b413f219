/** What the sandbox's endpoints work with. */
import type { Services } from '#api';
import type { Event, Refused } from '#domain';

export const BASE = '/sandbox/v1';

/** The clock of the venue, which a command sets and only time itself moves back from. */
export interface SandboxClock {
  nowMs(): number;
  readonly isControlled: boolean;
  readonly speedPermille: number;
  /** It is this time now, unless it is later already. */
  leapTo(timeMs: number): void;
}

export interface ScenarioOutcome {
  readonly passed: boolean;
  readonly steps: readonly { readonly text: string; readonly ok: boolean; detail: string }[];
}

export interface ScenarioTitle {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Scenarios are clients of the venue; the composition root hands them in. */
export interface ScenarioDesk {
  list(): Promise<readonly ScenarioTitle[]>;
  /** Why a round of a competition cannot be driven by it; undefined when it can. */
  refuse(name: string): Promise<string | undefined>;
  /** Undefined for a name that is none. */
  run(name: string): Promise<ScenarioOutcome | undefined>;
}

export interface SandboxOptions {
  readonly clock: SandboxClock;
  /** Resolves with the events of the command once all that follows the venue is as it was. */
  resetTo(name: string): Promise<readonly Event[]>;
  readonly scenarios: ScenarioDesk;
}

export type SandboxContext = Omit<Services, 'clock'> &
  SandboxOptions & {
    /** One change of time or state after the other. */
    inTurn(act: () => Promise<string | Refused>): Promise<string | Refused>;
    /** As inTurn for scenarios, which change time by calls of their own: one, or none. */
    readonly scenario: { isRunning: boolean };
  };

export function refusalOf(answers: readonly (readonly Event[])[]): Refused | undefined {
  for (const [event] of answers) if (event?.kind === 'refused') return event;
  return undefined;
}
