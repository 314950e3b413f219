/** The thread that makes the files of the documentation, hands them over and ends. */
import { parentPort } from 'node:worker_threads';
import { present } from '#kernel';
import { ADMIN_ENDPOINTS, SANDBOX_ENDPOINTS, SPOT_ENDPOINTS, SWAP_ENDPOINTS } from '#wire';
import { buildDocsFiles } from './files.ts';

const files = await buildDocsFiles({
  spot: SPOT_ENDPOINTS,
  swap: SWAP_ENDPOINTS,
  admin: ADMIN_ENDPOINTS,
  sandbox: SANDBOX_ENDPOINTS,
});
present(parentPort, 'port of a worker').postMessage(files);
