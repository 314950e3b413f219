/** What the commands of a sandbox did to its clock, its checkpoints and its faults. */
import type { CheckpointView, FaultRule, VenueClockSetting } from './sandbox.ts';

export interface ClockSet {
  readonly kind: 'clock_set';
  readonly clock: VenueClockSetting;
}

export interface CheckpointSaved {
  readonly kind: 'checkpoint_saved';
  readonly checkpoint: CheckpointView;
}

export interface CheckpointDropped {
  readonly kind: 'checkpoint_dropped';
  readonly name: string;
}

/**
 * The whole state was replaced by a checkpoint: what followers know beyond its command is undone,
 * and no event says what they knew then. Ids above `lastId` belong to what is undone.
 */
export interface VenueReset {
  readonly kind: 'venue_reset';
  readonly checkpoint: CheckpointView;
  readonly lastId: number;
  readonly instrumentsCount: number;
}

export interface FaultAdded {
  readonly kind: 'fault_added';
  readonly rule: FaultRule;
}

export interface FaultsRemoved {
  readonly kind: 'faults_removed';
  readonly faultIds: readonly number[];
}
