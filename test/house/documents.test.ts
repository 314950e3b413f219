/** Every path a document names exists, so that a move or a rename takes the documents along. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

/** The record of decisions keeps the names of its day: only its links must lead somewhere. */
const RECORD = 'docs/decisions.md';

const documents = [
  'README.md',
  ...readdirSync(resolve(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** In backticks: a path from the root of the project. */
const PATH = /`((?:src|test|tools|docs|ui|config|bench|bin)\/[^`\s]*)`/g;
/** In backticks: a source file by its name alone, which would survive the loss of the file. */
const BARE = /`((?!mod\.ts)[\w-]+\.tsx?)`/g;
const LINK = /\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g;

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

for (const document of documents) {
  const text = readFileSync(resolve(root, document), 'utf8');
  const paths = document === RECORD ? [] : found(text, PATH);
  const links = found(text, LINK).map((link) =>
    relative(root, resolve(root, dirname(document), link)),
  );

  describe(document, () => {
    for (const path of new Set([...paths, ...links])) {
      test(`${path} exists`, () => assert.ok(existsSync(join(root, path)), `${document}: ${path}`));
    }

    test('names source files by their whole path', () => {
      assert.deepEqual(document === RECORD ? [] : found(text, BARE), []);
    });
  });
}

for (const guide of ['docs/ARCHITECTURE.md', 'docs/CONTRIBUTING.md']) {
  test(`the paths of ${guide} are found: it names many`, () => {
    const text = readFileSync(resolve(root, guide), 'utf8');
    assert.ok(new Set(found(text, PATH)).size >= 60);
  });
}
