/**
 * The commands that read a data directory, with or without a server on it: audit, replay and
 * verify-journal. They change nothing and repair nothing.
 */
import { verifyJournal } from '#journal';
import { auditDirectory, replayJournal } from '#venue';
import { auditData } from '#wire';
import { type Output, Progress, tableLines } from './output.ts';

/** A problem was found, as against 0 for none. A command that cannot run ends with 2. */
const PROBLEM_FOUND = 1;
const COULD_NOT_RUN = 2;

/** Does the money add up, per coin, in the newest durable state? */
export function audit(directory: string, output: Output): number {
  const progress = new Progress(output, 'commands replayed:');
  const { report, assets } = auditDirectory(directory, ({ seq, lastSeq }) =>
    progress.update(seq, lastSeq),
  );
  const found = auditData(report, assets);
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
export function replay(directory: string, output: Output): number {
  const progress = new Progress(output, 'commands replayed:');
  const startMs = performance.now();
  const report = replayJournal(directory, ({ seq, lastSeq }) => progress.update(seq, lastSeq));
  const seconds = (performance.now() - startMs) / 1_000;
  output.result(`commands  ${report.seq}`);
  output.result(`seconds   ${seconds.toFixed(2)}`);
  output.result(`state     ${report.stateHash}`);
  output.result(`snapshot  ${report.snapshot}`);
  return report.snapshot === 'differs' ? PROBLEM_FOUND : 0;
}

/** Is every entry of the journal there, in order and unchanged? */
export function verify(directory: string, output: Output): number {
  const progress = new Progress(output, 'commands verified:');
  const result = verifyJournal(directory, (seq, lastSeq) => progress.update(seq, lastSeq));
  if (result.kind === 'unreadable') {
    output.notice(`cannot read the journal: ${result.reason}`);
    return COULD_NOT_RUN;
  }
  if (result.kind === 'faulty') {
    output.result(`FAULTY: ${result.fault.message}`);
    output.result(`sound up to command ${result.soundUpToSeq}`);
    return PROBLEM_FOUND;
  }
  const { entriesCount, commandsCount, lastHash } = result;
  output.result(`sound: ${entriesCount} entries, ${commandsCount} commands, hash ${lastHash}`);
  return 0;
}
