/** The shape of what a step can do and of what an expectation can look at, and its outcome. */

import type { Static, TObject, TRecord, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { assert } from '#kernel';
import { meets } from './compare.ts';
import type { Miss } from './miss.ts';
import type { Stage } from './stage.ts';

/** One line about what was done, and what was not as expected. */
export interface Outcome {
  readonly said: string;
  readonly misses: readonly Miss[];
}

/** What a step of a scenario can do. The content is what stands behind its name in the file. */
export interface Action {
  readonly name: string;
  /** What it does, for the page of the language. */
  readonly summary: string;
  /** A whole step, for the page of the language. */
  readonly example: string;
  readonly schema: TSchema;
  run(content: unknown, stage: Stage): Promise<Outcome>;
}

interface ActionRow<S extends TSchema> {
  readonly summary: string;
  readonly example: string;
  readonly schema: S;
  readonly run: (content: Static<S>, stage: Stage) => Promise<Outcome | string>;
}

export function action<S extends TSchema>(name: string, row: ActionRow<S>): Action {
  const { schema } = row;
  return {
    name,
    summary: row.summary,
    example: row.example,
    schema,
    run: async (content, stage) => {
      assert(Check(schema, content), 'a step was checked when its file was read');
      const outcome = await row.run(content, stage);
      return typeof outcome === 'string' ? { said: outcome, misses: [] } : outcome;
    },
  };
}

/** Actual values by the name of the field that may expect them. */
export type Values = Readonly<Record<string, string>>;

/** What an expectation can look at. */
export interface Subject {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  readonly schema: TSchema;
  check(content: unknown, stage: Stage): Promise<readonly Miss[]>;
}

interface SubjectRow<S extends TObject | TRecord> {
  readonly summary: string;
  readonly example: string;
  /** Selectors and expected fields together. */
  readonly schema: S;
  readonly read: (content: Static<S>, stage: Stage) => Promise<Values>;
}

/** A subject whose fields, other than those it selects by, are held against what is read. */
export function subject<S extends TObject | TRecord>(
  name: string,
  selectors: readonly string[],
  row: SubjectRow<S>,
): Subject {
  const { schema, read } = row;
  return {
    name,
    summary: row.summary,
    example: row.example,
    schema,
    check: async (content, stage) => {
      assert(Check(schema, content), 'an expectation was checked when its file was read');
      const values = await read(content, stage);
      const wanted = Object.entries(content).filter(([key]) => !selectors.includes(key));
      return missesOf(wanted, values);
    },
  };
}

function missesOf(
  wanted: readonly (readonly [string, unknown])[],
  values: Values,
): readonly Miss[] {
  return wanted.flatMap(([key, given]) => {
    const expected = String(given);
    const actual = values[key] ?? 'nothing';
    return meets(expected, actual) ? [] : [{ place: [key], expected, actual }];
  });
}
