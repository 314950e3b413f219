/** Door of the engine. */
export { Engine } from './engine.ts';
