/** One step of a scenario, as its file has it. */
import type { Action } from './action.ts';
import type { Place } from './miss.ts';

export interface Step {
  readonly action: Action;
  readonly content: unknown;
  /** Where the content is in the file. */
  readonly place: Place;
}
