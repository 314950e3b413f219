/** The page of the language against the code, and every example of its tables. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { CLASSIC_SPELLING } from '#dialects';
import { readScenario } from '#scenario';
import { ACTIONS, actionTable, SUBJECTS, subjectTable } from '#scenario/testing';
import { scratchFile } from './program.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/SCENARIOS.md'), 'utf8');

/** The lines of the page's table with this first cell in its head. */
function tableOnPage(title: string): string[] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`));
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start, end);
}

test('the page has the steps and expectations of the code, no more and no fewer', () => {
  assert.deepEqual(tableOnPage('step'), actionTable());
  assert.deepEqual(tableOnPage('expectation'), subjectTable());
});

test('every example can be read, each as what it is an example of', () => {
  const examples = [
    ...ACTIONS.map(({ example }) => example),
    ...SUBJECTS.map(({ example }) => `expect: { ${example} }`),
  ];
  const text = `
name: Examples
description: Every example of the page.
accounts: { alice: {}, bob: {} }
steps:
  - order: { as: bob, market: BTC-USDT-PERP, side: buy, size: 1, price: 30000, save: first }
  - save: before-the-crash
${examples.map((example) => `  - ${example}`).join('\n')}
`;
  const { steps } = readScenario(scratchFile('examples.yaml', text), CLASSIC_SPELLING);
  const names = [...ACTIONS.map(({ name }) => name), ...SUBJECTS.map(() => 'expect')];
  assert.deepEqual(
    steps.slice(2).map(({ action }) => action.name),
    names,
  );
});

test('the file on the page can be read', () => {
  const [, example = ''] = /```yaml\n(name: A stop.*?)```/s.exec(page) ?? [];
  const { steps } = readScenario(scratchFile('page.yaml', example), CLASSIC_SPELLING);
  assert.equal(steps.length, 5);
});
