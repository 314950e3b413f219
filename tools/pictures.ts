/**
 * `npm run pictures`: takes a picture of every screen of both pages into docs/images. Starts the
 * demo venue with its living market, trades a little of everything with the demo account, and goes
 * from screen to screen as a trader and an operator would. `npm run pictures phone chart` takes
 * those alone whose names hold one of the words. Needs Chromium and, for the Chinese pages, a font
 * such as Debian's fonts-wqy-zenhei.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { openStage, type SightChoices, type Stage } from '../test/support/browser.ts';
import { demoWith } from '../test/support/config-file.ts';
import { button, openDesk, row } from '../test/support/operator-hand.ts';
import { until } from '../test/support/until.ts';
import { Hand } from '../test/ui/hand.ts';
import { fund, member, signInAs } from '../test/ui/people-stage.ts';
import { choose, field, form, openTab, place, rowWith } from '../test/ui/trading-floor.ts';
import { en } from '../ui/src/texts/en.ts';
import { zh } from '../ui/src/texts/zh.ts';

const OUT = resolve(import.meta.dirname, '../docs/images');
const PAIR = 'BTCUSDT_SPBL';
const CONTRACT = 'cmt_btcusdt';
const OTHER_CONTRACT = 'cmt_ethusdt';
/** Lower than a laptop's screen less what its browser and desktop take. */
const PICTURE = { width: 1280, height: 800 };
/** Where a form is shown alone, all of it is. */
const TALL = 1_000;
/** Long enough for some dozens of trades. */
const MARKET_LIVES_MS = 20_000;

interface Choices extends SightChoices {
  readonly isSignedOut?: boolean;
  readonly height?: number;
}

type Go = (page: Page) => Promise<Page | Locator>;

/** A screen: where it is, what leads there, and what of it is shown. */
interface Screen {
  readonly name: string;
  readonly at: string;
  readonly choices: Choices;
  readonly go: Go;
}

const INDICATORS = ['bollinger', 'ema', 'rsi', 'macd'].map((kind) => ({
  id: kind,
  kind,
  settings: {},
}));

const LIGHT = { colorScheme: 'light' } as const;
const PHONE = { size: 'phone' } as const;
const CHINESE = { locale: 'zh-CN' } as const;

function terminal(name: string, market: string, go: Go, choices: Choices = {}): Screen {
  return { name, at: `/#${market}`, choices, go };
}

function desk(name: string, place: string, go: Go = ready, choices: Choices = {}): Screen {
  return { name, at: place, choices, go };
}

const TERMINAL: readonly Screen[] = [
  terminal('terminal', PAIR, painted),
  terminal('terminal-light', PAIR, painted, LIGHT),
  terminal('contract', CONTRACT, positions),
  terminal('contract-light', CONTRACT, positions, LIGHT),
  terminal('chart', CONTRACT, indicators, {
    kept: { 'outcry.indicators': INDICATORS, 'outcry.period': '1h' },
  }),
  terminal('chart-depth', PAIR, async (page) => {
    await page.getByRole('tab', { name: 'Depth' }).click();
    await page.getByRole('img', { name: /Depth chart/ }).waitFor();
    return page;
  }),
  terminal('markets', PAIR, async (page) => {
    await painted(page);
    await page.getByTitle('Select a market').click();
    await page.getByRole('dialog').getByRole('row').nth(3).waitFor();
    return page;
  }),
  terminal(
    'order-limit',
    CONTRACT,
    async (page) => {
      await painted(page);
      await quarter(page);
      await form(page).getByLabel('Take-profit / stop-loss').check();
      return form(page);
    },
    { height: TALL },
  ),
  terminal(
    'order-market',
    CONTRACT,
    async (page) => {
      await choose(page, 'Market');
      await field(page, 'Quantity').fill('2500');
      return form(page);
    },
    { height: TALL },
  ),
  terminal(
    'order-trigger',
    CONTRACT,
    async (page) => {
      await choose(page, 'Trigger');
      await field(page, 'Quantity').fill('100');
      return form(page);
    },
    { height: TALL },
  ),
  terminal('order-question', CONTRACT, orderQuestion, { asksFirst: true }),
  terminal('leverage', CONTRACT, dialogOf('Leverage Long')),
  terminal('position-exits', CONTRACT, positionDialog('TP/SL')),
  terminal('position-close', CONTRACT, positionDialog('Close')),
  ...['Trigger orders', 'Order history', 'Fills', 'Balances'].map((tab) =>
    terminal(nameOf(`account ${tab}`), CONTRACT, accountTab(tab), { size: 'desk' }),
  ),
  terminal('market-info', CONTRACT, async (page) => {
    await painted(page);
    await button(page, 'Market info').click();
    return shownDialog(page);
  }),
  terminal('alerts', PAIR, async (page) => {
    await painted(page);
    await page
      .locator('.market-tools')
      .getByRole('button', { name: /^Alerts/ })
      .click();
    return shownDialog(page);
  }),
  terminal(
    'layout',
    PAIR,
    async (page) => {
      await painted(page);
      await button(page, 'Layout').click();
      await button(page, 'Large chart').click();
      await page.getByRole('region', { name: 'Watchlist' }).getByRole('row').nth(3).waitFor();
      await button(page, 'Done').click();
      return page;
    },
    { size: 'desk' },
  ),
  ...['Chart', 'Book', 'Trade', 'Account'].map((tab) =>
    terminal(nameOf(`phone ${tab}`), CONTRACT, phoneTab(tab), PHONE),
  ),
  terminal('chinese', CONTRACT, painted, CHINESE),
  terminal('chinese-phone', CONTRACT, phoneTab(zh.layout.trade), { ...PHONE, ...CHINESE }),
];

