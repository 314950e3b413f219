/** What goes wrong between the page and the venue, in the language of the page. */
import { NO_ANSWER, VenueError } from '#client';
import { textsNow } from '../texts/texts.ts';

export { NO_ANSWER, VenueError } from '#client';

/** Codes are looked up in docs/REJECTS.md; the kind of a refusal of /v1 says what its text does. */
const LOOKED_UP = /^[0-9]+$/;

/** Code and text of anything that was thrown; a code is empty where there is none to look up. */
export function describeFailure(error: unknown): { readonly code: string; readonly text: string } {
  if (error instanceof VenueError) {
    const { refusal, trade } = textsNow();
    return error.code === NO_ANSWER
      ? { code: '', text: trade.noAnswer }
      : {
          code: LOOKED_UP.test(error.code) ? error.code : '',
          text: refusal(error.message),
        };
  }
  return { code: '', text: error instanceof Error ? error.message : String(error) };
}
