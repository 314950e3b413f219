/** What goes wrong between the page and the venue, in the language of the page. */
import { NO_ANSWER, VenueError } from '#client';
import { textsNow } from '../texts/texts.ts';

export { NO_ANSWER, VenueError } from '#client';

/** Code and text of anything that was thrown. */
export function describeFailure(error: unknown): { readonly code: string; readonly text: string } {
  if (error instanceof VenueError) {
    const { refusal, trade } = textsNow();
    return error.code === NO_ANSWER
      ? { code: '', text: trade.noAnswer }
      : { code: error.code, text: refusal(error.message) };
  }
  return { code: '', text: error instanceof Error ? error.message : String(error) };
}
