/** Makes a request that is answered wrongly as small as it can be and still be answered so. */
import type { Sent } from './request.ts';

const TRIES_MAX = 200;
const SHORT = 8;

/** The request itself when it is not answered so again. */
export async function shrunk(
  sent: Sent,
  failsAgain: (smaller: Sent) => Promise<boolean>,
): Promise<Sent> {
  let smallest = sent;
  let triesLeft = TRIES_MAX;
  for (;;) {
    const smaller = await firstThat(smallerOnes(smallest), async (one) => {
      triesLeft -= 1;
      return triesLeft >= 0 && (await failsAgain(one));
    });
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

async function firstThat<T>(
  values: Iterable<T>,
  holds: (value: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const value of values) {
    if (await holds(value)) return value;
  }
  return undefined;
}

function* smallerOnes(sent: Sent): Generator<Sent> {
  const { headers, target, body, isChunked } = sent;
  if (isChunked) yield { ...sent, isChunked: false };
  for (const at of headers.keys()) yield { ...sent, headers: headers.toSpliced(at, 1) };
  const [path = '', query] = target.split('?', 2);
  const pairs = query?.split('&') ?? [];
  for (const at of pairs.keys()) {
    const rest = pairs.toSpliced(at, 1).join('&');
    yield { ...sent, target: rest === '' ? path : `${path}?${rest}` };
  }
  if (body !== undefined)
    for (const smaller of smallerBodies(body)) yield { ...sent, body: smaller };
}

function* smallerBodies(body: string): Generator<string> {
  const fields = fieldsOf(body);
  if (fields === undefined) {
    if (body.length > SHORT) yield body.slice(0, body.length / 2);
    return;
  }
  const entries = Object.entries(fields);
  for (const at of entries.keys()) yield written(entries.toSpliced(at, 1));
  for (const [at, [name, value]] of entries.entries()) {
    if (typeof value === 'string' && value.length > SHORT) {
      yield written(entries.with(at, [name, value.slice(0, value.length / 2)]));
    }
    if (Array.isArray(value) && value.length > 1) {
      yield written(entries.with(at, [name, value.slice(0, value.length / 2)]));
    }
  }
}

function written(entries: readonly (readonly [string, unknown])[]): string {
  return JSON.stringify(Object.fromEntries(entries));
}

function fieldsOf(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    const isFields = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isFields ? value : undefined;
  } catch {
    return undefined;
  }
}
