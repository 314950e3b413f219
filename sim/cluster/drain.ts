/** Lets everything that runs come to wait. Loaded before simulated time takes the place of it. */

const realSetImmediate = globalThis.setImmediate;

export function drain(): Promise<void> {
  return new Promise((resolve) => realSetImmediate(resolve));
}
