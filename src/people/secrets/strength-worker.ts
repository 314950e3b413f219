/**
 * A thread that estimates how many guesses a password takes: loading the words that people choose,
 * and one estimate, take longer than the market can wait.
 */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { present } from '#kernel';
import type { AskedStrength, FoundStrength } from './strength.ts';

/** What one estimate costs grows with its length and with what its signs may stand for. */
const LENGTH_MAX = 32;
const SUBSTITUTIONS_MAX = 64;

const port = present(parentPort, 'port of the thread');
const estimator = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  maxLength: LENGTH_MAX,
  l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
});

port.on('message', ({ id, password }: AskedStrength) => {
  const { guesses } = estimator.check([...password].slice(0, LENGTH_MAX).join(''));
  const found: FoundStrength = { id, guesses };
  port.postMessage(found);
});
