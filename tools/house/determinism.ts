/**
 * Determinism: the pure rooms give the same result on every machine and at every replay, so they
 * have no clock, no randomness, no timers, no promises and no floating-point text.
 */
import {
  isForInStatement,
  isIdentifier,
  isNewExpression,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast';
import { homeOf, PURE_ROOMS } from './rooms.ts';
import { type Finding, finding, type Rule } from './rule.ts';
import { type Source, walk } from './source.ts';

const TIMER = 'a command of the venue: the engine is told that time has passed';

/** Each banned name and what to use in its place. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['Date', 'timeMs of the command, or the Clock of #kernel outside the engine'],
  ['performance', 'timeMs of the command, or the Clock of #kernel outside the engine'],
  ['crypto', 'an id that is a function of the sequence number'],
  ['process', 'an argument that the caller passes in'],
  ['globalThis', 'an argument that the caller passes in'],
  ['Intl', 'formatDecimal of #kernel, or code unit order for text'],
  ['parseFloat', 'parseDecimal or parseScaled of #kernel'],
  ['setTimeout', TIMER],
  ['setInterval', TIMER],
  ['setImmediate', TIMER],
  ['queueMicrotask', TIMER],
  ['fetch', 'an argument that the caller passes in'],
  ['WeakRef', 'a map whose entries are removed by name'],
  ['FinalizationRegistry', 'a map whose entries are removed by name'],
]);

const PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['toFixed', 'formatDecimal of #kernel'],
  ['toPrecision', 'formatDecimal of #kernel'],
  ['toLocaleString', 'formatDecimal of #kernel'],
  ['localeCompare', 'a comparison with < and >'],
  ['parseFloat', 'parseDecimal or parseScaled of #kernel'],
]);

export const determinismRule: Rule = {
  name: 'determinism',
  check: (project) =>
    project
      .filter((source) => PURE_ROOMS.includes(homeOf(source.path) ?? ''))
      .flatMap((source) => findingsIn(source)),
};

function findingsIn(source: Source): Finding[] {
  const found: Finding[] = [];
  walk(source.tree, (node) => {
    const message = judge(source, node);
    if (message !== undefined) found.push(finding(source, node, message));
  });
  return found;
}

function judge(source: Source, node: Node): string | undefined {
  if (isPropertyAccessExpression(node)) return judgeProperty(node.name.text, node.expression);
  if (isForInStatement(node)) return 'for...in: use for...of over a Map or an array';
  if (homeOf(source.path) === 'engine' && isDeferred(node)) return 'the engine runs to completion';
  if (!isIdentifier(node) || isNameOnly(node) || isCalendar(node)) return undefined;
  const instead = NAMES.get(node.text);
  return instead === undefined ? undefined : `${node.text}: use ${instead}`;
}

function judgeProperty(name: string, owner: Node): string | undefined {
  const isRandom = name === 'random' && isIdentifier(owner) && owner.text === 'Math';
  if (isRandom) return 'Math.random: use a seeded generator that the caller passes in';
  const instead = PROPERTIES.get(name);
  return instead === undefined ? undefined : `${name}: use ${instead}`;
}

function isDeferred(node: Node): boolean {
  if (node.kind === SyntaxKind.AwaitExpression || node.kind === SyntaxKind.AsyncKeyword)
    return true;
  return isIdentifier(node) && node.text === 'Promise';
}

/** Date.UTC(...) and new Date(timeMs) reckon with a time that is given to them. */
function isCalendar(node: Node): boolean {
  if (!isIdentifier(node) || node.text !== 'Date') return false;
  const { parent } = node;
  if (isPropertyAccessExpression(parent)) return parent.name.text === 'UTC';
  return isNewExpression(parent) && (parent.arguments?.length ?? 0) > 0;
}

/** True for the name of a property or a declared member, which refers to nothing global. */
function isNameOnly(node: Node): boolean {
  const parent = node.parent;
  if (isShorthandPropertyAssignment(parent)) return false;
  if ('name' in parent && parent.name === node) return true;
  return 'propertyName' in parent && parent.propertyName === node;
}
