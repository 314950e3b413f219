/** Each call has an id, in its answer and in every line of the log about it; traces are as told. */
import { strict as assert } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { scratchDirectory } from '../support/scratch.ts';
import { type ServerHere, startHere } from '../support/server-here.ts';

const MAIN = resolve(import.meta.dirname, '../../src/app/main.ts');
const TIME = '/api/spot/v1/public/time';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

/** A collector of OTLP over HTTP on a socket of its own. */
async function collector(context: TestContext) {
  const spans: Span[] = [];
  const resources: object[] = [];
  const server = createServer(async (request, response) => {
    assert.equal(request.headers['content-type'], 'application/json');
    const { resourceSpans } = (await json(request)) as Sent;
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(valuesOf(resource.attributes));
      for (const one of scopeSpans) spans.push(...one.spans);
    }
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  context.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { spans, resources, url: `http://127.0.0.1:${port}/v1/traces` };
}

function valuesOf(attributes: Span['attributes']): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

async function serving(context: TestContext, config: string): Promise<ServerHere> {
  const file = join(scratchDirectory(context), 'venue.yaml');
  writeFileSync(file, config);
  const here = await startHere({ config: file });
  context.after(() => here.stop());
  return here;
}

test('each answer names its call, and no two have one name', async (context) => {
  const { url } = await serving(context, '{}');
  const ids = await Promise.all(
    [TIME, TIME, '/api/nowhere', `${TIME}?x=${'y'.repeat(9_000)}`].map(async (path) => {
      const answer = await fetch(url + path, { headers: { 'x-request-id': 'chosen-by-caller' } });
      return answer.headers.get('x-request-id');
    }),
  );
  assert.equal(new Set(ids).size, ids.length, ids.join(' '));
  for (const id of ids) assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-z]+$/);
});

test('calls leave a trace with two parts, in the trace that the caller names', async (context) => {
  const { url, spans, resources } = await collector(context);
  const here = await serving(context, `tracing: { url: "${url}", sampleRatio: 1 }`);
  const traceparent = `00-${TRACE}-${PARENT}-00`;
  const answer = await fetch(here.url + TIME, { headers: { traceparent } });
  const refused = await fetch(`${here.url}/api/spot/v1/account/assets`);
  await here.close();
  const roots = spans.filter(({ name }) => name.includes('/api/'));
  assert.deepEqual(
    roots.map(({ name, kind }) => [name, kind]),
    [
      [`GET ${TIME}`, 2],
      ['GET /api/spot/v1/account/assets', 2],
    ],
  );
  const [named, other] = roots;
  assert.ok(named !== undefined && other !== undefined);
  assert.deepEqual([named.traceId, named.parentSpanId], [TRACE, PARENT]);
  assert.notEqual(other.traceId, TRACE);
  assert.deepEqual(valuesOf(named.attributes), {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': TIME,
    'outcry.request_id': answer.headers.get('x-request-id'),
  });
  assert.equal(valuesOf(other.attributes)['http.response.status_code'], refused.status);
  const partsOf = ({ spanId }: Span) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  assert.deepEqual(
    partsOf(named)
      .map(({ name }) => name)
      .toSorted(),
    ['admit', 'answer'],
  );
  assert.deepEqual(
    partsOf(other).map(({ name }) => name),
    ['admit'],
    'nobody was admitted',
  );
  for (const span of spans) {
    assert.ok(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano), span.name);
  }
  const [resource] = resources;
  assert.equal(Object(resource)['service.name'], 'outcry');
});

test('what a caller says of its trace has to be one', async (context) => {
  const { url, spans } = await collector(context);
  const here = await serving(context, `tracing: { url: "${url}", sampleRatio: 1 }`);
  const none = '0'.repeat(32);
  const said = ['', 'x', `00-${none}-${PARENT}-01`, `01-${TRACE}-${PARENT}-01`, 'y'.repeat(4_000)];
  for (const traceparent of said) await fetch(here.url + TIME, { headers: { traceparent } });
  await here.close();
  const roots = spans.filter(({ name }) => name === `GET ${TIME}`);
  assert.equal(roots.length, said.length);
  for (const { traceId, parentSpanId = '' } of roots) {
    assert.notEqual(traceId, TRACE);
    assert.equal(parentSpanId, '');
  }
});

test('a ratio of zero leaves no trace, whatever the caller wishes', async (context) => {
  const { url, spans } = await collector(context);
  const here = await serving(context, `tracing: { url: "${url}", sampleRatio: 0 }`);
  const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
  for (let count = 0; count < 20; count += 1) await fetch(here.url + TIME, { headers });
  await here.close();
  assert.deepEqual(spans, []);
});

test('a collector that is not there holds up neither calls nor the stop', async (context) => {
  const here = await serving(context, 'tracing: { url: "http://127.0.0.1:9/", sampleRatio: 1 }');
  assert.equal((await fetch(here.url + TIME)).status, 200);
  await here.close();
});

/** Says on standard error which modules of the tracing are loaded. */
const TELLING = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (url.includes('opentelemetry/sdk-trace')) process.stderr.write('LOADED ' + url + '\\n');
      return next(url, context);
    },
  });`)}`;

for (const [is, config] of [
  ['is not', '{}'],
  ['is', 'tracing: { url: "http://127.0.0.1:9/" }'],
] as const) {
  test(`the tracing ${is} loaded by a venue with ${config}`, async (context) => {
    const file = join(scratchDirectory(context), 'venue.yaml');
    writeFileSync(file, config);
    const words = ['serve', '--config', file, '--port', '0', '--json', '--ephemeral'];
    const child = spawn(process.execPath, ['--import', TELLING, MAIN, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    context.after(() => child.kill('SIGKILL'));
    const said = text(child.stderr);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await once(child, 'close');
    assert.equal(/^LOADED/m.test(await said), is === 'is', await said);
  });
}
