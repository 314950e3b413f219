/** How a family of examples is worked out: each figure by name. */
import type { Computed, Example } from '../support/published-examples.ts';

export type Figures = Readonly<Record<string, Computed>>;

export interface Reading {
  readonly ids: readonly string[];
  readonly compute: (example: Example) => Figures;
}
