/** Disks that break the one promise that a log is built on. */
import { Disk } from '../world/disk.ts';
import type { Canary } from './canary.ts';

/** One path forgets to sync: what it wrote last is not there after a crash. */
class Forgetful extends Disk {
  #isForgotten = false;

  override append(text: string): void {
    this.#isForgotten = text.includes('"deposit"');
    super.append(text);
  }

  override sync(): void {
    if (!this.#isForgotten) super.sync();
  }
}

/** What a dead process had under way arrives after all. */
class Unfenced extends Disk {
  override crash(): void {
    this.sync();
    super.crash();
  }
}

export function diskOf(fault: Canary['disk']): Disk {
  if (fault === 'skips_syncs') return new Forgetful();
  return fault === 'late_writes' ? new Unfenced() : new Disk();
}
