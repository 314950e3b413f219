/** The current dialect for the documents. */
import Type from 'typebox';
import { refuse } from '#domain';
import type { DocumentedDialect } from '../docs/documented.ts';
import { ACCESS_HEADERS } from '../kit/access-headers.ts';
import { CURRENT_CONTRACT_ENDPOINTS, CURRENT_SPOT_ENDPOINTS } from './endpoints.ts';
import { FRAME } from './frame.ts';
import { TIME_MS } from './spot-terms.ts';

export const DOCUMENTED_CURRENT: DocumentedDialect = {
  ...ACCESS_HEADERS,
  tables: { currentSpot: CURRENT_SPOT_ENDPOINTS, currentContract: CURRENT_CONTRACT_ENDPOINTS },
  // /api/v3/market/depth is listed under "current spot market".
  chapter: (path) => {
    const [, area, , group = '', ...deeper] = path.split('/');
    const product = area === 'capi' ? 'contract' : 'spot';
    return `current ${product} ${deeper.length > 0 ? group : 'general'}`;
  },
  frame: {
    success: (data) => data,
    successExample: (data) => data,
    refusal: Type.Object(
      {
        code: Type.Integer({ description: 'Below zero; docs/REJECTS.md has them all' }),
        msg: Type.Optional(Type.String({ description: 'What is wrong' })),
        message: Type.Optional(
          Type.String({ description: 'In place of msg with HTTP 429 and 5xx: try again later' }),
        ),
      },
      {
        title: 'Error',
        examples: [JSON.parse(FRAME.refusal(refuse('order_unknown'), TIME_MS).body)],
      },
    ),
  },
};
