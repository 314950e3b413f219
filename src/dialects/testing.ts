/** The dialects' door for tests: what a benchmark of batches runs without a server. */
export { settleBatch } from './batch.ts';
