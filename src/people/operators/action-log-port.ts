/**
 * The log of what operators do, kept beside people: entries in one order, each with a hash over
 * itself and the one before. An action has an entry before it is carried out and one with its
 * outcome after it; nothing is changed, and only what is old enough is deleted.
 */
import type { OperatorRole } from './port.ts';

export const ACTION_OUTCOMES = ['done', 'refused', 'failed'] as const;
export type ActionOutcome = (typeof ACTION_OUTCOMES)[number];

/** What the log is told of an action before it is carried out. */
export interface NewAction {
  readonly operatorId: string;
  readonly operatorName: string;
  readonly role: OperatorRole;
  /** Method and path of the endpoint, as in `POST /admin/v1/accounts/:account/deposits`. */
  readonly kind: string;
  /** The path as it was called. */
  readonly path: string;
  /** Id of the account that the path names; empty for none. */
  readonly account: string;
  readonly address: string;
  readonly requestId: string;
  readonly reason: string;
  /** JSON of what was asked, without secrets. */
  readonly asked: string;
}

/** An entry: of an action, or, with an outcome, of how the action of that number ended. */
export interface LogEntry extends NewAction {
  readonly entryId: number;
  readonly actionId: number;
  readonly timeMs: number;
  readonly outcome: ActionOutcome | '';
  /** Why it was refused or failed; empty when it was done. */
  readonly answer: string;
  readonly hash: string;
}

/** An action and how it ended; without an outcome the process stopped before it was written. */
export interface LoggedAction extends NewAction {
  readonly actionId: number;
  readonly timeMs: number;
  readonly outcome: ActionOutcome | undefined;
  readonly answer: string;
  readonly hash: string;
}

export interface LogHead {
  readonly entryId: number;
  readonly hash: string;
}

export interface ActionsQuery {
  /** Id, or a part of the name. */
  readonly who: string | undefined;
  /** A part of the kind. */
  readonly kind: string | undefined;
  readonly account: string | undefined;
  readonly fromMs: number | undefined;
  readonly untilMs: number | undefined;
  /** A part of what was asked, why, where, or how it ended. */
  readonly text: string | undefined;
  /** Actions before this one. */
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ActionLogStore {
  /** The newest entry; number 0 where none was ever written. */
  logHead(): Promise<LogHead>;
  /** Appends all entries, which follow `head`, or none: false when others were appended since. */
  appendLog(head: LogHead, entries: readonly LogEntry[]): Promise<boolean>;
  /** Entries behind this one, oldest first. */
  logEntries(after: number, limit: number): Promise<readonly LogEntry[]>;
  /** Newest first. */
  actions(query: ActionsQuery): Promise<readonly LoggedAction[]>;
  /** The hash of the newest entry that was deleted; undefined when none was. */
  trimmedLog(): Promise<LogHead | undefined>;
  /** Deletes what is older, and the oldest beyond so many. */
  trimLog(beforeMs: number, keepMax: number): Promise<void>;
}
