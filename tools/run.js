/** `node tools/run.js SCRIPT WORDS`: a tool of this checkout on a Node that can run it. */
import { pathToFileURL } from 'node:url';
import { runOnNode } from '../bin/node.js';

process.argv.splice(1, 1);
const [, script = '', ...words] = process.argv;
await runOnNode(pathToFileURL(script), words);