const DESK: readonly Screen[] = [
  desk('desk', 'health', plotted),
  desk('desk-money', 'money'),
  desk('desk-accounts', 'accounts'),
  desk('desk-account', 'accounts/demo'),
  desk('desk-instruments', 'instruments'),
  desk('desk-contract', 'instruments/BTC-USDT-PERP'),
  desk('desk-liquidations', 'liquidations'),
  desk('desk-limits', 'limits'),
  desk('desk-sandbox', 'sandbox'),
  desk('desk-phone', 'health', plotted, PHONE),
];

const EMAIL = 'ada@example.com';
const REQUESTS = 'Deposits and withdrawals';
const GUEST = { isSignedOut: true } as const;

const PEOPLE: readonly Screen[] = [
  account('sign-in', '/account', async (page) => {
    await page.getByLabel('Password', { exact: true }).waitFor();
  }),
  account('sign-up', '/account#sign-up', (page) => button(page, 'Sign up').first().waitFor()),
  account('account-security', '/account', (page) => signInAs(page, EMAIL)),
  account('account-keys', '/account', async (page) => {
    await signInAs(page, EMAIL);
    await openTab(page, 'API keys');
  }),
  {
    ...account('account-home', '/account#money', async (page) => {
      await signInAs(page, EMAIL);
      await openTab(page, 'Balances and history');
      await row(page, REQUESTS, 'Withdrawal');
    }),
    choices: { ...GUEST, height: TALL },
  },
  desk('desk-people', 'people'),
  desk('desk-person', 'people', async (page) => {
    await page.locator('tbody tr').filter({ hasText: EMAIL }).first().click();
    await page.getByRole('region', { name: 'Security log' }).waitFor();
    return page;
  }),
  desk('desk-operators', 'operators'),
  desk('desk-log', 'log'),
  desk('desk-payments', 'money', async (page) => {
    await row(page, 'Deposit and withdrawal requests', 'Withdrawal');
    return page;
  }),
  desk('desk-notices', 'notices'),
  desk('desk-competition', 'competitions', async (page) => {
    await page.getByRole('link', { name: 'Autumn cup' }).click();
    await row(page, 'Rounds', 'Live');
    return page;
  }),
  account('competition', '/competition', raced),
  { ...account('competition-phone', '/competition', raced), choices: { ...GUEST, ...PHONE } },
];

async function raced(page: Page): Promise<void> {
  await row(page, 'Leaderboard', 'Lovelace');
  await page.getByRole('img', { name: /Equity over time of/ }).waitFor();
}

function account(name: string, at: string, open: (page: Page) => Promise<void>): Screen {
  const go = async (page: Page) => {
    await open(page);
    return page;
  };
  return { name, at, choices: GUEST, go };
}

/** The market's side has painted. */
async function painted(page: Page): Promise<Page> {
  await page.locator('.chart-legend').waitFor();
  await page.locator('.book-line').nth(10).waitFor();
  return page;
}

