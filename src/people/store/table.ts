/**
 * A table described once: the statements that make it and the type of its rows follow. Lists are
 * text, yes and no are 1 and 0, and amounts are text, because a database would round them.
 */
import type { Generated } from 'kysely';

interface Values {
  readonly text: string;
  readonly text_or_none: string | null;
  readonly whole: number;
  readonly whole_or_none: number | null;
  readonly numbered: Generated<number>;
}

type Kind = keyof Values;

export const TEXT = 'text';
export const TEXT_OR_NONE = 'text_or_none';
export const WHOLE = 'whole';
export const WHOLE_OR_NONE = 'whole_or_none';
/** The database numbers the rows. */
export const NUMBERED = 'numbered';

/** Columns by the name of what they are for. */
type ByName = Readonly<Record<string, readonly string[]>>;

export interface Described {
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, Kind>>;
  readonly unique?: ByName;
  readonly indexes?: ByName;
}

/** A row as the database has it. */
export type RowOf<T extends Described> = {
  -readonly [Name in keyof T['columns']]: Values[T['columns'][Name]];
};
