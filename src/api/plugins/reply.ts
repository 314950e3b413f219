/** Sends answers: the one place that knows statuses and headers of the HTTP interface. */
import type { OutgoingHttpHeader } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Refused, RejectKind } from '#domain';
import type { Frame } from '../dialect.ts';
import type { DataJson, KeptJson, SentFile } from '../endpoint.ts';
import type { AnswerHead } from '../request.ts';

const SUCCESS_STATUS = 200;
/** Header fields of every answer. */
export const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
/** Up to the value of the last one. */
const JSON_FIELDS = [
  ...Object.entries(EVERY_ANSWER).flat(),
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
];
/** When an overloaded venue asks to be tried again. */
const BUSY_RETRY_MS = 1_000;
/** Names the call in the log. */
const ID_HEADER = 'x-request-id';
/** Says of a refusal that what was asked for may have happened all the same. */
const OUTCOME_HEADER = 'x-outcome';

/** What may be otherwise a second later. */
const PASSING: ReadonlySet<RejectKind> = new Set([
  'venue_busy',
  'rate_exceeded',
  'history_unavailable',
  'people_unavailable',
]);

/** Answers with encoded data in its frame. */
export function sendData(
  reply: FastifyReply,
  frame: Frame,
  data: DataJson | KeptJson,
  nowMs: number,
): void {
  const [before, behind] = frame.around(nowMs);
  if (typeof data === 'string') write(reply, SUCCESS_STATUS, before + data + behind);
  else writeKept(reply, before, data.kept, data.rest + behind);
}

/** Answers with encoded data and nothing around it. */
export function sendBare(reply: FastifyReply, data: DataJson | KeptJson): void {
  if (typeof data === 'string') write(reply, SUCCESS_STATUS, data);
  else writeKept(reply, '', data.kept, data.rest);
}

/** Answers with a file as fast as it is read; one that cannot be written to its end breaks off. */
export function sendFile(reply: FastifyReply, { name, contentType, parts }: SentFile): void {
  const { raw } = reply;
  if (raw.headersSent) return;
  raw.writeHead(SUCCESS_STATUS, {
    ...EVERY_ANSWER,
    'content-type': contentType,
    'content-disposition': `attachment; filename="${name}"`,
    [ID_HEADER]: String(reply.request.id),
  });
  pipeline(Readable.from(parts), raw, (error) => {
    if (error) reply.request.log.warn({ err: error }, 'a file was not sent to its end');
  });
}

/** Answers with a refusal, under its own status unless another is given. */
export function sendRefusal(
  reply: FastifyReply,
  frame: Frame,
  refused: Refused,
  nowMs: number,
  status?: number,
): void {
  if (PASSING.has(refused.reject) && !reply.hasHeader('retry-after'))
    retryAfter(reply, BUSY_RETRY_MS);
  if (refused.reject === 'outcome_unknown') reply.header(OUTCOME_HEADER, 'unknown');
  const form = frame.refusal(refused, nowMs, reply.request.url);
  write(reply, status ?? form.status, form.body);
}

/**
 * Past the framework, which looks for streams, serializers and types in what is text, and with the
 * fields in a list, which Node reads faster than an object: together a tenth of a read. Text of one
 * byte a letter is sent as such, because Node takes three bytes a letter for other text into
 * account and leaves its quick way of writing with an answer of 5,400 letters.
 */
function write(reply: FastifyReply, status: number, body: string): void {
  const { raw } = reply;
  if (raw.headersSent) return;
  const length = Buffer.byteLength(body);
  writeHead(reply, status, length);
  raw.end(body, length === body.length ? 'latin1' : 'utf8');
}

/** Sends the bytes from where they are, in one write with the text around them. */
function writeKept(reply: FastifyReply, before: string, kept: Uint8Array, behind: string): void {
  const { raw } = reply;
  if (raw.headersSent) return;
  const lettersCount = before.length + behind.length;
  const length = Buffer.byteLength(before) + Buffer.byteLength(behind);
  const encoding = length === lettersCount ? 'latin1' : 'utf8';
  writeHead(reply, SUCCESS_STATUS, length + kept.length);
  if (before === '' && behind === '') {
    raw.end(kept);
    return;
  }
  raw.cork();
  raw.write(before, encoding);
  raw.write(kept);
  raw.end(behind, encoding);
}

function writeHead(reply: FastifyReply, status: number, length: number): void {
  const fields: OutgoingHttpHeader[] = [...JSON_FIELDS, length, ID_HEADER, reply.request.id];
  const ofThisOne: Readonly<Record<string, OutgoingHttpHeader | undefined>> = reply.getHeaders();
  for (const name in ofThisOne) fields.push(name, ofThisOne[name] ?? '');
  reply.raw.writeHead(status, fields);
}

/** Says when to try again, in whole seconds and at least one. */
export function retryAfter(head: AnswerHead, waitMs: number): void {
  head.header('retry-after', String(Math.ceil(Math.max(waitMs, 1) / 1_000)));
}
