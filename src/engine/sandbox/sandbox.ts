/** What the engine keeps for a sandbox: a clock setting, named states and fault rules. */
import {
  type AccountId,
  type CheckpointView,
  type FaultRule,
  type KeptAccount,
  readTagged,
  type SandboxView,
  type VenueClockSetting,
} from '#domain';

/** A named state: the rows of its dump, without what the sandbox itself keeps. */
export interface Checkpoint {
  readonly view: CheckpointView;
  readonly rows: string[];
}

/** The row of an account, as far as it is read here, and how it begins. */
type AccountRow = [kind: 'account', AccountId, settings: { readonly name: string }, timeMs: number];
const ACCOUNT_ROW = '["account",';

export class Sandbox implements SandboxView {
  clock: VenueClockSetting | undefined;
  readonly kept = new Map<string, Checkpoint>();
  readonly rules = new Map<number, FaultRule>();

  *checkpoints(): Generator<CheckpointView> {
    for (const { view } of this.kept.values()) yield view;
  }

  *accountsOf(name: string): Generator<KeptAccount> {
    for (const text of this.kept.get(name)?.rows ?? []) {
      if (!text.startsWith(ACCOUNT_ROW)) continue;
      const [, accountId, { name: called }, createdTimeMs] = readTagged<AccountRow>(text);
      yield { accountId, name: called, createdTimeMs };
    }
  }

  faults(): Iterable<FaultRule> {
    return this.rules.values();
  }
}
