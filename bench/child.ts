/** Runs one benchmark in a process of its own, so that none pays for the garbage of another. */
import { inlineMore } from '#venue';
import type { BenchResult } from './result.ts';

export type FromBenchmark =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'results'; readonly results: readonly BenchResult[] };

interface Benchmark {
  run(print: (line: string) => void): Promise<BenchResult[]>;
}

function tell(message: FromBenchmark): void {
  process.send?.(message);
}

const name = process.argv[2] ?? '';
// As a venue does once it is ready.
inlineMore();
const benchmark: Benchmark = await import(`./${name}.ts`);
tell({ kind: 'results', results: await benchmark.run((text) => tell({ kind: 'line', text })) });
process.disconnect();
