/** What the engine keeps for a sandbox: a clock setting, named states and fault rules. */
import type { CheckpointView, FaultRule, SandboxView, VenueClockSetting } from '#domain';

/** A named state: the rows of its dump, without what the sandbox itself keeps. */
export interface Checkpoint {
  readonly view: CheckpointView;
  readonly rows: string[];
}

export class Sandbox implements SandboxView {
  clock: VenueClockSetting | undefined;
  readonly kept = new Map<string, Checkpoint>();
  readonly rules = new Map<number, FaultRule>();

  *checkpoints(): Generator<CheckpointView> {
    for (const { view } of this.kept.values()) yield view;
  }

  faults(): Iterable<FaultRule> {
    return this.rules.values();
  }
}
