/**
 * The rooms of the house and who may look into which. A room is a folder of src with a door, its
 * mod.ts, that others reach as #room. The places below put rooms together or start the whole:
 * they have no door and no room imports them.
 */

/** What each room may import, in the order in which the house is built. */
export const ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kernel', []],
  ['domain', ['kernel']],
  ['engine', ['kernel', 'domain']],
  ['log', ['kernel', 'domain']],
  ['history', ['kernel', 'domain']],
  ['market-data', ['kernel', 'domain']],
  ['wire', ['kernel', 'domain']],
  ['venue', ['kernel', 'domain', 'engine', 'log', 'history', 'market-data']],
  ['api', ['kernel', 'domain', 'wire', 'history', 'market-data']],
  ['simulation', ['kernel', 'domain', 'wire', 'market-data']],
]);

interface Place {
  readonly rooms: readonly string[];
  readonly places: readonly string[];
}

/** The composition layer: which rooms each place may import, and which other places. */
export const PLACES: ReadonlyMap<string, Place> = new Map([
  ['config', { rooms: ['kernel', 'domain'], places: [] }],
  ['scenario', { rooms: ['kernel'], places: ['config'] }],
  ['server', { rooms: [...ROOMS.keys()], places: ['config', 'scenario'] }],
  ['cli', { rooms: [...ROOMS.keys()], places: ['config', 'server', 'scenario'] }],
  ['testing', { rooms: [], places: ['config', 'cli'] }],
  ['main', { rooms: [...ROOMS.keys()], places: ['config', 'server', 'cli', 'testing'] }],
]);

/** Rooms whose code must give the same result on every machine and at every replay. */
export const PURE_ROOMS: readonly string[] = ['kernel', 'domain', 'engine'];

/** Rooms that run in a browser as well: all that the pages may use of src. */
export const BROWSER_ROOMS: readonly string[] = ['kernel', 'domain'];

/** Whether a file is part of what is delivered, and not of what proves or builds it. */
export function isDelivered(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('ui/src/');
}

/** The room or place of a path: src/engine/book/book.ts is in engine, src/app/main.ts in main. */
export function homeOf(path: string): string | undefined {
  return folderOf(path)?.split('/').at(-1);
}

/** The folder, or the file without its ending, that a room or a place is; app holds the places. */
export function folderOf(path: string): string | undefined {
  const [area, first, second] = path.split('/');
  if (area !== 'src') return undefined;
  return (first === 'app' ? `${area}/${first}/${second}` : `${area}/${first}`).replace(/\.ts$/, '');
}

/** The room that a specifier such as #engine names. */
export function roomOfDoor(specifier: string): string | undefined {
  return specifier.startsWith('#') ? specifier.slice(1) : undefined;
}
