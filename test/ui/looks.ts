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

/** Only what keeps somebody from using the page; axe calls the rest moderate or minor. */
const SERIOUS = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ target }) => [id, ...target].join(' '))))`;

/** Saves a picture of each size, and gives the page its first size back. */
export async function picture(
  page: Page,
  name: string,
  sizes: readonly (keyof typeof SIZES)[],
): Promise<void> {
  const first = page.viewportSize();
  for (const size of sizes) {
    await page.setViewportSize(SIZES[size]);
    // Charts paint anew one frame after they hear of their size.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    await page.screenshot({ path: join(SCREENS, `${name}-${size}.png`) });
  }
  if (first !== null) await page.setViewportSize(first);
}

/** Each serious finding as rule and element, at most three of a rule. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  const isLoaded = await page.evaluate("'axe' in window");
  if (isLoaded !== true) await page.evaluate(AXE);
  const found: unknown = await page.evaluate(SERIOUS);
  assert.ok(Array.isArray(found));
  return found.map(String);
}
