/** The thread that makes the files of the documentation, hands them over and ends. */

import { parentPort } from 'node:worker_threads';
import { present } from '#kernel';
import { ADMIN_ENDPOINTS } from '../admin/dialect.ts';
import { SPOT_ENDPOINTS, SWAP_ENDPOINTS } from '../classic/endpoints.ts';
import { SANDBOX_ENDPOINTS } from '../sandbox/dialect.ts';
import { buildDocsFiles } from './files.ts';

const files = await buildDocsFiles({
  spot: SPOT_ENDPOINTS,
  swap: SWAP_ENDPOINTS,
  admin: ADMIN_ENDPOINTS,
  sandbox: SANDBOX_ENDPOINTS,
});
present(parentPort, 'port of a worker').postMessage(files);
