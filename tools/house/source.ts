/**
 * The project as syntax trees, for the house rules. TypeScript parses, through an interface that
 * version 7 still calls unstable. Only this file starts the parser; the rules read its nodes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node, SourceFile as Tree } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/async';
import { createVirtualFileSystem } from 'typescript/unstable/fs';

export interface Source {
  /** Relative to the project root, with forward slashes: src/engine/book/book.ts. */
  readonly path: string;
  readonly text: string;
  readonly tree: Tree;
}

export type Project = readonly Source[];

const AREAS: readonly string[] = ['src', 'sim', 'test', 'bench', 'tools', 'ui', 'config'];
const CODE = /\.tsx?$/;
/** Written by a program, for other programs. */
const GENERATED = /\/generated\//;
const READ = /\.(tsx?|yaml)$/;
const PARSER_ROOT = '/project';

/** Every TypeScript file of the project, parsed, and its configuration, in path order. */
export async function readProject(root: string): Promise<Project> {
  const paths = AREAS.flatMap((area) => filesBelow(root, area)).sort();
  return parse(new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])));
}

export function isCode({ path }: Pick<Source, 'path'>): boolean {
  return CODE.test(path);
}

/** Parses texts by path, without resolving their imports. What is no code has an empty tree. */
export async function parse(texts: ReadonlyMap<string, string>): Promise<Project> {
  const files = new Map(
    [...texts].map(([path, text]) => [parsedPath(path), isCode({ path }) ? text : '']),
  );
  const config = { files: [...files.keys()], compilerOptions: { noLib: true, noResolve: true } };
  const configPath = `${PARSER_ROOT}/tsconfig.json`;
  files.set(configPath, JSON.stringify(config));
  const api = new API({
    cwd: PARSER_ROOT,
    fs: createVirtualFileSystem(Object.fromEntries(files)),
  });
  try {
    const snapshot = await api.updateSnapshot({ openProject: configPath });
    const program = snapshot.getProject(configPath)?.program;
    const sources: Source[] = [];
    for (const [path, text] of texts) {
      const tree = await program?.getSourceFile(parsedPath(path));
      if (tree === undefined) throw new Error(`TypeScript did not parse ${path}`);
      sources.push({ path, text, tree });
    }
    return sources;
  } finally {
    await api.close();
  }
}

function parsedPath(path: string): string {
  return `${PARSER_ROOT}/${path}${isCode({ path }) ? '' : '.ts'}`;
}

/** Calls visit on the node and everything below it, parents first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => {
    walk(child, visit);
  });
}

/** The line of a position, counted from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}

/** The line on which a node starts, comments before it left out. */
export function lineOf(source: Source, node: Node): number {
  return lineAt(source.text, node.getStart(source.tree));
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && READ.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !GENERATED.test(path));
}
