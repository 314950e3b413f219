/**
 * A venue with a certificate of its own, which openssl makes: HTTP threads speak TLS, and so does
 * the listener of the operator, which has none.
 */
import { strict as assert } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { scratchDirectory } from '../support/scratch.ts';
import { startHere } from '../support/server-here.ts';

test('a venue with a certificate speaks TLS on both listeners', async (context) => {
  const directory = scratchDirectory(context);
  const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', '/CN=venue', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', [...words.split(' '), ...names, ...files], { stdio: 'ignore' });
  const adminListener = { host: '127.0.0.1', port: 0 };
  const server = await startHere({ server: { tls: { cert, key }, adminListener, httpThreads: 2 } });
  const ca = readFileSync(cert);
  try {
    for (const url of [server.url, server.operatorUrl]) {
      assert.match(url, /^https:/);
      const { port } = new URL(url);
      const options = { host: '127.0.0.1', port, ca, agent: false };
      const request = httpsRequest({ ...options, path: '/health/live' }).end();
      const [reply]: IncomingMessage[] = await once(request, 'response');
      assert.equal(reply?.resume().statusCode, 200);
      const socket = new WebSocket(`wss://127.0.0.1:${port}/ws/v1`, { ca });
      await once(socket, 'open');
      socket.send('ping');
      assert.equal(String((await once(socket, 'message'))[0]), 'pong');
      socket.terminate();
    }
  } finally {
    await server.close();
  }
});
