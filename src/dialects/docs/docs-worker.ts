/** The thread that makes the files of the documentation, hands them over and ends. */

import { parentPort } from 'node:worker_threads';
import { present } from '#kernel';
import { DOCUMENTED } from './dialects.ts';
import { buildDocsFiles } from './files.ts';

present(parentPort, 'port of a worker').postMessage(await buildDocsFiles(DOCUMENTED));
