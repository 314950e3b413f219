/** The dialects that are documented, in the order of the document. */
import { ADMIN_ENDPOINTS } from '../admin/dialect.ts';
import { DOCUMENTED_CLASSIC } from '../classic/documented.ts';
import { COMPETITION_ENDPOINTS, COMPETITION_OPERATOR_ENDPOINTS } from '../competition/dialect.ts';
import { DOCUMENTED_CURRENT } from '../current/documented.ts';
import { DOCUMENTED_FRAME } from '../kit/documented-frame.ts';
import { DOCUMENTED_NATIVE } from '../native/documented.ts';
import { PEOPLE_ENDPOINTS, PEOPLE_OPERATOR_ENDPOINTS } from '../people/dialect.ts';
import { SANDBOX_ENDPOINTS } from '../sandbox/dialect.ts';
import type { DocumentedDialect } from './documented.ts';
import { openApiText } from './openapi.ts';

const DOCUMENTED_OPERATOR: Omit<DocumentedDialect, 'tables' | 'chapter'> = {
  authentication: 'Operator and sandbox calls carry `Authorization: Bearer` and the admin token.',
  securitySchemes: {
    operator: { type: 'http', scheme: 'bearer', description: 'The admin token of the venue' },
  },
  frame: DOCUMENTED_FRAME,
};

const DOCUMENTED_PEOPLE: DocumentedDialect = {
  tables: { people: PEOPLE_ENDPOINTS },
  authentication:
    'Calls of people carry the cookie of a session, and `X-CSRF-Token` whenever they change ' +
    'something. With `X-Outcry-Account` a session makes signed calls without a key.',
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'outcry-session',
      description: '`__Host-outcry-session` over TLS; set by a sign-in',
    },
    csrfToken: {
      type: 'apiKey',
      in: 'header',
      name: 'X-CSRF-Token',
      description: 'The csrfToken of the session, for what is not GET',
    },
  },
  chapter: () => 'people',
  frame: DOCUMENTED_FRAME,
};

export const DOCUMENTED: readonly DocumentedDialect[] = [
  DOCUMENTED_NATIVE,
  DOCUMENTED_CLASSIC,
  DOCUMENTED_CURRENT,
  { ...DOCUMENTED_OPERATOR, tables: { admin: ADMIN_ENDPOINTS }, chapter: () => 'operator' },
  DOCUMENTED_PEOPLE,
  {
    ...DOCUMENTED_OPERATOR,
    tables: { people_admin: PEOPLE_OPERATOR_ENDPOINTS },
    chapter: () => 'operator people',
  },
  {
    ...DOCUMENTED_PEOPLE,
    tables: { competition: COMPETITION_ENDPOINTS },
    chapter: () => 'competitions',
  },
  {
    ...DOCUMENTED_OPERATOR,
    tables: { competition_admin: COMPETITION_OPERATOR_ENDPOINTS },
    chapter: () => 'operator competitions',
  },
  { ...DOCUMENTED_OPERATOR, tables: { sandbox: SANDBOX_ENDPOINTS }, chapter: () => 'sandbox' },
];

/** All of them as one OpenAPI document, as text. */
export function openApiDocument(): string {
  return openApiText(DOCUMENTED);
}
