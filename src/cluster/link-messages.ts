/**
 * What a follower and its leader say to each other over their connection: JSON arrays, a tag first.
 * Both ends are members of one cluster and hold its secret; sizes and counts are bounded all the
 * same, and a message that is neither of these ends the connection.
 */

import { type Command, decodeEntry } from '#domain';

/** A request of a sender: its number, the first one still open, the text of its command. */
export type RequestRow = readonly [request: number, openFrom: number, text: string];

/** A request that changed nothing: why, and by which state that was judged. */
export type RefusedRow = readonly [request: number, atSeq: number, refusedText: string];

/** A question of a sender, whose text only those understand who ask and answer. */
export type QuestionRow = readonly [number: number, question: string];

/** What the leader says to it. */
export type AnswerRow = readonly [number: number, answer: string];

export type ToLeader =
  | readonly ['do', readonly RequestRow[]]
  | readonly ['ask', readonly QuestionRow[]];

export type FromLeader =
  /** Several times a second, and how long ago it has heard from the log. */
  | readonly ['beat', claim: number, lastSeq: number, contactAgeMs: number]
  | readonly ['refused', readonly RefusedRow[]]
  | readonly ['answers', readonly AnswerRow[]];

/** Where on a member's address the connection is made. */
export const LINK_PATH = '/link';
export const BEAT_EVERY_MS = 100;
export const LINK_BYTES_MAX = 16 * 1024 * 1024;
/** Closes a connection to a member that does not lead. */
export const NOT_LEADING = 4001;

/** What the other side sent; undefined when it is no such message. */
export function readToLeader(text: string): ToLeader | undefined {
  const message: unknown = parsed(text);
  if (!Array.isArray(message)) return undefined;
  const [tag, rows] = message;
  if (tag === 'do' && isRows(rows)) return ['do', rows];
  return tag === 'ask' && isTexts(rows) ? ['ask', rows] : undefined;
}

export function readFromLeader(text: string): FromLeader | undefined {
  const message: unknown = parsed(text);
  if (!Array.isArray(message)) return undefined;
  const [tag, first, second, third] = message;
  if (tag === 'beat' && isCount(first) && isCount(second) && isCount(third)) {
    return ['beat', first, second, third];
  }
  if (tag === 'answers' && isTexts(first)) return ['answers', first];
  return tag === 'refused' && isRows(first) ? ['refused', first] : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRows(value: unknown): value is RequestRow[] {
  return Array.isArray(value) && value.every(isRow);
}

function isRow(row: unknown): boolean {
  return (
    Array.isArray(row) &&
    row.length === 3 &&
    isCount(row[0]) &&
    isCount(row[1]) &&
    typeof row[2] === 'string'
  );
}

function isTexts(value: unknown): value is QuestionRow[] {
  return Array.isArray(value) && value.every(isText);
}

function isText(row: unknown): boolean {
  return Array.isArray(row) && row.length === 2 && isCount(row[0]) && typeof row[1] === 'string';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The command of a request; undefined when this release does not know it. */
export function commandOf(text: string): Command | undefined {
  try {
    return decodeEntry(`[${text}]`)[0]?.command;
  } catch {
    return undefined;
  }
}
