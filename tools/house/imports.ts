/** Finds what a file imports, whichever way it is written. It does not judge. */
import { posix } from 'node:path';
import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isStringLiteral,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { doorOf, namedDoor, ROOMS } from './rooms.ts';
import { type Source, walk } from './source.ts';

export interface Import {
  readonly specifier: string;
  /** Gone before the program runs: `import type`, `export type` and `import('...').Name`. */
  readonly typeOnly: boolean;
  readonly node: Node;
}

/** Every import, re-export and dynamic import of a file, in the order of the text. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = [];
  walk(source.tree, (node) => {
    const target = targetOf(node);
    if (target !== undefined) found.push({ ...target, node });
  });
  return found;
}

/** The project path that a specifier leads to, undefined for packages and node: modules. */
export function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const door = namedDoor(specifier);
  if (door === undefined || !ROOMS.has(door.room)) return undefined;
  return doorOf(door.room, door.isForTests ? 'testing' : 'mod');
}

function targetOf(node: Node): Omit<Import, 'node'> | undefined {
  if (isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
    return literal(node.moduleSpecifier, typeOnly);
  }
  if (isExportDeclaration(node)) return literal(node.moduleSpecifier, node.isTypeOnly);
  if (isImportTypeNode(node)) {
    return isLiteralTypeNode(node.argument) ? literal(node.argument.literal, true) : undefined;
  }
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
    return literal(node.arguments[0], false);
  }
  return undefined;
}

function literal(node: Node | undefined, typeOnly: boolean): Omit<Import, 'node'> | undefined {
  return node !== undefined && isStringLiteral(node)
    ? { specifier: node.text, typeOnly }
    : undefined;
}
