/**
 * The frame around every answer, the same in both areas: clients differ in which of `msg` and
 * `message` they read, so both are always sent.
 */
import type { Frame, RefusalForm } from '#api';
import type { Refused } from '#domain';
import { classicReject, rejectText } from './rejects.ts';

const SUCCESS_HEAD = '{"code":"00000","msg":"success","message":"success","requestTime":';

export const FRAME: Frame = { around, refusal };

function around(timeMs: number): readonly [string, string] {
  return [`${SUCCESS_HEAD}${timeMs},"data":`, '}'];
}

function refusal(refused: Refused, timeMs: number): RefusalForm {
  const { code, status } = classicReject(refused.reject);
  const text = rejectText(refused);
  const body = { code, msg: text, message: text, requestTime: timeMs, data: null };
  return { status, body: JSON.stringify(body) };
}
