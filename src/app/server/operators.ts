/** Operators of this venue: the log of what they do, and the money that waits for a second one. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Gauge } from '#api';
import type { Config } from '#config';
import type { ActionOptions } from '#dialects';
import { accountId, type VenuePort } from '#domain';
import type { Clock } from '#kernel';
import { ActionLog, type ApprovalContext, LIMIT_WINDOW_MS, type PeopleContext } from '#people';
import { lazyPeople } from './people-store.ts';

const TRIM_EVERY_MS = 3_600_000;

export interface OperatorDesk extends ApprovalContext {
  readonly log: ActionLog;
}

/** Beside people; where none are kept, in a file of this process's own. Closed with `opened`. */
export function openOperators(
  { dataDirectory, operators: settings }: Pick<Config, 'dataDirectory' | 'operators'>,
  clock: Clock,
  context: PeopleContext | undefined,
  masterKey: Buffer,
  logger: Logger,
  opened: AsyncDisposableStack,
): OperatorDesk {
  const file = join(dataDirectory, 'operators.sqlite');
  const people =
    context?.people ?? opened.adopt(lazyPeople({ kind: 'sqlite', file }), (one) => one.close());
  const nowMs = () => clock.nowMs();
  const onFault = (error: unknown): void => logger.warn({ err: error }, 'log of operators');
  const { logKeepMs: keepMs, logEntriesMax: keepMax } = settings;
  const log = new ActionLog({ people, masterKey, nowMs, keepMs, keepMax, onFault });
  const trim = async (): Promise<void> => {
    await log.trim();
    const store = await people.get();
    await store.pruneApprovals(nowMs() - keepMs);
    await store.pruneMovements(nowMs() - LIMIT_WINDOW_MS);
  };
  const timer = setInterval(() => {
    if (people.isAsked) trim().catch(onFault);
  }, TRIM_EVERY_MS).unref();
  opened.defer(async () => {
    clearInterval(timer);
    await log.settled();
  });
  return { people, nowMs, settings, log };
}

/** What the API needs to write actions down. */
export function actionsOf({ log, settings }: OperatorDesk, venue: VenuePort): ActionOptions {
  return {
    log,
    isReasonRequired: settings.reasonRequired,
    accountIdOf: (named) =>
      venue.read((state) => {
        const number = /^[1-9][0-9]{0,14}$/.test(named) ? accountId(Number(named)) : undefined;
        const byId = number === undefined ? undefined : state.account(number);
        return String((byId ?? state.accountByName(named))?.accountId ?? '');
      }),
  };
}

export function actionGauges({ log }: OperatorDesk): readonly Gauge[] {
  return [
    {
      name: 'outcry_operator_actions',
      help: 'Calls of operators that this process has carried out and logged, by how they ended',
      label: 'outcome',
      read: () => log.counts,
    },
    {
      name: 'outcry_operator_outcomes_unwritten',
      help: 'Calls of operators whose outcome could not be written to the log yet',
      read: () => log.lateCount,
    },
  ];
}
