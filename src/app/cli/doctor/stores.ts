/** Where a venue keeps what it knows: journal, snapshots, history, the log of a cluster. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, diskFreeBytes, historyPlaceOf, logPlaceOf, sharedLogPlaceOf } from '#config';
import { entryTimeMs } from '#domain';
import { HistoryAway, historyAt } from '#history';
import {
  type CommandLog,
  type JournalReader,
  logAt,
  roomTrouble,
  type SharedLog,
  type SharedLogPlace,
} from '#log';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const DAY_MS = 86_400_000;
/** Enough to order another disk. */
const DISK_DAYS_MIN = 30;
const ETCD_ROOM = 'see "The servers of etcd" in docs/CLUSTER.md';
const RESTORE = 'look with outcry verify-journal, then restore a backup with outcry restore';

export function logOf({ dataDirectory }: Config, masterKey: Uint8Array | undefined): CommandLog {
  return logAt(logPlaceOf(dataDirectory, masterKey));
}

/** The end of the journal, and what a start would replay of it. */
export async function journalFindings(log: CommandLog, config: Config): Promise<Finding[]> {
  if (!log.exists()) return [ok('no journal: the first start begins one')];
  try {
    const reader = await log.openReader();
    try {
      await reader.proveEnd();
      const lastSeq = await reader.lastSeq();
      const end = ok(`the journal ends with command ${lastSeq}`);
      return [end, replayFinding(log, lastSeq, config), ...(await growth(reader, lastSeq, config))];
    } finally {
      await reader.close();
    }
  } catch (cause) {
    return [problem(`the journal cannot be read: ${reasonOf(cause)}`, RESTORE)];
  }
}

/** How fast the journal grows, and for how long the disk lasts; nothing within its first day. */
async function growth(
  reader: JournalReader,
  lastSeq: number,
  { dataDirectory, journalKeepMs }: Config,
): Promise<Finding[]> {
  const fromMs = await timeOf(reader, reader.base.nextSeq);
  const toMs = await timeOf(reader, lastSeq);
  const days = ((toMs ?? 0) - (fromMs ?? 0)) / DAY_MS;
  if (fromMs === undefined || days < 1) return [];
  const perDay = statSync(reader.file).size / days;
  const text = `the journal grows by ${(perDay / 1_000_000).toFixed(1)} MB a day`;
  if (journalKeepMs !== undefined) {
    const gigabytes = (perDay * journalKeepMs) / DAY_MS / 1e9;
    return [ok(`${text}; what is kept of it takes ${gigabytes.toFixed(1)} GB`)];
  }
  const lasts = diskFreeBytes(dataDirectory) / perDay;
  const said = `${text}: the disk lasts for ${Math.floor(lasts)} days, less what the history takes`;
  if (lasts >= DISK_DAYS_MIN) return [ok(said)];
  return [warning(said, 'set journal.keepDays, or give the data directory a larger disk')];
}

/** The time of the entry that contains a command, unless it is of a release that nobody reads. */
async function timeOf(reader: JournalReader, seq: number): Promise<number | undefined> {
  if (seq < reader.base.nextSeq) return undefined;
  for await (const [entry] of reader.chunks(seq)) return entry && entryTimeMs(entry.payload);
  return undefined;
}

function replayFinding({ snapshots }: CommandLog, lastSeq: number, config: Config): Finding {
  const { snapshotIntervalCommands } = config;
  const damaged: string[] = [];
  const seq = snapshots.newest(lastSeq, (reason) => damaged.push(reason))?.seq ?? 0;
  const text = `a start replays ${lastSeq - seq} commands, after the snapshot of ${seq}`;
  const [reason] = damaged;
  if (reason !== undefined) {
    return warning(`${reason}; ${text}`, 'remove that file: the journal makes up for it');
  }
  if (lastSeq - seq <= 2 * snapshotIntervalCommands) return ok(text);
  return warning(
    `${text}: one is due every ${snapshotIntervalCommands}`,
    'start the venue once and read in its log why it writes no snapshots',
  );
}

/** How far the history is, or that its database can be asked when there is nothing in it yet. */
export async function historyFinding(config: Config, hasJournal: boolean): Promise<Finding> {
  const history = historyAt(historyPlaceOf(config.dataDirectory, config.historyUrl));
  const { place } = history;
  try {
    const reader = await history.openReader();
    try {
      return sizeFinding(
        `the history in ${place} reaches command ${await reader.projectedSeq()}`,
        config,
      );
    } finally {
      await reader.close();
    }
  } catch (cause) {
    const text = `the history cannot be read: ${reasonOf(cause)}`;
    if (cause instanceof HistoryAway)
      return problem(text, 'start the database, or mend its address');
    if (!hasJournal) return ok(`no history in ${place}: the first start begins one`);
    return warning(text, 'the next start makes it again or upgrades it, and says so in its log');
  }
}

/** Whether what it takes is bounded, or at least little beside what is left. */
function sizeFinding(text: string, config: Config): Finding {
  const { dataDirectory, historyUrl, historyKeepMs } = config;
  if (historyKeepMs !== undefined)
    return ok(`${text}; rows stay for ${historyKeepMs / DAY_MS} days`);
  if (historyUrl !== undefined) return ok(`${text}; all rows stay`);
  const { size } = statSync(join(dataDirectory, 'history.sqlite'));
  const said = `${text} and takes ${(size / 1_000_000).toFixed(1)} MB; all rows stay`;
  if (size <= diskFreeBytes(dataDirectory)) return ok(said);
  return warning(`${said}, and less than that is left on the disk`, 'set history.keepDays');
}

/** Who is in the cluster, and whether it can be asked. */
export async function clusterFinding(
  cluster: NonNullable<Config['cluster']>,
  open: (place: SharedLogPlace) => SharedLog | Promise<SharedLog>,
): Promise<Finding> {
  const { venue, name, etcd } = cluster;
  const place = `etcd at ${etcd.endpoints.join(', ')}`;
  const log = await open(sharedLogPlaceOf(cluster));
  try {
    const [members, claim] = await Promise.all([log.members(), log.current()]);
    const names = members.map((member) => member.name).toSorted();
    const who = names.length === 0 ? 'nobody is there yet' : names.join(', ');
    const leader = claim === undefined ? '' : `, ${claim.holder} leads`;
    const text = `${place} answers; ${venue}: ${who}${leader}; this one is ${name}`;
    const trouble = roomTrouble(await log.room());
    return trouble === undefined ? ok(text) : warning(`${text}; it ${trouble}`, ETCD_ROOM);
  } catch (cause) {
    return problem(
      `${place} does not answer: ${reasonOf(cause)}`,
      'start etcd, or mend the endpoints in the file of the cluster',
    );
  } finally {
    await log.close();
  }
}
