/** Sizes: a function, a file and a line that a reader can hold at once. */
import {
  isArrowFunction,
  isCallExpression,
  isIdentifier,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { finding, type Rule } from './rule.ts';
import { lineAt, lineOf, type Source, walk } from './source.ts';

const FUNCTION_LINES_MAX = 70;
const FILE_LINES_MAX = 500;
const LINE_CHARACTERS_MAX = 100;

const FUNCTIONS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
]);

export const functionLinesRule: Rule = {
  name: 'function-lines',
  check: (project) => project.flatMap(longFunctions),
};

export const fileLinesRule: Rule = {
  name: 'file-lines',
  check: (project) =>
    project
      .map((source) => ({ path: source.path, lines: linesOf(source).length }))
      .filter(({ lines }) => lines > FILE_LINES_MAX)
      .map(({ path, lines }) => ({
        path,
        line: FILE_LINES_MAX + 1,
        message: `${lines} lines, at most ${FILE_LINES_MAX}: split it by idea`,
      })),
};

export const lineLengthRule: Rule = {
  name: 'line-length',
  check: (project) =>
    project.flatMap((source) =>
      linesOf(source).flatMap((text, index) =>
        text.length <= LINE_CHARACTERS_MAX
          ? []
          : [
              {
                path: source.path,
                line: index + 1,
                message: `${text.length} characters, at most ${LINE_CHARACTERS_MAX}`,
              },
            ],
      ),
    ),
};

function longFunctions(source: Source): ReturnType<Rule['check']> {
  const found: ReturnType<typeof finding>[] = [];
  walk(source.tree, (node) => {
    if (!FUNCTIONS.has(node.kind) || isTestGroup(node)) return;
    const lines = lineAt(source.text, node.end) - lineOf(source, node) + 1;
    if (lines <= FUNCTION_LINES_MAX) return;
    found.push(
      finding(source, node, `a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}`),
    );
  });
  return found;
}

/** The body of describe(...) only groups tests, which are counted one by one. */
function isTestGroup(node: Node): boolean {
  if (!isArrowFunction(node) || !isCallExpression(node.parent)) return false;
  const callee = node.parent.expression;
  return isIdentifier(callee) && (callee.text === 'describe' || callee.text === 'suite');
}

function linesOf(source: Source): string[] {
  return source.text.replace(/\n$/, '').split('\n');
}
