/**
 * Traces of calls over OTLP/HTTP, for operators who have a collector. A venue without one loads
 * nothing of it. Each call is a span with two parts: until its caller was admitted, and until it
 * was answered. Whether a call is sampled is decided here: what a caller says of its own trace
 * names the trace and no more, so that nobody outside can have everything recorded.
 */
import type { CallWatcher, EndedCall } from '#api';
import type { TracingConfig } from '#config';

/** What a W3C trace context is made of; its flags are the caller's wish. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
const SAMPLED = 1;
/** Spans that wait for the collector; beyond it they are dropped. */
const WAITING_SPANS_MAX = 8_192;
/** A stop waits no longer for a collector that does not answer. */
const FLUSH_MAX_MS = 2_000;
const SERVER_FAULT_STATUS = 500;

export interface Tracing {
  readonly onCall: CallWatcher;
  /** Sends what is waiting. */
  close(): Promise<void>;
}

export interface TracedProcess {
  readonly version: string;
  /** Which process of the venue this is. */
  readonly instance: string;
}

export async function startTracing(
  { url, sampleRatio }: TracingConfig,
  { version, instance }: TracedProcess,
): Promise<Tracing> {
  const [api, sdk, resources, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: FLUSH_MAX_MS });
  const provider = new sdk.TracerProvider({
    sampler: new sdk.AlwaysOnSampler(),
    resource: resources.resourceFromAttributes({
      'service.name': 'outcry',
      'service.version': version,
      'service.instance.id': instance,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, maxQueueSize: WAITING_SPANS_MAX })],
  });
  const tracer = provider.getTracer('outcry', version);
  const onCall = (call: EndedCall): void => {
    // Not by the id of the trace, which a caller may choose.
    if (Math.random() >= sampleRatio) return;
    const { startMs, endMs, admittedMs = endMs } = call;
    const parent = parentOf(call);
    const outside = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const name = call.route === '' ? call.method : `${call.method} ${call.route}`;
    const attributes = attributesOf(call);
    const options = { kind: SpanKind.SERVER, startTime: startMs, attributes };
    const span = tracer.startSpan(name, options, outside);
    const inside = trace.setSpan(ROOT_CONTEXT, span);
    tracer.startSpan('admit', { startTime: startMs }, inside).end(admittedMs);
    if (call.admittedMs !== undefined) {
      tracer.startSpan('answer', { startTime: admittedMs }, inside).end(endMs);
    }
    if (call.status >= SERVER_FAULT_STATUS) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(endMs);
  };
  const close = async (): Promise<void> => {
    const timer = Promise.withResolvers<void>();
    const late = setTimeout(timer.resolve, FLUSH_MAX_MS);
    await Promise.race([provider.shutdown().catch(() => undefined), timer.promise]);
    clearTimeout(late);
  };
  return { onCall, close };
}

/** By the names of the semantic conventions for HTTP. */
function attributesOf({ method, route, status, requestId }: EndedCall) {
  return {
    'http.request.method': method,
    'http.response.status_code': status,
    ...(route !== '' && { 'http.route': route }),
    'outcry.request_id': requestId,
  };
}

/** Zeroes name nothing. */
function parentOf({ traceparent = '' }: EndedCall) {
  const [, traceId = '', spanId = ''] = TRACEPARENT.exec(traceparent) ?? [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: SAMPLED, isRemote: true };
}
