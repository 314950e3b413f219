/** How a family of examples is worked out: by which rules, and each figure by name. */
import type { Computed, Example } from './example.ts';
import type { Rules } from './reference.ts';

export type Figures = Readonly<Record<string, Computed>>;

export interface Reading {
  readonly ids: readonly string[];
  /** Where the exchange does otherwise than we do; empty when its rule is ours. */
  readonly switches: Partial<Rules>;
  readonly compute: (example: Example, rules: Rules) => Figures;
}
