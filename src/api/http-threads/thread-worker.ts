/**
 * An HTTP thread: sockets, TLS, HTTP, bodies and slow readers. What it has read goes to
 * the market thread, what that answers goes out; it judges nothing itself.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { present } from '#kernel';
import { LoopLag } from '../bounds/loop-lag.ts';
import { Front } from './front.ts';
import type { ThreadTerms, ToThread } from './messages.ts';

const NOTE_INTERVAL_MS = 500;

const port = present(parentPort, 'port of a worker');
const terms: ThreadTerms = workerData;
const front = new Front(terms, (messages) => port.postMessage(messages));
port.on('message', (messages: readonly ToThread[]) => front.hear(messages));

const lag = new LoopLag();
setInterval(() => Atomics.store(terms.lagMs, 0, Math.round(lag.lagMs)), NOTE_INTERVAL_MS).unref();
