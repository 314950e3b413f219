/**
 * A disk that is slow for some processes only: the kernel lets them write so many times a second,
 * by a control group of the first or the second kind. Needs root, and a directory on a disk.
 */
import { mkdirSync, readFileSync, realpathSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What a kind of control group calls its file, and how it writes a limit. */
interface Kind {
  readonly place: string;
  readonly file: string;
  limit(disk: string, writesPerSecond: number | undefined): string;
}

const FIRST: Kind = {
  place: '/sys/fs/cgroup/blkio',
  file: 'blkio.throttle.write_iops_device',
  limit: (disk, writes) => `${disk} ${writes ?? 0}`,
};
const SECOND: Kind = {
  place: '/sys/fs/cgroup',
  file: 'io.max',
  limit: (disk, writes) => `${disk} wiops=${writes ?? 'max'}`,
};

export class SlowDisk {
  readonly #kind: Kind;
  readonly #group: string;
  readonly #disk: string;

  private constructor(kind: Kind, group: string, disk: string) {
    this.#kind = kind;
    this.#group = group;
    this.#disk = disk;
  }

  /** For processes that write in this directory; throws where that cannot be arranged. */
  static of(directory: string): SlowDisk {
    const disk = diskOf(directory);
    const groups = readFileSync('/proc/self/cgroup', 'utf8').split('\n');
    const own = groups.find((line) => /^\d+:blkio:/.test(line));
    const [kind, path] = own ? [FIRST, own] : [SECOND, groups.find((line) => /^0:/.test(line))];
    const parent = join(kind.place, path?.replace(/^\d+:[^:]*:/, '') ?? '');
    if (kind === SECOND) writeFileSync(join(parent, 'cgroup.subtree_control'), '+io');
    const group = join(parent, `outcry-slow-${process.pid}`);
    mkdirSync(group);
    const made = new SlowDisk(kind, group, disk);
    made.#limit(undefined);
    return made;
  }

  /** From now on these write so many times a second together. */
  slow(pids: readonly (number | undefined)[], writesPerSecond: number): void {
    for (const pid of pids) {
      if (pid !== undefined) writeFileSync(join(this.#group, 'cgroup.procs'), `${pid}`);
    }
    this.#limit(writesPerSecond);
  }

  /** As fast as before. */
  release(): void {
    this.#limit(undefined);
  }

  /** Once those processes have ended. */
  close(): void {
    rmdirSync(this.#group);
  }

  #limit(writesPerSecond: number | undefined): void {
    const { file, limit } = this.#kind;
    writeFileSync(join(this.#group, file), limit(this.#disk, writesPerSecond));
  }
}

/** major:minor of the whole disk: of a part of it the kernel takes no limit. */
function diskOf(directory: string): string {
  const { dev } = statSync(directory);
  const numbers = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const device = realpathSync(`/sys/dev/block/${numbers}`);
  const parent = dirname(device);
  if (basename(parent) === 'block') return numbers;
  return readFileSync(join(parent, 'dev'), 'utf8').trim();
}
