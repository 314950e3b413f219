/** What the operator's desk makes of the metrics: readings, rates, plots, and what it sends. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { admin } from '#client';
import { linesOf, nearest, scaleTop, spanMs } from '../../ui/src/ops/health/plot-shape.ts';
import { metricOf, readMetrics } from '../../ui/src/ops/health/prometheus.ts';
import {
  KEPT_MS,
  readReading,
  refusalCounts,
  type Sample,
  withReading,
} from '../../ui/src/ops/health/samples.ts';
import { changesOf, draftOf } from '../../ui/src/ops/instruments/contract-draft.ts';
import { bodyOf, EMPTY_FAULT } from '../../ui/src/ops/sandbox/fault-draft.ts';

const DURATION = 'outcry_request_duration_seconds';

/** A page of metrics after so many commands, calls of one route, and refusals. */
function page(seq: number, calls: number, slow: number, refusals: number, started = 1): string {
  const labels = 'method="POST",route="/orders",status="200"';
  const own = 'method="GET",route="/metrics",status="200"';
  return `# HELP outcry_released_seq Last command
outcry_released_seq ${seq}
outcry_gate_lag_commands 2
outcry_projection_lag_commands 3
outcry_halted 0
nodejs_eventloop_lag_p99_seconds 0.012
process_start_time_seconds ${started}
outcry_refusals_total{reject="rate_exceeded"} ${refusals}
${DURATION}_bucket{le="0.001",${labels}} ${calls - slow}
${DURATION}_bucket{le="0.5",${labels}} ${calls}
${DURATION}_bucket{le="+Inf",${labels}} ${calls}
${DURATION}_count{${labels}} ${calls}
${DURATION}_count{method="POST",route="/orders",status="429"} ${refusals}
${DURATION}_bucket{le="+Inf",${own}} 1000
${DURATION}_count{${own}} 1000
`;
}

test('metrics are read with labels, whatever stands in them', () => {
  const text = 'a_total{x="1,}",y="say \\"hi\\"\\n"} 2.5\na_total 3\nb 1\na_bad x\n';
  const metrics = readMetrics(text, ['a_']);
  assert.deepEqual(metrics.get('a_total'), [
    { labels: { x: '1,}', y: 'say "hi"\n' }, value: 2.5 },
    { labels: {}, value: 3 },
  ]);
  assert.deepEqual([...metrics.keys()], ['a_total']);
  assert.equal(metricOf(metrics, 'missing'), undefined);
});

test('two readings tell rates; what the desk itself asks is not counted', () => {
  const first = withReading([], readReading(page(100, 10, 0, 0), 1_000));
  const both = withReading(first, readReading(page(150, 210, 10, 4), 3_000));
  assert.deepEqual(
    both.map(({ commandsPerS, requestsPerS, refusalsPerS, requestP99Ms }) => [
      commandsPerS,
      requestsPerS,
      refusalsPerS,
      requestP99Ms,
    ]),
    [
      [undefined, undefined, undefined, undefined],
      [25, 102, 2, 500],
    ],
  );
  const last = both.at(-1);
  assert.deepEqual([last?.gateLag, last?.projectionLag, last?.loopDelayMs], [2, 3, 2]);
  assert.deepEqual(last?.routes.get('POST /orders'), { calls: 214, limited: 4 });
  assert.deepEqual(refusalCounts(both), [{ reject: 'rate_exceeded', lastMinute: 4, total: 4 }]);
});

test('after a restart or a gap there is no rate, and ten minutes are kept', () => {
  const first = withReading([], readReading(page(100, 10, 0, 9), 1_000));
  const restarted = withReading(first, readReading(page(5, 1, 0, 1, 2), 2_000));
  assert.equal(restarted.at(-1)?.commandsPerS, undefined);
  assert.deepEqual(refusalCounts(restarted), [
    { reject: 'rate_exceeded', lastMinute: 0, total: 1 },
  ]);
  const late = withReading(restarted, readReading(page(9, 1, 0, 1, 2), 60_000));
  assert.equal(late.at(-1)?.commandsPerS, undefined);
  const old = withReading(late, readReading(page(9, 1, 0, 1, 2), KEPT_MS + 2_500));
  assert.deepEqual(old.map(timeOf), [60_000, KEPT_MS + 2_500]);
});

