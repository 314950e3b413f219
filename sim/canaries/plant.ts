/** Plants a fault: replaces a piece of a source file while it is loaded. */
import { registerHooks } from 'node:module';

export interface Patch {
  readonly file: string;
  readonly piece: string;
  readonly instead: string;
}

/** Calls back once it is planted. Fails loudly where the piece is not there, or more than once. */
export function plant({ file, piece, instead }: Patch, onPlanted: () => void): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(`/${file}`)) return loaded;
      const text = String(loaded.source);
      const count = text.split(piece).length - 1;
      if (count !== 1) throw new Error(`${file} has ${count} times: ${piece}`);
      onPlanted();
      return { ...loaded, source: text.replace(piece, () => instead) };
    },
  });
}
