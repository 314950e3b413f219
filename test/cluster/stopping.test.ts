/** A process of a cluster whose stop does not end: it ends by force, and says what held it. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { endWithin, Stopping } from '#server';

/** The exit code of a stop in which something never ends, and the last line of its log. */
async function forced(begin: (opened: AsyncDisposableStack) => void) {
  const lines: { readonly msg: string }[] = [];
  const log = pino({}, { write: (text: string) => lines.push(JSON.parse(text)) });
  const opened = new AsyncDisposableStack();
  const stopping = new Stopping();
  opened.defer(() => new Promise(() => undefined));
  stopping.name('the log', opened);
  opened.defer(() => undefined);
  stopping.name('streams', opened);
  begin(opened);
  // Something keeps a process alive whose stop does not end.
  const alive = setInterval(() => undefined, 1_000);
  const code = await new Promise<number>((end) => {
    endWithin(10, () => stopping.waitsFor, log, end);
  });
  clearInterval(alive);
  return { code, message: lines.at(-1)?.msg };
}

test('a stop that does not end has an exit code of its own and names what held it', async () => {
  const { code, message } = await forced((opened) => void opened.disposeAsync());
  assert.equal(code, 1);
  assert.equal(message, 'could not stop in order: the log did not end');
});

test('what was under way before the stop may hold it, too', async () => {
  const { code, message } = await forced(() => undefined);
  assert.equal(code, 1);
  assert.match(String(message), /what was under way before the stop did not end/);
});
