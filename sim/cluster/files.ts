/**
 * The files of one simulated machine. What was written and not synced may be lost in a power cut,
 * in whole or from some byte on; so may a name whose directory was not synced.
 */
import { dirname } from 'node:path';
import type { Draw } from '../world/draw.ts';

export class File {
  bytes: Buffer = Buffer.alloc(0);
  /** As much of it as is on the disk for sure. */
  synced: Buffer = Buffer.alloc(0);

  write(at: number, piece: Uint8Array): void {
    const size = Math.max(this.bytes.length, at + piece.length);
    const grown = Buffer.alloc(size);
    this.bytes.copy(grown);
    grown.set(piece, at);
    this.bytes = grown;
  }

  sync(): void {
    this.synced = this.bytes;
  }
}

export class Files {
  readonly names = new Map<string, File>();
  readonly folders = new Set<string>();
  #durable = new Map<string, File>();
  isFull = false;

  /** The names that a power cut cannot take. */
  get durableNames(): Iterable<string> {
    return this.#durable.keys();
  }

  syncFolder(folder: string): void {
    const isOther = ([name]: readonly [string, File]): boolean => dirname(name) !== folder;
    const here = [...this.names].filter((one) => !isOther(one));
    this.#durable = new Map([...[...this.#durable].filter(isOther), ...here]);
  }

  powerCut(draw: Draw): void {
    if (draw.percent(50)) {
      this.names.clear();
      for (const [name, file] of this.#durable) this.names.set(name, file);
    }
    for (const file of this.names.values()) {
      if (file.synced === file.bytes) continue;
      const kept = file.synced.length === 0 ? draw.below(file.bytes.length + 1) : 0;
      file.bytes = kept > 0 ? file.bytes.subarray(0, kept) : file.synced;
      file.sync();
    }
    this.#durable = new Map(this.names);
  }

  wipe(): void {
    this.names.clear();
    this.folders.clear();
    this.#durable = new Map();
  }
}
