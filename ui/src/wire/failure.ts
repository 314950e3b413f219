/** What goes wrong between the page and the venue, as one class: refusals and lost connections. */
import { textsNow } from '../texts/texts.ts';

/** The code of a call that never got an answer. */
export const NO_ANSWER = 'no-answer';

export class VenueError extends Error {
  /** As in 40012: docs/REJECTS.md lists them. NO_ANSWER when there was none. */
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.name = 'VenueError';
    this.code = code;
    this.status = status;
  }
}

/** Code and text of anything that was thrown, for showing it in the language of the page. */
export function describeFailure(error: unknown): { readonly code: string; readonly text: string } {
  if (error instanceof VenueError) {
    const { refusal, trade } = textsNow();
    return error.code === NO_ANSWER
      ? { code: '', text: trade.noAnswer }
      : { code: error.code, text: refusal(error.message) };
  }
  return { code: '', text: error instanceof Error ? error.message : String(error) };
}
