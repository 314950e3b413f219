/**
 * The files of the documentation, made once: the OpenAPI document, and a page that shows it with
 * the vendor's script. Runs on a thread of its own, because making them takes a second.
 */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import type { DocumentedDialect } from './documented.ts';
import { openApiText } from './openapi.ts';

/** A file as it is served: nothing about it depends on the request. */
export interface DocsFile {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
}

const SCRIPT = '/docs/js/scalar.js';
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const GZIP = { level: 9 };
const ETAG_CHARACTERS = 22;

/** A page to read: whatever would speak to another host or send a request is switched off. */
const CONFIGURATION = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideTestRequestButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/** Scripts are files, so that the policy of the page allows none in its text. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outcry API</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/js/storage.js"></script>
<script src="${SCRIPT}"></script>
<script src="/docs/js/page.js"></script>
</body>
</html>
`;

/** An origin of its own has no storage, and the vendor's script does not start without one. */
const STORAGE = `for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map();
  const value = {
    getItem: (key) => kept.get(String(key)) ?? null,
    setItem: (key, text) => void kept.set(String(key), String(text)),
    removeItem: (key) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (at) => [...kept.keys()][at] ?? null,
    get length() { return kept.size; },
  };
  Object.defineProperty(window, name, { value });
}
`;

export async function buildDocsFiles(dialects: readonly DocumentedDialect[]): Promise<DocsFile[]> {
  const document = openApiText(dialects);
  const start = `Scalar.createApiReference('#reference', ${JSON.stringify({
    ...CONFIGURATION,
    content: JSON.parse(document),
  })});\n`;
  return [
    docsFile('/openapi.json', JSON_TYPE, document),
    docsFile('/docs/openapi.json', JSON_TYPE, document),
    docsFile('/docs/', 'text/html; charset=utf-8', PAGE),
    docsFile('/docs/js/storage.js', SCRIPT_TYPE, STORAGE),
    docsFile('/docs/js/page.js', SCRIPT_TYPE, start),
    docsFile(SCRIPT, SCRIPT_TYPE, await vendorScript()),
  ];
}

function docsFile(path: string, type: string, text: string): DocsFile {
  const plain = Buffer.from(text);
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, ETAG_CHARACTERS);
  return { path, type, etag: `W/"${digest}"`, plain, gzip: gzipSync(plain, GZIP) };
}

/** The package gives its script to a framework only, so a framework asks for it once. */
async function vendorScript(): Promise<string> {
  const reference = await import('@scalar/fastify-api-reference');
  const app = Fastify({ exposeHeadRoutes: false });
  const content = { openapi: '3.1.0', info: { title: 'Outcry', version: '1' }, paths: {} };
  await app.register(reference.default, { routePrefix: '/docs', configuration: { content } });
  const { statusCode, payload } = await Promise.resolve(app.inject(SCRIPT));
  await app.close();
  if (statusCode !== 200) throw new Error(`the reference page has no script: ${statusCode}`);
  return payload;
}
