/** Every house rule. docs/STYLE.md explains each one under the same name. */
import { adaptersRule } from './adapters.ts';
import {
  castsRule,
  consoleRule,
  environmentRule,
  silencedRule,
  typesRule,
  unfinishedRule,
} from './bans.ts';
import { callPathsRule } from './call-paths.ts';
import { fileCyclesRule, roomCyclesRule } from './cycles.ts';
import { determinismRule } from './determinism.ts';
import {
  depthRule,
  directionRule,
  doorsRule,
  outsideDoorsRule,
  pagesRule,
  pureImportsRule,
} from './doors.ts';
import { fileCaseRule, headerRule, namesRule } from './names.ts';
import { reasonsRule } from './reasons.ts';
import type { Rule } from './rule.ts';
import { fileLinesRule, functionLinesRule, lineLengthRule } from './sizes.ts';
import { openingRule } from './tests.ts';
import { vendorImportsRule, vendorRule } from './vendor.ts';

export const RULES: readonly Rule[] = [
  doorsRule,
  outsideDoorsRule,
  directionRule,
  pureImportsRule,
  depthRule,
  adaptersRule,
  pagesRule,
  callPathsRule,
  fileCyclesRule,
  roomCyclesRule,
  determinismRule,
  typesRule,
  castsRule,
  consoleRule,
  environmentRule,
  unfinishedRule,
  silencedRule,
  functionLinesRule,
  fileLinesRule,
  lineLengthRule,
  namesRule,
  fileCaseRule,
  headerRule,
  vendorRule,
  vendorImportsRule,
  reasonsRule,
  openingRule,
];