const timeOf = ({ timeMs }: Sample): number => timeMs;

test('a plot is scaled to a round number and broken at gaps', () => {
  const points = [
    { timeMs: 0, value: 0 },
    { timeMs: 1_000, value: 30 },
    { timeMs: 2_000, value: undefined },
    { timeMs: 3_000, value: 15 },
    { timeMs: 30_000, value: 30 },
  ];
  assert.equal(scaleTop(points), 50);
  assert.equal(scaleTop([]), 1);
  assert.equal(spanMs(points), 60_000);
  assert.equal(spanMs([...points, { timeMs: 60_001, value: 1 }]), 120_000);
  const frame = { endMs: 30_000, lengthMs: 60_000, top: 50, width: 600, height: 100 };
  assert.deepEqual(
    linesOf(points, frame).map(({ line }) => line),
    ['M300 100L310 40', 'M330 70', 'M600 40'],
  );
  assert.equal(linesOf(points, frame)[0]?.area, 'M300 100L310 40L310 100L300 100Z');
  assert.equal(nearest(points, 20_000)?.timeMs, 30_000);
  assert.equal(nearest([], 1), undefined);
});

const CONTRACT: admin.InstrumentsAnswer['contracts'][number] = {
  symbol: 'BTC-USDT-PERP',
  kind: 'linear',
  base: 'BTC',
  quote: 'USDT',
  margin: 'USDT',
  contractValue: '0.001',
  priceScale: 1,
  quantityScale: 0,
  priceStep: '0.5',
  minQuantity: '1',
  maxQuantity: '1000',
  takerFee: '0.0006',
  makerFee: '0.0004',
  minLeverage: 1,
  maxLeverage: 100,
  tiers: [{ contracts: '1000', maintenanceRate: '0.005', maxLeverage: 100 }],
  priceBand: '0.05',
  markClamp: '0.03',
  openOrdersMax: 100,
  planOrdersMax: 100,
  presetsMax: 100,
  fundingTimes: ['07:00', '15:00'],
  fundingInterest: '0.0001',
  fundingClamp: '0.0005',
  fundingCap: '0.00375',
  impactQuantity: '1',
  index: {
    sources: [{ spot: 'BTC-USDT', weight: 1 }],
    staleSeconds: 60,
    outlier: '0.05',
    impactNotional: '10000',
    maxMove: '0.0005',
  },
  referencePrice: '30000',
  status: 'online',
  suspendedReason: '',
};

test('of the terms of a contract only what was changed is sent', () => {
  const base = draftOf(CONTRACT);
  assert.deepEqual(changesOf(base, base), {});
  const draft = {
    ...base,
    terms: { ...base.terms, takerFee: ' 0.0005 ' },
    fundingTimes: '08:00 16:00',
    tiers: [...base.tiers, ['2000', '0.01', '50']],
    sources: [...base.sources, ['', 'elsewhere', '2']],
  };
  assert.deepEqual(changesOf(base, draft), {
    takerFee: '0.0005',
    fundingTimes: ['08:00', '16:00'],
    tiers: [
      { contracts: '1000', maintenanceRate: '0.005', maxLeverage: '100' },
      { contracts: '2000', maintenanceRate: '0.01', maxLeverage: '50' },
    ],
    index: {
      sources: [
        { spot: 'BTC-USDT', weight: '1' },
        { feed: 'elsewhere', weight: '2' },
      ],
    },
  });
});

test('a fault rule has the fields of its effect and no others', () => {
  const effectOf = (kind: typeof EMPTY_FAULT.kind) =>
    Object.entries(bodyOf({ ...EMPTY_FAULT, kind })).find(([name]) => name === 'effect')?.[1];
  assert.deepEqual(effectOf('latency'), { kind: 'latency', ms: '500', jitterMs: '0' });
  assert.deepEqual(effectOf('delay_message'), { kind: 'delay_message', ms: '500' });
  assert.deepEqual(effectOf('rate_limited'), { kind: 'rate_limited', retryAfterMs: '1000' });
  assert.deepEqual(effectOf('server_error'), { kind: 'server_error', status: '503' });
  assert.deepEqual(effectOf('no_answer'), { kind: 'no_answer' });
});
