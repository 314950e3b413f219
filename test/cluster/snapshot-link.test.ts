/** A process that joins asks a member that says nothing any more, and does not wait for it long. */
import { strict as assert } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { askForSnapshot, Doorkeeper, HELLO_PATH } from '#cluster/testing';

const SILENCE_MAX_MS = 100;

/** What a member is asked that answers so, or not at all. */
async function asked(answer: (response: ServerResponse) => void): Promise<string> {
  const doorkeeper = new Doorkeeper('secret');
  const server = createServer((request, response) => {
    if (request.url === HELLO_PATH) doorkeeper.hello(request, response);
    else answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  doorkeeper.standAt(`ws://127.0.0.1:${port}`);
  try {
    const sent = await askForSnapshot(`ws://127.0.0.1:${port}`, 'secret', SILENCE_MAX_MS);
    let text = '';
    for await (const piece of sent?.bytes ?? []) text += Buffer.from(piece).toString();
    return sent === undefined ? 'nothing' : `${sent.seq}: ${text}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('a snapshot comes whole, and a member without one says so', async () => {
  const whole = (response: ServerResponse): void => {
    response.setHeader('outcry-seq', '12').end('rows');
  };
  assert.equal(await asked(whole), '12: rows');
  const none = (response: ServerResponse): void => {
    response.writeHead(404).end();
  };
  assert.equal(await asked(none), 'nothing');
});

test('a member that is silent is given up, before its answer and within it', async () => {
  const silent = /it has said nothing for 100 ms/;
  assert.match(await asked(() => undefined), silent);
  const startedOnly = (response: ServerResponse): void => {
    response.setHeader('outcry-seq', '12').write('ro');
  };
  assert.match(await asked(startedOnly), silent);
});
