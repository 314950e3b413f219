/**
 * The database of reports of a cluster. Each process reads its pages from a file of its own, since
 * its live views and its history have to be of one command; a database that is named is written
 * beside it by every member. Whoever is first writes, and a dead database holds up nothing.
 */
import type { Logger } from 'pino';
import type { Config } from '#config';
import { Projection, type ProjectionData } from '#venue';

/** Undefined for a venue of one process, and for gateways, of which there may be many. */
export function startReports(
  { cluster, historyUrl: url, historyKeepMs }: Config,
  logPlace: ProjectionData['log'],
  log: Logger,
  opened: AsyncDisposableStack,
): Projection | undefined {
  if (cluster?.kind !== 'member' || url === undefined) return undefined;
  const data: ProjectionData = {
    log: logPlace,
    history: { kind: 'postgres', url, isShared: true },
    sharedAs: cluster.venue,
    scrub: false,
    historyKeepMs,
    snapshotEveryCommands: Number.MAX_SAFE_INTEGER,
    snapshotOnCloseAfterCommands: Number.MAX_SAFE_INTEGER,
  };
  const reports = new Projection(data, {
    onProgress: (seq, lastSeq) => log.info({ seq, lastSeq }, 'writing reports'),
    onWarning: (text) => log.warn(text),
    onFault: (error, retryInMs) =>
      log.error({ err: error, retryInMs }, 'the reports have stopped and are started again'),
    onRecovered: () => log.info('the reports are written again'),
  });
  reports.caughtUp().catch((error: unknown) => {
    if (!reports.isAway) log.error({ err: error }, 'no reports are written');
  });
  // Another member has written what is missing, or the next start does.
  opened.defer(() => reports.close().catch(() => undefined));
  return reports;
}
