/**
 * Looks at pages: pictures of them in test/out/screens, and what axe finds against reading them
 * with a screen reader, by keyboard, or with weak eyes.
 */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { SIZES } from '../support/browser.ts';

const SCREENS = resolve(import.meta.dirname, '../out/screens');
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** Moderate and minor ones, too. */
const VIOLATIONS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) =>
    nodes.slice(0, 3).map(({ target }) => [id, impact, ...target].join(' '))))`;

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
    // Charts paint anew one frame after they hear of their size.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    await page.screenshot({ path: join(SCREENS, `${name}-${size}.png`) });
    await look(size);
  }
  if (first !== null) await page.setViewportSize(first);
}

/** Each finding as rule, impact and element, at most three of a rule. */
export async function findings(page: Page): Promise<readonly string[]> {
  const isLoaded = await page.evaluate("'axe' in window");
  if (isLoaded !== true) await page.evaluate(AXE);
  const found: unknown = await page.evaluate(VIOLATIONS);
  assert.ok(Array.isArray(found));
  return found.map(String);
}
