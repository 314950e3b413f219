/** The classic dialect for the documents. */

import type { DocumentedDialect } from '../docs/documented.ts';
import { ACCESS_HEADERS } from '../kit/access-headers.ts';
import { DOCUMENTED_FRAME } from '../kit/documented-frame.ts';
import { SPOT_ENDPOINTS, SWAP_ENDPOINTS } from './endpoints.ts';

export const DOCUMENTED_CLASSIC: DocumentedDialect = {
  tables: { spot: SPOT_ENDPOINTS, swap: SWAP_ENDPOINTS },
  ...ACCESS_HEADERS,
  // /api/spot/v1/market/depth is listed under "spot market".
  chapter: (path) => {
    const [, , area, , group] = path.split('/');
    return `${area} ${group}`;
  },
  frame: DOCUMENTED_FRAME,
};
