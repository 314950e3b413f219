/**
 * A stage for the tests of the pages: a real venue and a real Chromium. Every opened page notes
 * what it complained of and whom it asked, so that a test can demand silence.
 */
import { strict as assert } from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { NOTES_NOTICES } from './notices.ts';
import { reads } from './until.ts';
import { startVenueProcess, type VenueChoices, type VenueProcess } from './venue-process.ts';

const WHOLE_BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** The same engine without windows of its own takes two thirds of the work. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', ...WHOLE_BROWSERS];
const PAGES = resolve(import.meta.dirname, '../../dist-ui/index.html');
/** Reached only when a page hangs: on a loaded machine a step takes some seconds. */
const STEP_MAX_MS = 30_000;

/** Nothing that calls home; without a sandbox of its own, since tests may run as root. */
const SWITCHES = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The trader's choices, as the terminal keeps them; a test that changes one keeps its own. The page
 * of the API's reference has an origin of its own, and nothing that is kept.
 */
const COUNTS_CONTRACTS = { 'outcry.orders.contract-unit': 'contracts' };
const SENDS_AT_ONCE = { 'outcry.orders.confirm': 'no' };

function keeps(kept: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(kept).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return `for (const [name, text] of self.origin === 'null' ? [] : ${JSON.stringify(rows)}) {
    if (localStorage.getItem(name) === null) localStorage.setItem(name, text);
  }`;
}

export const SIZES = {
  laptop: { width: 1280, height: 720 },
  desk: { width: 1920, height: 1080 },
  phone: { width: 390, height: 844 },
} as const;

export interface Sight {
  readonly page: Page;
  /** Warnings and errors of the console, refusals of the policy and uncaught errors. */
  readonly complaints: readonly string[];
  /** Origins that were asked for anything, sockets included. */
  readonly origins: ReadonlySet<string>;
  close(): Promise<void>;
}

export interface SightChoices
  extends Pick<BrowserContextOptions, 'locale' | 'colorScheme' | 'timezoneId'> {
  /** Laptop without it. */
  readonly size?: keyof typeof SIZES;
  /** Whether the terminal shows an order once more before it is sent, as for a new visitor. */
  readonly asksFirst?: boolean;
  /** What this browser has kept from before, by its name in the page's storage. */
  readonly kept?: Readonly<Record<string, unknown>>;
}

export interface StageChoices extends VenueChoices {
  /** With what a desktop sees of a browser, as are notifications. */
  readonly wholeBrowser?: boolean;
}

export interface Stage {
  readonly venue: VenueProcess;
  /** Opens a page of the venue, as in open('/ops'), with storage of its own. */
  open(path?: string, choices?: SightChoices): Promise<Sight>;
  /** Ends the browser and the venue. */
  close(): Promise<void>;
}

/** Rejects with what to install when there is no Chromium, or to build. */
export function openBrowser(isWhole = false): Promise<Browser> {
  const executablePath = (isWhole ? WHOLE_BROWSERS : BROWSERS).find((path) => existsSync(path));
  assert.ok(executablePath, "install Debian's chromium: apt-get install chromium");
  assert.ok(existsSync(PAGES), 'the pages are not built: npm run build:ui');
  return chromium.launch({ executablePath, args: SWITCHES });
}

/** Starts both, the browser first. */
export async function openStage(choices: StageChoices = {}): Promise<Stage> {
  const browser = await openBrowser(choices.wholeBrowser);
  const venue = await startVenueProcess(choices).catch(async (error) => {
    await browser.close();
    throw error;
  });
  return {
    venue,
    open: (path = '/', sight = {}) => openSight(browser, venue.url + path, sight),
    close: async () => {
      await browser.close();
      await venue.stop();
    },
  };
}

export async function openSight(
  browser: Browser,
  url: string,
  choices: SightChoices = {},
): Promise<Sight> {
  const { size = 'laptop', locale = 'en-GB', colorScheme = 'dark', timezoneId = 'UTC' } = choices;
  const { asksFirst = false, kept = {} } = choices;
  const context = await browser.newContext({
    viewport: SIZES[size],
    locale,
    colorScheme,
    timezoneId,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(STEP_MAX_MS);
  await context.addInitScript(NOTES_NOTICES);
  const orders = { ...COUNTS_CONTRACTS, ...(asksFirst ? {} : SENDS_AT_ONCE) };
  await context.addInitScript(keeps({ ...orders, ...kept }));
  const page = await context.newPage();
  const complaints: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) complaints.push(complaintOf(message));
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => origins.add(originOf(request.url())));
  page.on('websocket', (socket) => origins.add(originOf(socket.url())));
  await page.goto(url);
  return { page, complaints, origins, close: () => context.close() };
}

/** With the address of what could not be loaded, which the text leaves out. */
function complaintOf(message: ConsoleMessage): string {
  const { url } = message.location();
  return url === '' ? message.text() : `${message.text()} ${url}`;
}

/** ws: counts as http: of the same host. */
function originOf(url: string): string {
  return new URL(url.replace(/^ws/, 'http')).origin;
}

/**
 * Checks a box or one of several choices, and waits until the page shows it: what a store publishes
 * is painted a frame after the click, and Playwright's own `check` looks at once.
 */
export async function pick(box: Locator): Promise<void> {
  if (!(await box.isChecked())) await box.click();
  await reads(() => box.isChecked(), true);
}
