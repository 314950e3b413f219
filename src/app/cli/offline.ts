/**
 * The commands that read a data directory, with or without a server on it: audit, replay and
 * verify-journal. They change nothing and repair nothing.
 */
import {
  checkedHistoryUrl,
  type Environment,
  findMasterKey,
  historyPlaceOf,
  logPlaceOf,
} from '#config';
import { auditData } from '#dialects';
import { type History, historyAt } from '#history';
import { anchorText, type CommandLog, logAt, parseAnchor, verifyJournal } from '#log';
import { auditLog, replayJournal, verifyHistory } from '#venue';
import { type Output, Progress, tableLines } from './output.ts';

/** A problem was found, as against 0 for none. A command that cannot run ends with 2. */
const PROBLEM_FOUND = 1;
const COULD_NOT_RUN = 2;

/** The directory and what is needed to read it. */
export interface Place {
  readonly data: string;
  readonly env: Environment;
}

export function logOf({ data, env }: Place): CommandLog {
  const key = findMasterKey({ dataDirectory: data, masterKeyText: env.OUTCRY_MASTER_KEY });
  return logAt(logPlaceOf(data, key));
}

/** Of a venue that keeps it in a database, its address is in the environment. */
export function historyOf({ data, env }: Place): History {
  const url = env.OUTCRY_HISTORY;
  return historyAt(
    historyPlaceOf(data, url === undefined ? url : checkedHistoryUrl(url, 'OUTCRY_HISTORY')),
  );
}

/** Does the money add up, per coin, in the newest durable state? */
export async function audit(place: Place, output: Output): Promise<number> {
  const progress = new Progress(output, 'commands replayed:');
  const { report, state } = await auditLog(logOf(place), ({ seq, lastSeq }) =>
    progress.update(seq, lastSeq),
  );
  const found = auditData(report, state);
  const { balanced, seq, accounts, openOrders, coins } = found;
  for (const line of tableLines(coins)) output.result(line);
  for (const symbol of found.mismatchedContracts) {
    output.result(`${symbol}: its positions do not add up`);
  }
  for (const { accountId, wallet, coin, missing } of found.uncoveredWallets) {
    output.result(`account ${accountId}, ${wallet}: ${missing} ${coin} set aside are not there`);
  }
  output.result(`accounts ${accounts}, open orders ${openOrders}, at command ${seq}`);
  output.result(balanced ? 'balanced: every coin and every contract adds up' : 'NOT BALANCED');
  return balanced ? 0 : PROBLEM_FOUND;
}

/** Does the journal, replayed from its first command, lead to the state of the newest snapshot? */
export async function replay(place: Place, output: Output): Promise<number> {
  const progress = new Progress(output, 'commands replayed:');
  const startMs = performance.now();
  const report = await replayJournal(logOf(place), ({ seq, lastSeq }) =>
    progress.update(seq, lastSeq),
  );
  const seconds = (performance.now() - startMs) / 1_000;
  if (report.fromSeq > 0) output.result(`from      the snapshot of command ${report.fromSeq}`);
  output.result(`commands  ${report.seq}`);
  output.result(`seconds   ${seconds.toFixed(2)}`);
  output.result(`state     ${report.stateHash}`);
  output.result(`snapshot  ${report.snapshot}`);
  return report.snapshot === 'differs' ? PROBLEM_FOUND : 0;
}

/**
 * Is every entry of the journal there, in order and unchanged? With an anchor, also whether the
 * journal is still the one that the anchor was taken from; with `true`, prints one to be kept.
 */
export async function verify(
  place: Place,
  output: Output,
  anchor: string | boolean = false,
): Promise<number> {
  const kept = typeof anchor === 'string' ? parseAnchor(anchor) : undefined;
  if (typeof anchor === 'string' && kept === undefined) {
    output.notice('an anchor is a command number, a colon and 64 hexadecimal digits');
    return COULD_NOT_RUN;
  }
  const progress = new Progress(output, 'commands verified:');
  const onProgress = (seq: number, lastSeq: number) => progress.update(seq, lastSeq);
  const result = await verifyJournal(logOf(place), onProgress, kept);
  if (result.kind === 'unreadable') {
    output.notice(`cannot read the journal: ${result.reason}`);
    return COULD_NOT_RUN;
  }
  if (result.kind === 'faulty') {
    output.result(`FAULTY: ${result.fault.message}`);
    output.result(`sound up to command ${result.soundUpToSeq}`);
    return PROBLEM_FOUND;
  }
  const { entriesCount, commandsCount, firstSeq, lastSeq, lastHash, keyedFromSeq } = result;
  output.result(`sound: ${entriesCount} entries, ${commandsCount} commands, hash ${lastHash}`);
  if (firstSeq > 1) {
    output.result(
      `it begins with command ${firstSeq}: what is before was trimmed, or is a copy that began ` +
        'there, and a snapshot has it',
    );
  }
  if (keyedFromSeq !== 1) output.result(keyedLine(keyedFromSeq));
  if (anchor === true) output.result(`anchor: ${anchorText({ lastSeq, hash: lastHash })}`);
  if (kept !== undefined) output.result(`the anchor of command ${kept.lastSeq} is kept`);
  return 0;
}

/** Is every row of the history what the journal says? */
export async function verifyRows(place: Place, output: Output): Promise<number> {
  const progress = new Progress(output, 'commands replayed:');
  const { seq, differences } = await verifyHistory(logOf(place), historyOf(place), (replayed) =>
    progress.update(replayed.seq, replayed.lastSeq),
  );
  for (const { table, key, what, columns } of differences) {
    const which = columns.length === 0 ? '' : ` in ${columns.join(', ')}`;
    output.result(`${table} ${key}: ${what}${which}`);
  }
  if (differences.length === 0) {
    output.result(`sound: every row up to command ${seq} is what the journal says`);
    return 0;
  }
  output.result(
    `FAULTY: ${differences.length} rows up to command ${seq}; stop the venue and remove ` +
      'history.sqlite (with its -wal and -shm files) or the schema outcry of its database, and ' +
      'the next start makes it again',
  );
  return PROBLEM_FOUND;
}

function keyedLine(keyedFromSeq: number): string {
  return keyedFromSeq === 0
    ? 'the chain is not keyed'
    : `the chain is keyed from command ${keyedFromSeq} on; what is before it was written without`;
}
