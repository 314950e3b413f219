/**
 * The frame around every answer, the same in both areas: clients differ in which of `msg` and
 * `message` they read, so both are always sent.
 */
import type { Refused } from '#domain';
import { rejectText, WIRE_REJECTS } from './reject.ts';

/** JSON text of an answer's `data`, already encoded. */
export type DataJson = string;

const SUCCESS_HEAD = '{"code":"00000","msg":"success","message":"success","requestTime":';

/** The body of a success around its encoded data. */
export function successBody(data: DataJson, timeMs: number): string {
  return `${SUCCESS_HEAD}${timeMs},"data":${data}}`;
}

/** The body of a refusal. */
export function refusalBody(refused: Refused, timeMs: number): string {
  const { code } = WIRE_REJECTS[refused.reject];
  const text = rejectText(refused);
  return JSON.stringify({ code, msg: text, message: text, requestTime: timeMs, data: null });
}
