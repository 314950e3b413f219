/** The machine that a venue is to be served on: processors, memory, open files, the disk. */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { diskTrouble } from '#config';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const MEBIBYTE = 1024 ** 2;
const GIBIBYTE = 1024 ** 3;
/** The demo has 230 MB after its start, and 325 MB when the caches of its databases are full. */
const MEMORY_MIN_BYTES = 512 * MEBIBYTE;
/** Two databases, their logs, threads, and the clients of calls beside those of streams. */
const OTHER_FILES = 1_024;

/** What `statfs` calls the kinds of file systems that need a word. */
const IN_MEMORY = [0x01021994, 0x858458f6];
const OVER_NETWORK = [0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x65735546];
const OF_CONTAINER = [0x794c7630];

const SYNCS = 25;
const SYNCED_BYTES = 4_096;
/** An order is answered when it is on the disk. */
const SYNC_SLOW_MS = 10;

export function machineFindings(connectionsMax: number): Finding[] {
  return [system(), processors(), memory(), openFiles(connectionsMax + OTHER_FILES)];
}

function system(): Finding {
  return ok(`Node.js ${process.version} on ${process.platform} ${process.arch}`);
}

function processors(): Finding {
  const count = availableParallelism();
  if (count >= 2) return ok(`${count} processors`);
  return warning(
    'one processor: matching, journal and history share it',
    'give the venue two or more where answers have to be quick under load',
  );
}

function memory(): Finding {
  const bytes = process.availableMemory();
  const text = `${(bytes / GIBIBYTE).toFixed(1)} GiB of memory available`;
  if (bytes >= MEMORY_MIN_BYTES) return ok(text);
  return warning(text, `leave ${MEMORY_MIN_BYTES / MEBIBYTE} MiB or more to the venue`);
}

function openFiles(needed: number): Finding {
  const max = openFilesMax();
  if (max === undefined) return ok('open files: this system sets no bound that is known');
  if (max >= needed) return ok(`open files: ${max} allowed, ${needed} needed at most`);
  return warning(
    `open files: ${max} allowed, with all streams connected the venue needs ${needed}`,
    `run ulimit -n ${needed} before, or set LimitNOFILE=${needed} in the unit`,
  );
}

/** Undefined where there is none, as on Windows. */
function openFilesMax(): number | undefined {
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits }: { userLimits?: { open_files?: { soft?: unknown } } } = report.getReport();
  const soft = userLimits?.open_files?.soft;
  if (soft === 'unlimited') return Number.POSITIVE_INFINITY;
  return Number.isFinite(Number(soft)) ? Number(soft) : undefined;
}

/** The file system of the data directory, or of where it would be made. */
export function diskFindings(directory: string): Finding[] {
  const place = nearest(directory);
  try {
    const shortage = diskTrouble(place);
    const room =
      shortage === undefined
        ? ok(`${freeGibibytes(place)} GiB free on the disk of ${place}`)
        : warning(shortage, 'make room, or choose another disk with --data');
    return [fileSystem(place), room, syncTime(place)];
  } catch (cause) {
    return [problem(`${place} cannot be written: ${reasonOf(cause)}`, ANOTHER)];
  }
}

const ANOTHER = 'mend that, or name another directory with --data';

/** The directory itself once it is there; before, the one it will be made in. */
function nearest(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory
    ? directory
    : nearest(dirname(directory));
}

function freeGibibytes(place: string): string {
  const { bavail, bsize } = statfsSync(place);
  return ((bavail * bsize) / GIBIBYTE).toFixed(1);
}

function fileSystem(place: string): Finding {
  const { type } = statfsSync(place);
  if (IN_MEMORY.includes(type)) {
    return warning(`${place} is in memory: all is gone with the machine`, ANOTHER);
  }
  if (OVER_NETWORK.includes(type)) {
    return problem(
      `${place} is on a file system that other machines share: its locks cannot be relied on`,
      'keep the data directory on a disk of this machine',
    );
  }
  if (OF_CONTAINER.includes(type)) {
    return warning(
      `${place} belongs to a container: all is gone when that is removed`,
      'mount a volume, and name a directory of it with --data',
    );
  }
  return ok(`${place} is on a disk of this machine`);
}

/** How long a small write takes to be on the disk: the median of a few, in a file of its own. */
function syncTime(place: string): Finding {
  const file = join(place, `.outcry-doctor-${process.pid}`);
  const handle = openSync(file, 'wx', 0o600);
  try {
    const block = Buffer.alloc(SYNCED_BYTES);
    const timesMs = Array.from({ length: SYNCS }, () => {
      const startMs = performance.now();
      writeSync(handle, block);
      fdatasyncSync(handle);
      return performance.now() - startMs;
    });
    const medianMs = timesMs.toSorted((one, other) => one - other)[SYNCS >> 1] ?? 0;
    const text = `a write is on the disk after ${medianMs.toFixed(2)} ms`;
    if (medianMs <= SYNC_SLOW_MS) return ok(text);
    return warning(`${text}: no order is answered sooner`, 'use a faster disk');
  } finally {
    closeSync(handle);
    rmSync(file);
  }
}
