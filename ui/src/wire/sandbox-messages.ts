/** What a sandbox answers with, as docs/API.md has it under /sandbox/v1. Times are numbers. */

export interface ClockReading {
  /** Of the venue, in milliseconds. */
  readonly time: number;
  readonly controlled: boolean;
  /** Of real time: "0" stands still. */
  readonly speed: string;
}

export interface CheckpointRow {
  readonly name: string;
  readonly seq: number;
  readonly time: number;
  readonly rows: number;
}

export interface FaultEffectRow {
  readonly kind: string;
  readonly ms?: number;
  readonly jitterMs?: number;
  readonly retryAfterMs?: number;
  readonly status?: number;
}

export interface FaultRow {
  readonly faultId: number;
  readonly label: string;
  readonly key: string;
  readonly target: string;
  readonly effect: FaultEffectRow;
  readonly probability: string;
  readonly skip: number;
  readonly count: number;
  readonly seed: number;
}

export interface SandboxState {
  readonly seq: number;
  readonly time: number;
  readonly clock: ClockReading;
  readonly checkpoints: readonly CheckpointRow[];
  readonly faults: readonly FaultRow[];
}

export interface ScenarioRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

export interface ScenarioOutcome {
  readonly passed: boolean;
  readonly steps: readonly {
    readonly text: string;
    readonly ok: boolean;
    readonly detail?: string;
  }[];
}