async function positions(page: Page): Promise<Page> {
  await painted(page);
  await openTab(page, 'Positions');
  await rowWith(page, 'Long');
  await quarter(page);
  return page;
}

/** A quarter of what can be opened, at a price of the book. */
async function quarter(page: Page): Promise<void> {
  await page
    .getByRole('grid', { name: /Order book/ })
    .getByRole('row')
    .nth(3)
    .click();
  await form(page).getByRole('button', { name: '25%' }).click();
}

async function indicators(page: Page): Promise<Page> {
  await painted(page);
  await page
    .getByTitle(/Settings of MACD/)
    .locator('span')
    .nth(1)
    .waitFor();
  return page;
}

async function orderQuestion(page: Page): Promise<Locator> {
  await painted(page);
  await quarter(page);
  await field(page, 'Quantity').press('Enter');
  return shownDialog(page);
}

function dialogOf(name: string): Go {
  return async (page) => {
    await form(page).getByRole('button', { name }).click();
    return shownDialog(page);
  };
}

function positionDialog(name: string): Go {
  return async (page) => {
    await openTab(page, 'Positions');
    await button(page.locator('.desk-account tbody tr').first(), name).click();
    return shownDialog(page);
  };
}

function accountTab(name: string): Go {
  return async (page) => {
    if (name === 'Trigger orders') await triggerOrder(page);
    await openTab(page, name);
    await page.getByRole('tabpanel', { name }).waitFor();
    return page.locator('.desk-account');
  };
}

async function triggerOrder(page: Page): Promise<void> {
  await choose(page, 'Trigger');
  await place(page, { 'Trigger price': '31500', 'Execute price': '31510', Quantity: '50' });
}

async function shownDialog(page: Page): Promise<Locator> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  return dialog;
}

function phoneTab(name: string): Go {
  return async (page) => {
    await page.getByRole('tab', { name, exact: true }).first().click();
    return page;
  };
}

async function ready(page: Page): Promise<Page> {
  await page.locator('.ops-page h2, .fact-line').first().waitFor();
  return page;
}

async function plotted(page: Page): Promise<Page> {
  await page.locator('.ops-plot-line[d*="L"]').nth(5).waitFor({ state: 'attached' });
  return page;
}

/** "account Order history" becomes account-order-history. */
function nameOf(words: string): string {
  return words.toLowerCase().replaceAll(' ', '-');
}

async function take(stage: Stage, { name, at, choices, go }: Screen): Promise<void> {
  const isTerminal = at.startsWith('/');
  const sight = await (isTerminal ? stage.open(at, choices) : openDesk(stage, at, choices));
  const { page } = sight;
  const { size, height = PICTURE.height } = choices;
  if (size === undefined) await page.setViewportSize({ ...PICTURE, height });
  if (isTerminal) await begin(page, choices);
  const part = await go(page);
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.evaluate('document.activeElement.blur()');
  // Charts and stores paint one frame after they hear of something.
  await page.evaluate('new Promise((done) => setTimeout(done, 500))');
  const path = join(OUT, `${name}.png`);
  await part.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await sight.close();
  process.stdout.write(`${name}.png ${(statSync(path).size / 1_000).toFixed(0)} kB\n`);
}

async function begin(page: Page, choices: Choices): Promise<void> {
  if (choices.isSignedOut === true) return;
  const { signIn, demo, signOut } = choices.locale === 'zh-CN' ? zh.session : en.session;
  await button(page, signIn).first().click();
  await button(page, demo).click();
  await page.getByText(signOut).first().waitFor({ state: 'attached' });
}

/** Something of everything that a page can show of an account. */
async function trade({ venue: { url } }: Stage): Promise<void> {
  const demo = new Hand(url, 'demo');
  const last = await lastPrice(url, CONTRACT);
  const times = (factor: number) => (last * factor).toFixed(0);
  await demo.spot(PAIR, 'buy', times(1.001), '0.05');
  await demo.spot(PAIR, 'sell', times(1.002), '0.25');
  await demo.spot(PAIR, 'buy', times(0.999), '0.4');
  await demo.isolate(CONTRACT);
  await demo.open(CONTRACT, 'long', times(1.003), '120');
  await demo.open(CONTRACT, 'long', times(0.996), '60');
  const other = await lastPrice(url, OTHER_CONTRACT);
  await demo.open(OTHER_CONTRACT, 'short', (other * 0.997).toFixed(0), '25');
}

