/** What goes wrong between the page and the venue, as one class: refusals and lost connections. */

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

/** Code and text of anything that was thrown, for showing it. */
export function describeFailure(error: unknown): { readonly code: string; readonly text: string } {
  if (error instanceof VenueError) return { code: error.code, text: error.message };
  return { code: '', text: error instanceof Error ? error.message : String(error) };
}
