/** What no file of src and ui contains, each with the way to write it instead. */
import {
  isAsExpression,
  isEnumDeclaration,
  isIdentifier,
  isImportSpecifier,
  isModuleDeclaration,
  isNonNullExpression,
  isPropertyAccessExpression,
  isTypeAssertion,
  isTypeReferenceNode,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { homeOf, isDelivered } from './rooms.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import { lineAt, type Project, type Source, walk } from './source.ts';

/** Where a cast is honest, and why: nowhere else can the type checker be overruled. */
const CASTS: ReadonlyMap<string, string> = new Map([
  ['src/kernel/', 'brands are made here'],
  ['src/api/json.ts', 'parsed JSON gets the loosest type'],
  ['src/dialects/', 'parsed JSON gets the loosest type, and fields are read from it one by one'],
  ['src/history/', 'database rows become domain values'],
  ['src/people/sqlite/', 'rows that another thread has read have the type of their statement'],
  ['src/domain/codec.ts', 'journal entries are known to be what we wrote'],
  ['src/log/etcd/protocol.ts', 'a message has the type that its call is declared with'],
  ['src/app/client/caller.ts', 'answers of the venue are what its endpoints say'],
  ['src/app/client/venue-stream.ts', 'messages are what the names of their channels say'],
  ['ui/src/wire/', 'answers of the venue become typed messages'],
]);

export const castsRule: Rule = {
  name: 'casts',
  check: (project) => eachNode(outsideCastFolders(project), judgeCast),
};

export const typesRule: Rule = {
  name: 'plain-types',
  check: (project) => eachNode(delivered(project), judgeType),
};

export const consoleRule: Rule = {
  name: 'no-console',
  check: (project) => eachNode(delivered(project), judgeConsole),
};

/** Main may hand the environment over; config is what reads it. */
export const environmentRule: Rule = {
  name: 'environment',
  check: (project) =>
    eachNode(
      delivered(project).filter((source) => !mayTouchEnvironment(homeOf(source.path))),
      judgeEnvironment,
    ),
};

export const unfinishedRule: Rule = {
  name: 'unfinished',
  check: (project) =>
    eachMatch(
      delivered(project),
      /\b(TODO|FIXME|XXX)\b/g,
      ([, word]) => `${word}: do it now, or open an issue and say nothing here`,
    ),
};

/** A silenced tool needs a reason in words: `// biome-ignore lint/rule: the reason`. */
export const silencedRule: Rule = {
  name: 'silenced',
  check: (project) =>
    eachMatch(
      project,
      /^[ \t]*(?:\/[/*]|\{\/\*).*?(@ts-\w+|biome-ignore(?:-\w+)?)([^\n]*)/gm,
      ([, mark, rest]) => judgeSilenced(mark ?? '', rest ?? ''),
    ),
};

function delivered(project: Project): Project {
  return project.filter(({ path }) => isDelivered(path));
}

function outsideCastFolders(project: Project): Project {
  const allowed = [...CASTS.keys()];
  return delivered(project).filter(({ path }) => !allowed.some((start) => path.startsWith(start)));
}

type Judge = (node: Node) => string | undefined;

function eachNode(project: Project, judge: Judge): Finding[] {
  const found: Finding[] = [];
  for (const source of project) {
    walk(source.tree, (node) => {
      const message = judge(node);
      if (message !== undefined) found.push(finding(source, node, message));
    });
  }
  return found;
}

type JudgeMatch = (match: RegExpExecArray) => string | undefined;

function eachMatch(project: Project, pattern: RegExp, judge: JudgeMatch): Finding[] {
  return project.flatMap(({ path, text }: Source) =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const message = judge(match);
      return message === undefined ? [] : [{ path, line: lineAt(text, match.index), message }];
    }),
  );
}

function judgeCast(node: Node): string | undefined {
  if (!isAsExpression(node) && !isTypeAssertion(node)) return undefined;
  if (isConst(node.type)) return undefined;
  return 'a cast: narrow the type with a check, or move the cast to kernel, dialects or rows';
}

function isConst(type: Node): boolean {
  if (!isTypeReferenceNode(type)) return false;
  return isIdentifier(type.typeName) && type.typeName.text === 'const';
}

function judgeType(node: Node): string | undefined {
  if (node.kind === SyntaxKind.AnyKeyword) return 'any: use unknown and narrow it';
  if (isNonNullExpression(node)) return 'the ! operator: use present() of #kernel';
  if (isEnumDeclaration(node)) return 'enum: use a union of literals';
  if (isModuleDeclaration(node)) return 'namespace: use a file';
  return undefined;
}

function judgeConsole(node: Node): string | undefined {
  const isConsole = isIdentifier(node) && node.text === 'console';
  return isConsole ? 'console: use the logger, or the writer of the command line' : undefined;
}

function mayTouchEnvironment(home: string | undefined): boolean {
  return home === 'child' || home === 'config' || home === 'main';
}

function judgeEnvironment(node: Node): string | undefined {
  const message =
    'the environment is read in src/app/config and src/app/child only: take a typed setting';
  if (isPropertyAccessExpression(node) && node.name.text === 'env') {
    return isIdentifier(node.expression) && node.expression.text === 'process'
      ? message
      : undefined;
  }
  const importsEnv = isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'env';
  return importsEnv ? message : undefined;
}

function judgeSilenced(mark: string, rest: string): string | undefined {
  if (mark === '@ts-ignore' || mark === '@ts-nocheck') return `${mark}: fix the type`;
  const reason = mark === '@ts-expect-error' ? rest : rest.replace(/^[^:]*:?/, '');
  const isReason = /[a-z]{2,}.*[a-z]{2,}/i.test(reason);
  return isReason ? undefined : `${mark} without a reason on the same line`;
}