/** People of every kind, money that waits for approval, announcements, and a round that runs. */
async function populate(stage: Stage): Promise<void> {
  const { venue } = stage;
  const ada = await member(stage, EMAIL, 'Ada');
  for (const [at, name] of ['Grace', 'Emmy', 'Sofia'].entries()) {
    await member(stage, `${name.toLowerCase()}@example.com`, name);
    await venue.admin.createAccount({ name: `racer-${at + 1}` });
  }
  await venue.admin.appoint({ personId: ada, role: 'operator' });
  const { page, close } = await stage.open('/account#money');
  await signInAs(page, EMAIL);
  await fund(stage, EMAIL, 'USDT', '5000');
  await openTab(page, 'Balances and history');
  for (const [amount, address] of [
    ['250', 'Tsomewhere'],
    ['40', 'Telsewhere'],
  ] as const) {
    const panel = page.locator('section.panel').filter({ hasText: REQUESTS });
    await button(panel, 'Withdraw').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill(amount);
    await dialog.getByLabel('Address').fill(address);
    await button(dialog, 'Withdraw').click();
    await dialog.waitFor({ state: 'detached' });
  }
  await close();
  const [now, hourMs] = [Date.now(), 3_600_000];
  await venue.admin.announce({
    level: 'info',
    titleEn: 'New pair on Monday',
    textEn: 'GEM-USDT opens at 09:00 UTC.',
    from: now,
    until: now + 24 * hourMs,
  });
  await venue.admin.planMaintenance({
    from: now + 6 * hourMs,
    until: now + 7 * hourMs,
    textEn: 'The disk is replaced.',
  });
  await race(stage);
}

/** A round between the demo account, which trades, and others that watch. */
async function race({ venue }: Stage): Promise<void> {
  const terms = { name: 'Autumn cup', sampleMs: 1_000, money: [{ coin: 'USDT', amount: '10000' }] };
  const made = await venue.admin.makeCompetition(terms);
  const competition = made.competitionId;
  const names = [
    ['demo', 'Lovelace'],
    ['racer-1', 'Hopper'],
    ['racer-2', 'Noether'],
    ['racer-3', 'Kovalevskaya'],
  ] as const;
  for (const [id, name] of names) {
    await venue.admin.addEntries({ competition, accounts: [id], name });
  }
  await venue.admin.makeRound({ competition, name: 'Qualifying', durationMs: 3_600_000 });
  const demo = new Hand(venue.url, 'demo');
  await until('the round runs', async () => {
    const { rounds } = await venue.admin.competition({ competition });
    return rounds[0]?.state === 'running';
  });
  const price = (await lastPrice(venue.url, CONTRACT)) * 1.003;
  await demo.spot(PAIR, 'buy', price.toFixed(0), '0.1');
}

/** Of a contract; zero before its first trade. */
async function lastPrice(url: string, symbol: string): Promise<number> {
  const answer = await fetch(`${url}/api/swap/v3/market/ticker?symbol=${symbol}`);
  return Number(JSON.parse(await answer.text()).last);
}

const words = process.argv.slice(2);

async function takeAll(
  screens: readonly Screen[],
  flags: readonly string[],
  prepare = trade,
): Promise<void> {
  const wanted = screens.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  if (wanted.length === 0) return;
  const stage = await openStage({ flags });
  try {
    for (const symbol of [CONTRACT, OTHER_CONTRACT]) {
      await until('a first trade', async () => (await lastPrice(stage.venue.url, symbol)) > 0);
    }
    await prepare(stage);
    await new Promise((done) => setTimeout(done, MARKET_LIVES_MS));
    for (const screen of wanted) await take(stage, screen);
  } finally {
    await stage.close();
  }
}

mkdirSync(OUT, { recursive: true });
await takeAll([...TERMINAL, ...DESK], ['--sandbox']);
const directory = mkdtempSync(join(tmpdir(), 'outcry-pictures-'));
try {
  const config = join(directory, 'venue.yaml');
  const payments = 'payments:\n  coins:\n    - { coin: USDT, minWithdraw: "10", fee: "1" }\n';
  writeFileSync(config, demoWith(`people:\n  signUp: open\n${payments}`));
  await takeAll(PEOPLE, ['--config', config], populate);
} finally {
  rmSync(directory, { recursive: true });
}
