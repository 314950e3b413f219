/**
 * The rooms of the house and who may look into which. A room is a folder of src, or of src/app,
 * with a door, its mod.ts, that others reach as #room. Parts of it that are worth a test of their
 * own it shows to test and bench at a second door, its testing.ts, reached as #room/testing.
 */

const MARKET_ROOMS: readonly string[] = [
  'kernel',
  'domain',
  'engine',
  'log',
  'history',
  'market-data',
];

/** What each room may import, in the order in which the house is built. */
export const ROOMS: ReadonlyMap<string, readonly string[]> = new Map([
  ['kernel', []],
  ['domain', ['kernel']],
  ['engine', ['kernel', 'domain']],
  ['log', ['kernel', 'domain']],
  ['history', ['kernel', 'domain']],
  ['market-data', ['kernel', 'domain']],
  ['people', ['kernel', 'domain']],
  ['competition', ['kernel', 'domain', 'people']],
  ['venue', MARKET_ROOMS],
  ['cluster', ['kernel', 'domain', 'engine', 'log', 'venue']],
  ['api', ['kernel', 'domain', 'history', 'market-data']],
  ['dialects', ['kernel', 'domain', 'history', 'market-data', 'people', 'competition', 'api']],
  ['simulation', ['kernel', 'domain', 'market-data']],
  ['child', []],
  ['config', ['kernel', 'domain', 'people', 'api', 'dialects', 'child']],
  ['client', []],
  ['scenario', ['kernel', 'config', 'client']],
  [
    'server',
    [
      ...MARKET_ROOMS,
      'venue',
      'cluster',
      'people',
      'competition',
      'api',
      'dialects',
      'simulation',
      'child',
      'config',
      'scenario',
    ],
  ],
  [
    'cli',
    [
      'kernel',
      'domain',
      'history',
      'log',
      'people',
      'api',
      'dialects',
      'venue',
      'config',
      'scenario',
      'client',
    ],
  ],
  ['testing', ['child', 'client']],
]);

/** Rooms that lie in src/app: they start the whole, or speak to it once it runs. */
const APP_ROOMS: readonly string[] = ['child', 'config', 'server', 'client', 'cli', 'testing'];

/** The program joins the rooms. It has no door: it is started. */
export const PROGRAM = 'main';
export const PROGRAM_FILE = 'src/app/main.ts';

/** Rooms whose code must give the same result on every machine and at every replay. */
export const PURE_ROOMS: readonly string[] = ['kernel', 'domain', 'engine'];

/** Rooms that run in a browser as well: all that the pages may use of src. */
export const BROWSER_ROOMS: readonly string[] = ['kernel', 'domain', 'client'];

/** Whether a file is part of what is delivered, and not of what proves or builds it. */
export function isDelivered(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('ui/src/');
}

/** What a room, or the program, may import; undefined for what is neither. */
export function allowedOf(home: string): readonly string[] | undefined {
  return home === PROGRAM ? [...ROOMS.keys()] : ROOMS.get(home);
}

/** The room of a path: src/engine/book/book.ts is in engine, src/app/cli/output.ts in cli. */
export function homeOf(path: string): string | undefined {
  return folderOf(path)?.split('/').at(-1);
}

/** The folder that a room is, or the file of the program without its ending. */
export function folderOf(path: string): string | undefined {
  const [area, first, second] = path.split('/');
  if (area !== 'src') return undefined;
  return (first === 'app' ? `${area}/${first}/${second}` : `${area}/${first}`).replace(/\.ts$/, '');
}

/** The file behind a door of a room. */
export function doorOf(room: string, door: 'mod' | 'testing' = 'mod'): string {
  return `src/${APP_ROOMS.includes(room) ? 'app/' : ''}${room}/${door}.ts`;
}

export interface Door {
  readonly room: string;
  readonly isForTests: boolean;
}

/** The door that a specifier such as #engine or #engine/testing names. */
export function namedDoor(specifier: string): Door | undefined {
  if (!specifier.startsWith('#')) return undefined;
  const room = specifier.slice(1).replace(/\/testing$/, '');
  return { room, isForTests: specifier.endsWith('/testing') };
}
