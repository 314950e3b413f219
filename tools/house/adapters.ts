/** Where data is kept is one adapter's knowledge: everybody else goes through the room's port. */
import { posix } from 'node:path';
import { isExportSpecifier, isImportSpecifier, type Node } from 'typescript/unstable/ast';
import { type Import, importsOf, resolve } from './imports.ts';
import { homeOf } from './rooms.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import { type Source, walk } from './source.ts';

/** The folders of the adapters, and the packages that only they use. */
const ADAPTER = /^src\/(log|history|people)\/(sqlite|etcd|memory|postgres)\//;
const PACKAGES: readonly string[] = ['better-sqlite3', '@grpc/grpc-js', '@grpc/proto-loader', 'pg'];
/** What may import an adapter in its room: the file that chooses one, and the doors. */
const OPENERS: readonly string[] = ['open.ts', 'mod.ts', 'testing.ts'];

export const adaptersRule: Rule = {
  name: 'adapters',
  check: (project) => {
    const shown = new Set(project.flatMap(namesShown));
    return project
      .filter(({ path }) => path.startsWith('src/') && !ADAPTER.test(path))
      .flatMap((source) => importsOf(source).flatMap((found) => judge(source, found, shown)));
  },
};

/** What the door of a room shows of its adapter, as #log copyJournal. */
function namesShown(source: Source): string[] {
  const { path } = source;
  const home = homeOf(path);
  if (path !== `src/${home}/mod.ts`) return [];
  return importsOf(source)
    .filter(({ specifier }) => ADAPTER.test(resolve(path, specifier) ?? ''))
    .flatMap(({ node }) => namesIn(node).map((name) => `#${home} ${name}`));
}

function judge(source: Source, found: Import, shown: ReadonlySet<string>): Finding[] {
  const { path } = source;
  const { specifier, node } = found;
  if (PACKAGES.includes(specifier)) {
    return [finding(source, node, 'only the adapters know where data is kept')];
  }
  if (ADAPTER.test(resolve(path, specifier) ?? '')) {
    return OPENERS.includes(posix.basename(path))
      ? []
      : [finding(source, node, 'open.ts chooses the adapter: use the port')];
  }
  if (path.startsWith('src/app/')) return [];
  return namesIn(node)
    .filter((name) => shown.has(`${specifier} ${name}`))
    .map((name) => finding(source, node, `${name} is of one adapter: only src/app may use it`));
}

/** The names that an import or a re-export takes from the other side. */
function namesIn(node: Node): string[] {
  const names: string[] = [];
  walk(node, (one) => {
    if (isImportSpecifier(one) || isExportSpecifier(one)) {
      names.push((one.propertyName ?? one.name).text);
    }
  });
  return names;
}
