/** Sends answers: the one place that knows statuses and headers of the HTTP interface. */
import type { FastifyReply } from 'fastify';
import type { Refused, RejectKind } from '#domain';
import type { Frame } from '../dialect.ts';
import type { DataJson } from '../endpoint.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** When an overloaded venue asks to be tried again. */
const BUSY_RETRY_MS = 1_000;
/** Says of a refusal that what was asked for may have happened all the same. */
const OUTCOME_HEADER = 'x-outcome';

/** What may be otherwise a second later. */
const PASSING: ReadonlySet<RejectKind> = new Set([
  'venue_busy',
  'rate_exceeded',
  'history_unavailable',
]);

/** Answers with encoded data in its frame. */
export function sendData(reply: FastifyReply, frame: Frame, data: DataJson, nowMs: number): void {
  reply.header('content-type', JSON_TYPE).send(frame.success(data, nowMs));
}

/** Answers with encoded data and nothing around it. */
export function sendBare(reply: FastifyReply, data: DataJson): void {
  reply.header('content-type', JSON_TYPE).send(data);
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
  reply
    .code(status ?? form.status)
    .header('content-type', JSON_TYPE)
    .send(form.body);
}

/** Says when to try again, in whole seconds and at least one. */
export function retryAfter(reply: FastifyReply, waitMs: number): void {
  reply.header('retry-after', String(Math.ceil(Math.max(waitMs, 1) / 1_000)));
}
