/**
 * Every path a document names exists, so that a move or a rename takes the documents along; every
 * heading that a link leads to is there; the index of the decisions names each of them.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, test } from 'node:test';

const root = resolve(import.meta.dirname, '../..');

const DECISIONS = 'docs/decisions';
const INDEX = `${DECISIONS}/README.md`;

const documents = [
  'README.md',
  ...['docs', DECISIONS].flatMap((folder) =>
    readdirSync(resolve(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** In backticks: a path from the root of the project. */
const PATH = /`((?:src|test|tools|docs|ui|config|bench|bin|sim)\/[^`\s]*)`/g;
/** In backticks: a source file by its name alone, which would survive the loss of the file. */
const BARE = /`((?!mod\.ts)[\w-]+\.tsx?)`/g;
const LINK = /\]\((?!https?:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
const HEADING_LINK = /\]\((?!https?:)([^)#\s]*#[^)\s]+)\)/g;
const HEADING = /^#+ (.*)$/gm;
/** A heading of a file of decisions. */
const RECORD = /^## (.*)$/gm;
/** A line of the index. */
const RECORD_LINK = /\[[^\]]*\]\([^)#]*#[^)]*\)/g;

const texts = new Map(documents.map((name) => [name, readFileSync(resolve(root, name), 'utf8')]));

function textOf(document: string): string {
  return texts.get(document) ?? '';
}

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name);
}

/** As GitHub names the place of a heading. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function headings(document: string): ReadonlySet<string> {
  const withoutCode = textOf(document).replace(/^```.*?^```/gms, '');
  const anchors = new Set<string>();
  for (const name of found(withoutCode, HEADING).map(anchor)) {
    let numbered = name;
    for (let n = 1; anchors.has(numbered); n += 1) numbered = `${name}-${n}`;
    anchors.add(numbered);
  }
  return anchors;
}

for (const document of documents) {
  const text = textOf(document);
  const links = found(text, LINK).map((link) =>
    relative(root, resolve(root, dirname(document), link)),
  );

  describe(document, () => {
    for (const path of new Set([...found(text, PATH), ...links])) {
      test(`${path} exists`, () => assert.ok(existsSync(join(root, path)), `${document}: ${path}`));
    }

    test('names source files by their whole path', () => {
      assert.deepEqual(found(text, BARE), []);
    });

    test('links to headings that are there', () => {
      const lost = found(text, HEADING_LINK).filter((link) => {
        const [file = '', place = ''] = link.split('#');
        const target =
          file === '' ? document : relative(root, resolve(root, dirname(document), file));
        return texts.has(target) && !headings(target).has(place);
      });
      assert.deepEqual(lost, []);
    });
  });
}

for (const guide of ['docs/ARCHITECTURE.md', 'docs/CONTRIBUTING.md']) {
  test(`the paths of ${guide} are found: it names many`, () => {
    assert.ok(new Set(found(textOf(guide), PATH)).size >= 60);
  });
}

test('the index of the decisions links every record, and no other', () => {
  const files = documents.filter((name) => dirname(name) === DECISIONS && name !== INDEX);
  const records = files.flatMap((file) => {
    const name = relative(DECISIONS, file);
    const titles = found(textOf(file), RECORD);
    assert.ok(titles.length > 0, `${file} has no record`);
    return titles.map((title) => `[${title}](${name}#${anchor(title)})`);
  });
  const listed = textOf(INDEX).match(RECORD_LINK) ?? [];
  assert.deepEqual(listed.toSorted(), records.toSorted());
});

test('each dependency has its reason', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(resolve(root, 'package.json'), 'utf8'),
  );
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const reasons = textOf(`${DECISIONS}/dependencies.md`);
  assert.deepEqual(
    names.filter((name) => !name.startsWith('@types/') && !reasons.includes(`\`${name}\``)),
    [],
  );
});
