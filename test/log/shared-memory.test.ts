/** The shared log in memory does what every shared log must. */
import { sharedLogContract } from './shared-contract.ts';
import { memoryPlace } from './shared-places.ts';

sharedLogContract('memory', memoryPlace);
