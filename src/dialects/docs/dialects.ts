/** The dialects that are documented, in the order of the document. */
import { ADMIN_ENDPOINTS } from '../admin/dialect.ts';
import { DOCUMENTED_CLASSIC } from '../classic/documented.ts';
import { DOCUMENTED_FRAME } from '../classic/documented-frame.ts';
import { DOCUMENTED_CURRENT } from '../current/documented.ts';
import { SANDBOX_ENDPOINTS } from '../sandbox/dialect.ts';
import type { DocumentedDialect } from './documented.ts';

const DOCUMENTED_OPERATOR: Omit<DocumentedDialect, 'tables' | 'chapter'> = {
  authentication: 'Operator and sandbox calls carry `Authorization: Bearer` and the admin token.',
  securitySchemes: {
    operator: { type: 'http', scheme: 'bearer', description: 'The admin token of the venue' },
  },
  frame: DOCUMENTED_FRAME,
};

export const DOCUMENTED: readonly DocumentedDialect[] = [
  DOCUMENTED_CLASSIC,
  DOCUMENTED_CURRENT,
  { ...DOCUMENTED_OPERATOR, tables: { admin: ADMIN_ENDPOINTS }, chapter: () => 'operator' },
  { ...DOCUMENTED_OPERATOR, tables: { sandbox: SANDBOX_ENDPOINTS }, chapter: () => 'sandbox' },
];
