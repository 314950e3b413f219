/**
 * The frame around every answer of the house: clients differ in which of `msg` and `message` they
 * read, so both are always sent.
 */
import type { Frame } from '#api';
import type { Refused } from '#domain';
import { houseReject, refusalText } from './house-rejects.ts';

const SUCCESS_HEAD = '{"code":"00000","msg":"success","message":"success","requestTime":';

export const HOUSE_FRAME: Frame = frameSaying(refusalText);

/** The same with other words for what is refused. */
export function frameSaying(textOf: (refused: Refused) => string): Frame {
  return {
    around: (timeMs) => [`${SUCCESS_HEAD}${timeMs},"data":`, '}'],
    refusal: (refused, timeMs) => {
      const { code, status } = houseReject(refused.reject);
      const text = textOf(refused);
      const body = { code, msg: text, message: text, requestTime: timeMs, data: null };
      return { status, body: JSON.stringify(body) };
    },
  };
}
