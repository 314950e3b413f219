/** The house's own API for the documents. */
import Type from 'typebox';
import { refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';
import { TIME_MS } from '../kit/examples.ts';
import { NATIVE_ENDPOINTS } from './endpoints.ts';
import { FRAME } from './frame.ts';
import { FAILURE } from './results.ts';
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
        error: FAILURE,
      },
      {
        title: 'OwnError',
        examples: [JSON.parse(FRAME.refusal(refuse('order_unknown'), TIME_MS).body)],
      },
    ),
  },
};
