/** What a scenario file expected, what came instead, and where in the file it says so. */

/** Below the content of a step: where in the file something is. */
export type Place = readonly (string | number)[];

/** A value differs from what the file expects. */
export interface Miss {
  readonly place: Place;
  readonly expected: string;
  readonly actual: string;
}
