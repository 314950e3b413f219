/** The reference page in a real browser: it shows the API, and reaches nothing of the desk. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage } from '../support/browser.ts';

const stage = closedAtEnd(await openStage());
// Made when first asked for.
await fetch(`${stage.venue.url}/docs/`);

test('the reference shows every chapter and complains of nothing', async () => {
  const { page, complaints, origins, close } = await stage.open('/docs/');
  await page.getByText('The clock of the venue').first().waitFor();
  for (const chapter of [
    'native',
    'spot market',
    'spot trade',
    'swap order',
    'operator',
    'sandbox',
  ]) {
    await page.getByText(chapter).first().waitFor({ state: 'attached' });
  }
  assert.deepEqual([...origins], [stage.venue.url]);
  assert.deepEqual(complaints, []);
  await close();
});

const FORBIDDEN = {
  'read a cookie': 'document.cookie',
  // From a timer: what the browser's own tools evaluate may evaluate.
  'evaluate text': `await new Promise((resolve, reject) => {
    setTimeout(() => { try { resolve(eval("1")); } catch (error) { reject(error); } });
  })`,
  'ask the venue': 'await fetch("/ui/venue").then((answer) => answer.text())',
  'open a stream': `await new Promise((resolve, reject) => {
    const socket = new WebSocket(location.origin.replace("http", "ws") + "/ws/v1");
    socket.onopen = resolve;
    socket.onerror = reject;
  })`,
} as const;

test('a script of the reference page has an origin of its own', async () => {
  const { page, close } = await stage.open('/docs/');
  await page.getByText('The clock of the venue').first().waitFor();
  assert.equal(await page.evaluate('self.origin'), 'null');
  for (const [name, deed] of Object.entries(FORBIDDEN)) {
    const outcome = page.evaluate(`(async () => { ${deed}; return 'done'; })()`);
    await assert.rejects(outcome, name);
  }
  await close();
});
