/** Text for people is written where people are answered: the core names reasons and figures. */
import {
  isIdentifier,
  isImportSpecifier,
  isPropertyAssignment,
  isStringLiteral,
  type Node,
} from 'typescript/unstable/ast';
import { type Finding, finding, type Rule } from './rule.ts';
import { type Source, walk } from './source.ts';

const CORE = /^src\/(?:domain|engine|log|history|venue)\//;
const FORMATTERS: ReadonlySet<string> = new Set(['formatDecimal', 'formatTrimmed']);

export const reasonsRule: Rule = {
  name: 'reasons',
  check: (project) => project.filter(({ path }) => CORE.test(path)).flatMap(findingsIn),
};

function findingsIn(source: Source): Finding[] {
  const found: Finding[] = [];
  walk(source.tree, (node) => {
    const message = judge(node);
    if (message !== undefined) found.push(finding(source, node, message));
  });
  return found;
}

function judge(node: Node): string | undefined {
  if (isImportSpecifier(node) && FORMATTERS.has((node.propertyName ?? node.name).text)) {
    return 'a figure is handed on as it is: who answers writes it';
  }
  if (!isPropertyAssignment(node) || !isStringLiteral(node.initializer)) return undefined;
  const isText = isIdentifier(node.name) && node.name.text === 'is';
  return isText && node.initializer.text === 'text'
    ? 'a detail in words is made by the API and the dialects: name what it is about'
    : undefined;
}
