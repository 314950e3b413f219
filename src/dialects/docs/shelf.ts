/**
 * The files of the documentation as they are served: made on a thread of their own when a client
 * first asks, then kept, plain and compressed, for as long as the server runs.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocsFile } from './files.ts';

type KeptFile = Omit<DocsFile, 'plain' | 'gzip'> & {
  readonly plain: Buffer;
  readonly gzip: Buffer;
};

export class DocsShelf {
  #files: Promise<ReadonlyMap<string, KeptFile>> | undefined;
  #worker: Worker | undefined;

  /** Rejects when the files could not be made; the next call tries again. */
  async file(path: string): Promise<KeptFile | undefined> {
    this.#files ??= this.#make();
    try {
      return (await this.#files).get(path);
    } catch (error) {
      this.#files = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #make(): Promise<ReadonlyMap<string, KeptFile>> {
    const worker = new Worker(new URL('./docs-worker.ts', import.meta.url));
    this.#worker = worker;
    const ended = once(worker, 'exit').then(() => {
      throw new Error('the documentation was not made');
    });
    try {
      const [files]: DocsFile[][] = await Promise.race([once(worker, 'message'), ended]);
      return new Map((files ?? []).map((file) => [file.path, kept(file)]));
    } finally {
      ended.catch(() => undefined);
      this.#worker = undefined;
    }
  }
}

/** Views of what the thread handed over: nothing is copied. */
function kept({ plain, gzip, ...file }: DocsFile): KeptFile {
  return { ...file, plain: viewOf(plain), gzip: viewOf(gzip) };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
