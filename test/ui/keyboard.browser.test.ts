/**
 * The keyboard alone reaches everything that a mouse can press, in every part of both pages and in
 * their dialogs, and shows where it is.
 */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, type SightChoices } from '../support/browser.ts';
import { openDesk } from '../support/operator-hand.ts';
import { Hand } from './hand.ts';
import { form, openTab, signIn } from './trading-floor.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';
const STEPS_MAX = 300;
const ROUNDS_MAX = 5;

const stage = closedAtEnd(await openStage({ flags: ['--sandbox'], participants: false }));

/**
 * Marks what can be pressed or filled, by what the mouse shows over it and by kind. One of a group
 * that the arrows move in stands for all of it.
 */
const MARK = `(() => {
  const KINDS = 'a[href], button, input, select, textarea, summary, [role=tab], [tabindex="0"]';
  const modal = document.querySelector('dialog:modal');
  const all = [...(modal ?? document).querySelectorAll('*')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(':disabled'),
  );
  const groups = new Map();
  const groupOf = (one) => {
    const moved = one.closest('[role=tablist], [role=toolbar]');
    if (moved !== null) return moved;
    return one.type === 'radio' ? one.name : one;
  };
  for (const one of all) {
    if (!one.matches(KINDS)) continue;
    const group = groupOf(one);
    if (!groups.has(group)) groups.set(group, groups.size);
    one.dataset.reach = groups.get(group);
  }
  window.names = new Map(
    all.filter((one) => one.dataset.reach !== undefined).map((one) => [
      one.dataset.reach,
      one.outerHTML.slice(0, 120),
    ]),
  );
  const pressed = (one) => getComputedStyle(one).cursor === 'pointer';
  return all
    .filter((one) => pressed(one) && one.closest(KINDS + ', label') === null)
    .map((one) => one.outerHTML.slice(0, 120));
})()`;

/** Where the focus is: its mark, or nothing outside; and whether it can be seen. */
const FOCUS = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return { mark: '', isSeen: true };
  let isSeen = false;
  for (let one = at, up = 0; one !== null && up < 3; one = one.parentElement, up += 1) {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    if (outlineStyle !== 'none' && outlineWidth !== '0px') isSeen = true;
  }
  return { mark: at.dataset.reach ?? '', isSeen, html: at.outerHTML.slice(0, 120) };
})()`;

interface Focus {
  readonly mark: string;
  readonly isSeen: boolean;
  readonly html?: string;
}

/** Goes once around the page by Tab; each fault names its element. */
async function faultsOf(page: Page, state: string): Promise<readonly string[]> {
  const mouseOnly = Object(await page.evaluate(MARK));
  const faults = [...mouseOnly].map((html) => `${state}: for the mouse only: ${html}`);
  const reached = new Set<string>();
  let first = '';
  for (let step = 0; step < STEPS_MAX; step += 1) {
    await page.keyboard.press('Tab');
    const { mark, isSeen, html }: Focus = Object(await page.evaluate(FOCUS));
    if (mark !== '' && mark === first) break;
    if (first === '') first = mark;
    if (!isSeen && !reached.has(mark)) faults.push(`${state}: no ring around ${html}`);
    reached.add(mark);
  }
  const names = Object(await page.evaluate('[...window.names]'));
  const missed = [...names].filter(([mark]) => !reached.has(mark));
  return [...faults, ...missed.map(([, html]) => `${state}: not reached: ${html}`)];
}

/** Those that stay when the page is gone around again: until then it may have painted anew. */
async function lastingFaults(page: Page, state: string): Promise<readonly string[]> {
  let faults = await faultsOf(page, state);
  for (let round = 1; faults.length > 0 && round < ROUNDS_MAX; round += 1) {
    faults = await faultsOf(page, state);
  }
  return faults;
}

type Look = (state: string) => Promise<void>;

function proof(
  name: string,
  open: () => ReturnType<typeof stage.open>,
  go: (page: Page, look: Look) => Promise<void>,
): void {
  test(name, async () => {
    const { page, close } = await open();
    const faults: string[] = [];
    await go(page, async (state) => {
      faults.push(...(await lastingFaults(page, state)));
    });
    await close();
    assert.deepEqual(faults, []);
  });
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

const demo = new Hand(stage.venue.url, 'demo');
const maker = new Hand(stage.venue.url, 'maker');
await stage.venue.admin.reportIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
await maker.open(CONTRACT, 'short', '30000', '100');
await demo.open(CONTRACT, 'long', '30000', '100');

const DIALOGS = ['Leverage Long', 'Margin mode', 'Transfer'];

for (const size of ['laptop', 'phone'] as const) {
  const choices: SightChoices = { size };
  proof(
    `the market's side on a ${size}`,
    () => stage.open(`/#${PAIR}`, choices),
    async (page, look) => {
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      await look('signed out');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look('sign-in');
    },
  );
  proof(
    `every tab of the desk on a ${size}`,
    () => openDesk(stage, 'health', choices),
    async (page, look) => {
      const tabs = page.getByRole('tablist').getByRole('tab');
      for (const name of await tabs.allTextContents()) {
        await tabs.getByText(name, { exact: true }).click();
        const shown = page.getByRole('tabpanel', { name, exact: true });
        await shown.locator('.ops-page h2, .fact-line').first().waitFor();
        await look(name);
      }
    },
  );
}

proof(
  "the trade's side, its lists and dialogs",
  () => stage.open(`/#${CONTRACT}`),
  async (page, look) => {
    await signIn(page);
    for (const name of ['Positions', 'Trigger orders', 'Order history', 'Fills', 'Balances']) {
      await openTab(page, name);
      await page.getByRole('tabpanel', { name, exact: true }).waitFor();
      await look(name);
    }
    for (const name of DIALOGS) {
      await form(page).getByRole('button', { name }).click();
      await page.getByRole('dialog').waitFor();
      await look(name);
      await closeDialog(page);
    }
    await openTab(page, 'Positions');
    for (const name of ['Close', 'Margin']) {
      const row = page.locator('.desk-account tbody tr').first();
      await row.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look(name);
      await closeDialog(page);
    }
  },
);

const DESK_DIALOGS = [
  ['accounts', 'Open account'],
  ['money', 'Add funds: USDT'],
  ['instruments', 'Halt: BTC-USDT-PERP'],
  ['instruments', 'Edit: BTC-USDT'],
  ['sandbox', 'Add fault'],
] as const;

for (const [place, name] of DESK_DIALOGS) {
  proof(
    `the dialog of the desk: ${name}`,
    () => openDesk(stage, place),
    async (page, look) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look(name);
    },
  );
}
