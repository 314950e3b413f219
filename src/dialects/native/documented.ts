/** The house's own API for the documents. */
import Type from 'typebox';
import { refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';
import { TIME_MS } from '../kit/examples.ts';
import { NATIVE_ENDPOINTS } from './endpoints.ts';
import { FRAME } from './frame.ts';
import { NATIVE_HEADERS } from './signing.ts';

export const DOCUMENTED_NATIVE: DocumentedDialect = {
  ...NATIVE_HEADERS,
  tables: { native: NATIVE_ENDPOINTS },
  chapter: () => 'native',
  frame: {
    success: (data) => data,
    successExample: (data) => data,
    refusal: Type.Object(
      {
        error: Type.Object({
          kind: Type.String({ description: 'Which refusal: docs/REJECTS.md has them all' }),
          message: Type.String({ description: 'What is wrong, for a person' }),
          figures: Type.Record(Type.String(), Type.String(), {
            description: 'Exact figures by name: needed, has, min, max, coin, symbol, field',
          }),
          hint: Type.String({ description: 'What to do about it' }),
        }),
      },
      {
        title: 'OwnError',
        examples: [JSON.parse(FRAME.refusal(refuse('order_unknown'), TIME_MS).body)],
      },
    ),
  },
};
