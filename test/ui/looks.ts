/**
 * Looks at pages: pictures of them in test/out/screens, and what axe finds against reading them
 * with a screen reader, by keyboard, or with weak eyes.
 */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { present } from '#kernel';
import { SIZES } from '../support/browser.ts';
import { eventually } from '../support/until.ts';

const SCREENS = resolve(import.meta.dirname, '../out/screens');
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Moderate and minor ones, too. */
const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) =>
    nodes.slice(0, 3).map(({ target }) => [id, impact, ...target].join(' '))))`;

/** Charts and stores paint anew one frame after they hear of something. */
const FRAMES = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))`;

const SETTLES_WITHIN_MS = 10_000;

type Sizes = readonly (keyof typeof SIZES)[];

/** Saves a picture of each size, and gives the page its first size back. */
export async function picture(page: Page, name: string, sizes: Sizes): Promise<void> {
  await inEachSize(page, name, sizes, async () => undefined);
}

/** Saves the pictures, and says what axe finds in each size. */
export async function looked(page: Page, name: string, sizes: Sizes): Promise<readonly string[]> {
  const found: string[] = [];
  await inEachSize(page, name, sizes, async (size) => {
    for (const finding of await findings(page)) found.push(`${name} ${size}: ${finding}`);
  });
  return found;
}

async function inEachSize(
  page: Page,
  name: string,
  sizes: Sizes,
  look: (size: string) => Promise<void>,
): Promise<void> {
  const first = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    await page.evaluate(FRAMES);
    await page.screenshot({ path: join(SCREENS, `${name}-${size}.png`) });
    await look(size);
  }
  if (first !== null) await page.setViewportSize(first);
}

/**
 * Each finding as rule, impact and element, at most three of a rule. What a page shows while it
 * still paints or loads is no finding: one stays when the page is looked at again.
 */
export async function findings(page: Page): Promise<readonly string[]> {
  const untilMs = performance.now() + SETTLES_WITHIN_MS;
  let found = await findingsNow(page);
  while (found.length > 0 && performance.now() < untilMs) found = await findingsNow(page);
  return found;
}

async function findingsNow(page: Page): Promise<readonly string[]> {
  const isLoaded = await page.evaluate("'axe' in window");
  if (isLoaded !== true) await page.evaluate(AXE);
  const found: unknown = await page.evaluate(VIOLATIONS);
  assert.ok(Array.isArray(found));
  return found.map(String);
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Where something is, once it stays there: a mouse that is sent there meets it. */
export async function boxAtRest(locator: Locator): Promise<Box> {
  let last: Box | null = null;
  return eventually(
    async () => {
      await locator.page().evaluate(FRAMES);
      return present((await locator.boundingBox()) ?? undefined, 'a box');
    },
    (box) => {
      const before = last;
      last = box;
      assert.deepEqual(box, before, 'it moves');
    },
  );
}
