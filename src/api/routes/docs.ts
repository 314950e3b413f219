/**
 * The OpenAPI document and a page to read it. Both come from a second application that knows only
 * the tables of endpoints, is built when somebody first asks, and fetches nothing from anywhere.
 */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { type Endpoint, refusalBody, refuse } from '#wire';

const PAGE_POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; " +
  "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
  "connect-src 'self'; worker-src 'self' blob:";

/** A page to read: whatever would speak to another host is switched off. */
const PAGE = {
  pageTitle: 'Outcry API',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/** Adds GET /openapi.json and GET /docs. */
export function addDocsRoutes(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  let built: Promise<FastifyInstance> | undefined;
  const pass = async (request: FastifyRequest, reply: FastifyReply) => {
    built ??= buildDocs(endpoints);
    const docs = await built;
    const url = request.url === '/openapi.json' ? '/docs/openapi.json' : request.url;
    const answer = await Promise.resolve(docs.inject({ method: 'GET', url }));
    return reply
      .code(answer.statusCode)
      .header('content-type', answer.headers['content-type'])
      .header('content-security-policy', PAGE_POLICY)
      .send(answer.rawPayload);
  };
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 301));
  for (const path of ['/openapi.json', '/docs/', '/docs/openapi.json', '/docs/js/scalar.js']) {
    app.get(path, pass);
  }
  app.addHook('onClose', async () => {
    await (await built)?.close();
  });
}

async function buildDocs(endpoints: readonly Endpoint[]): Promise<FastifyInstance> {
  const [swagger, reference] = await Promise.all([
    import('@fastify/swagger'),
    import('@scalar/fastify-api-reference'),
  ]);
  const docs = Fastify({ exposeHeadRoutes: false });
  // Nothing is served through these routes, so nothing has to be compiled for them.
  docs.setValidatorCompiler(() => () => true);
  docs.setSerializerCompiler(() => (data) => JSON.stringify(data));
  const buildLocalReference = ({ $id }: { readonly $id?: string }) => String($id);
  await docs.register(swagger.default, { openapi: DOCUMENT, refResolver: { buildLocalReference } });
  docs.addSchema(REFUSAL);
  for (const endpoint of endpoints) describe(docs, endpoint);
  await docs.register(reference.default, {
    routePrefix: '/docs',
    configuration: PAGE,
  });
  await docs.ready();
  return docs;
}

const DOCUMENT = {
  openapi: '3.1.0' as const,
  info: { title: 'Outcry', version: '1', description: 'Spot and contract trading over HTTP.' },
  components: {
    securitySchemes: {
      signature: {
        type: 'apiKey' as const,
        in: 'header' as const,
        name: 'ACCESS-SIGN',
        description:
          'With ACCESS-KEY, ACCESS-TIMESTAMP (milliseconds) and ACCESS-PASSPHRASE. The signature ' +
          'is base64 of HMAC-SHA256 over timestamp + METHOD + path with query + body.',
      },
      operator: { type: 'http' as const, scheme: 'bearer' },
    },
  },
};

const EXAMPLE_TIME_MS = 1_795_235_652_453;

const REFUSAL = Type.Object(
  {
    code: Type.String({ description: 'Digits; docs/REJECTS.md has them all' }),
    msg: Type.String({ description: 'What is wrong and, after a colon, the value it is about' }),
    message: Type.String({ description: 'The same' }),
    requestTime: Type.Integer({ description: 'Unix time in milliseconds' }),
    data: Type.Null(),
  },
  {
    $id: 'Refusal',
    title: 'Refusal',
    examples: [JSON.parse(refusalBody(refuse('order_unknown'), EXAMPLE_TIME_MS))],
  },
);

function refused(description: string): object {
  return { description, $ref: 'Refusal#' };
}

function describe(docs: FastifyInstance, endpoint: Endpoint): void {
  const { method, path, summary, request, permission, rate } = endpoint;
  const scheme = permission === 'operator' ? 'operator' : 'signature';
  docs.route({
    method,
    url: path,
    schema: {
      summary,
      tags: [chapter(path)],
      ...(method === 'GET' ? { querystring: request } : { body: request }),
      response: {
        200: endpoint.bare ? bare(endpoint) : envelope(endpoint),
        '4xx': refused('Refused: the call changed nothing'),
        '5xx': refused('The venue cannot answer now'),
      },
      security: permission === 'none' ? [] : [{ [scheme]: [] }],
      'x-rate-limit': rate,
      'x-permission': permission,
    },
    handler: async () => undefined,
  });
}

/** /api/spot/v1/market/depth is told under "spot market", all of /admin/v1 under "operator". */
function chapter(path: string): string {
  const [, first, area, , group] = path.split('/');
  if (first === 'sandbox') return 'sandbox';
  return first === 'admin' ? 'operator' : `${area} ${group}`;
}

function bare({ response, example }: Endpoint): TSchema {
  return { ...response, examples: [example.data] };
}

function envelope({ response, example }: Endpoint): TSchema {
  return Type.Object(
    {
      code: Type.Literal('00000'),
      msg: Type.Literal('success'),
      message: Type.Literal('success'),
      requestTime: Type.Integer({ description: 'Unix time in milliseconds' }),
      data: response,
    },
    { examples: [{ code: '00000', msg: 'success', message: 'success', data: example.data }] },
  );
}
