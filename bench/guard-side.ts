/** What the guard asks of the process that measures one side. */

export type ToSide =
  /** Writes the journals that both sides read. */
  | { readonly kind: 'write'; readonly directory: string }
  | { readonly kind: 'measure'; readonly measure: SideMeasure; readonly directory: string };

export const SIDE_MEASURES = ['spot engine', 'contract engine', 'replay'] as const;
export type SideMeasure = (typeof SIDE_MEASURES)[number];
