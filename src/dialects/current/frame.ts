/**
 * Answers have no frame: the data is the body. A body with `msg` is an error to clients, so no
 * success has one; overload and faults have `message` instead, which clients take for a reason to
 * try again.
 */
import type { Frame, RefusalForm } from '#api';
import type { Refused } from '#domain';
import { codeOf, currentReject, rejectText } from './rejects.ts';

const NOT_FOUND = 404;
const TOO_MANY = 429;
const FAULT_MIN = 500;

/** Beginning of the paths of contracts, whose refusals have codes of their own. */
const CONTRACT_PATH = /^\/(capi|contract)\//;

const NOTHING = ['', ''] as const;

export const FRAME: Frame = { around: () => NOTHING, refusal };

function refusal(refused: Refused, nowMs: number, target = ''): RefusalForm {
  const { status } = currentReject(refused.reject);
  if (status === NOT_FOUND) return { status, body: notFound(nowMs, target) };
  const product = CONTRACT_PATH.test(target) ? 'contract' : 'spot';
  const text = rejectText(refused, product);
  const name = status === TOO_MANY || status >= FAULT_MIN ? 'message' : 'msg';
  return {
    status,
    body: `{"code":${codeOf(refused, product)},"${name}":${JSON.stringify(text)}}`,
  };
}

function notFound(timestamp: number, target: string): string {
  const path = target.split('?', 1)[0];
  return JSON.stringify({ timestamp, status: NOT_FOUND, error: 'Not Found', path });
}
