/** The market's side of the terminal in a real browser: selector, facts, charts, book, trades. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { outcryClient, type sandbox as sandboxApi } from '#client';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, type Sight, type SightChoices } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';
import { Hand, venueTimeMs } from './hand.ts';
import { boxAtRest } from './looks.ts';

const PAIR = 'BTC-USDT';
const CONTRACT = 'BTC-USDT-PERP';
const MINUTE_MS = 60_000;
/** More than the time in which a stream joins changes into one message. */
const MESSAGE_APART_MS = 300;

/** A quiet venue: every figure on the page is one that a test has made. */
const stage = closedAtEnd(await openStage({ participants: false, flags: ['--sandbox'] }));
const maker = new Hand(stage.venue.url, 'maker');
const demo = new Hand(stage.venue.url, 'demo');

type Prove = (sight: Sight) => Promise<void>;

/** A proof with a page of its own, which must not complain of anything. */
function proof(name: string, symbol: string, prove: Prove, choices: SightChoices = {}): void {
  test(name, async () => {
    const sight = await stage.open(`/#${symbol}`, choices);
    try {
      await prove(sight);
      assert.deepEqual(sight.complaints, []);
    } finally {
      await sight.close();
    }
  });
}

const { sandbox } = stage.venue;

function book(page: Page): Locator {
  return page.getByRole('grid', { name: /Order book/ });
}

/** Waits until the rows of the book are these, top down. */
async function bookIs(page: Page, rows: readonly string[]): Promise<void> {
  await reads(async () => (await book(page).getByRole('row').allInnerTexts()).map(words), rows);
}

function words(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}

const ASKS = ['30,100.00 0.3000 1.8000', '30,020.00 1.0000 1.5000', '30,010.00 0.5000 0.5000'];
const BIDS = ['29,990.00 0.4000 0.4000', '29,980.00 2.0000 2.4000'];

proof('the book cumulates, groups, and follows every order', PAIR, async ({ page }) => {
  await maker.spot(PAIR, 'sell', '30010', '0.5');
  await maker.spot(PAIR, 'sell', '30020', '1');
  await maker.spot(PAIR, 'sell', '30100', '0.3');
  await maker.spot(PAIR, 'buy', '29990', '0.4');
  await maker.spot(PAIR, 'buy', '29980', '2');
  await bookIs(page, [...ASKS, ...BIDS]);
  await page.getByText('20.00 (0.07%)').waitFor();
  await page.getByLabel('Price grouping').selectOption({ label: '100' });
  await bookIs(page, ['30,100 1.8000 1.8000', '29,900 2.4000 2.4000']);
  await page.getByLabel('Price grouping').selectOption({ label: '0.01' });
  await page.getByRole('radio', { name: 'Bids' }).click();
  await bookIs(page, BIDS);
  await page.getByRole('radio', { name: 'Asks' }).click();
  await bookIs(page, ASKS);
});

proof('a link to another market of the same page is followed', PAIR, async ({ page }) => {
  await page.locator('.market-line').getByText('Spot').waitFor();
  await page.evaluate("location.hash = '#BTC-USDT-PERP'");
  await page.locator('.market-line').getByText('Perp').waitFor();
  await page.getByRole('tab', { name: 'Positions' }).waitFor();
});

proof('a price of the book goes into the order form', PAIR, async ({ page }) => {
  const price = page.getByRole('textbox', { name: 'Price', exact: true });
  await book(page).getByRole('row', { name: '29,990.00' }).click();
  await reads(() => price.inputValue(), '29990.00');
  await book(page).focus();
  // The best ask, and the one above it.
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await reads(() => price.inputValue(), '30020.00');
});

proof('a signed in reader sees where own orders stand', PAIR, async ({ page }) => {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await demo.spot(PAIR, 'buy', '29970', '0.1');
  const own = book(page)
    .getByRole('row')
    .filter({ has: page.getByTitle('Your order') });
  await reads(async () => words(await own.innerText()), '29,970.00 0.1000 2.5000');
});

proof('a trade is told at once in list, price, title and chart', PAIR, async ({ page }) => {
  await book(page).waitFor();
  // Both belong to one minute.
  await sandbox.pauseClock();
  await demo.spot(PAIR, 'buy', '30010', '0.2');
  await demo.spot(PAIR, 'sell', '29990', '0.1');
  await reads(() => page.title(), '29,990.00 BTC/USDT Spot | Outcry');
  const last = page.getByRole('region', { name: 'Market', exact: true }).locator('.direction-down');
  await reads(() => last.first().innerText(), '29,990.00');
  const bar = 'O 30,010.00 H 30,010.00 L 29,990.00 C 29,990.00 Vol 0.3 BTC -0.07%';
  await reads(() => legend(page), bar);
  await page.getByRole('tab', { name: 'Trades' }).click();
  const rows = page.getByRole('region', { name: 'Trades' }).getByRole('row');
  const shown = async () => {
    const [, ...texts] = await rows.allInnerTexts();
    return texts.map((text) => words(text).replace(/ [0-9:]+$/, ''));
  };
  await reads(shown, ['Sell 29,990.00 0.1000', 'Buy 30,010.00 0.2000']);
  await sandbox.runClock({ speed: '1' });
});

async function legend(page: Page): Promise<string> {
  return words(await page.locator('.chart-legend').innerText());
}

for (const { name, fault } of [
  { name: 'a message that was lost', fault: true },
  { name: 'a checksum that is another one', fault: false },
]) {
  proof(`${name} is noticed, and the book is fetched anew`, PAIR, async ({ page }) => {
    const spoilNext = fault ? undefined : await checksumSpoiler(page);
    if (!fault) await page.reload();
    await book(page).waitFor();
    const told = page.getByText('Resyncing').waitFor();
    const spoil = (fault: sandboxApi.AddFaultInput) =>
      sandbox.addFault({ target: 'native book', ...fault });
    let isTold = false;
    const noted = told.then(() => {
      isTold = true;
    });
    // A page that is going takes a message with it, so one may have to be lost again. Orders of one
    // moment share a message: what is missing shows only in a later one.
    while (!isTold) {
      if (fault) await spoil({ effect: { kind: 'drop_message' }, count: 1 });
      spoilNext?.();
      // The new book comes late enough for a page that paints once a frame to say so.
      await spoil({ effect: { kind: 'delay_message', ms: MESSAGE_APART_MS } });
      for (const price of ['29960', '29950']) {
        await maker.spot(PAIR, 'buy', price, '0.01');
        await Promise.race([noted, page.waitForTimeout(2 * MESSAGE_APART_MS)]);
      }
      await sandbox.removeFaults();
    }
    await page.getByText('Resyncing').waitFor({ state: 'detached' });
  });
}

/** Between the venue and the page, the next update of a book gets a wrong checksum when told so. */
async function checksumSpoiler(page: Page): Promise<() => void> {
  let isArmed = false;
  await page.routeWebSocket(/\/v1\/ws/, (socket) => {
    socket.connectToServer().onMessage((message) => {
      const text = String(message);
      const isMeant = isArmed && /"channel":"book:.*"type":"update"/.test(text);
      socket.send(isMeant ? text.replace(/"checksum":-?\d/, '"checksum":7') : text);
      if (isMeant) isArmed = false;
    });
  });
  return () => {
    isArmed = true;
  };
}

proof('the selector is reached and left by keyboard alone', PAIR, async ({ page }) => {
  await book(page).waitFor();
  await page.keyboard.press('/');
  const search = page.getByRole('combobox', { name: 'Search markets' });
  await search.waitFor();
  await page.keyboard.type('eth');
  const rows = page.getByRole('dialog').getByRole('row');
  await reads(() => rows.count(), 4);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await search.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'ETH/BTC' }).waitFor();
  await reads(() => new URL(page.url()).hash, '#ETH-BTC');
  await page.keyboard.press('/');
  await search.waitFor();
  await page.keyboard.press('Escape');
  await search.waitFor({ state: 'detached' });
});

proof('starred markets are a list of their own and outlive a reload', PAIR, async ({ page }) => {
  await page.getByRole('button', { name: /^BTC\/USDT Spot/ }).click();
  await page.getByRole('button', { name: 'Favourite ETH/USDT' }).first().click();
  await page.reload();
  await page.getByRole('button', { name: /^BTC\/USDT Spot/ }).click();
  await page.getByRole('radio', { name: 'Favourites' }).click();
  const rows = page.getByRole('dialog').getByRole('row');
  await eventually(
    () => rows.allInnerTexts(),
    (texts) => {
      assert.equal(texts.length, 2);
      assert.match(String(texts[1]), /ETH\/USDT\s+Spot/);
    },
  );
  await page.getByRole('button', { name: '24 h change' }).click();
  const column = page.getByRole('columnheader', { name: '24 h change' });
  await reads(() => column.getAttribute('aria-sort'), 'descending');
});

proof('a contract has mark, index, funding and open interest', CONTRACT, async ({ page }) => {
  await sandbox.setIndex({ symbol: 'BTC-USDT-PERP', price: '30000' });
  await maker.open(CONTRACT, 'short', '30005', '7');
  await demo.open(CONTRACT, 'long', '30005', '3');
  const facts = page.getByRole('region', { name: 'Market', exact: true });
  await eventually(
    async () => words(await facts.innerText()),
    (text) => {
      assert.match(text, /^30,005\.0 /);
      assert.match(text, /Mark [23][0-9],[0-9]{3}\.[0-9] Index 30,000\.0 /);
      assert.match(text, /Funding \/ countdown \+?-?0\.[0-9]{4}% \/ 0[0-8]:[0-5][0-9]:[0-5][0-9]/);
      assert.match(text, /Open interest 3 cont\./);
    },
  );
  const leftS = async () => {
    const [ticker] = await outcryClient({ url: stage.venue.url }).native.tickers({
      symbol: CONTRACT,
    });
    return (Number(ticker?.fundingTime) - (await venueTimeMs(stage.venue.url))) / 1_000;
  };
  await eventually(
    async () => {
      const before = await leftS();
      return { before, text: await facts.innerText(), after: await leftS() };
    },
    ({ before, text, after }) => {
      const [hours = 0, minutes = 0, seconds = 0] =
        /(\d\d):(\d\d):(\d\d)/.exec(text)?.slice(1).map(Number) ?? [];
      const shownS = hours * 3_600 + minutes * 60 + seconds;
      const isRight = shownS <= before + 2 && shownS >= after - 2;
      assert.ok(isRight, `${shownS} s are shown, ${before} s to ${after} s are left`);
    },
  );
});

proof('every period of the venue can be chosen', PAIR, async ({ page }) => {
  const periods = page.getByRole('group', { name: 'Period' }).getByRole('radio');
  await book(page).waitFor();
  await reads(() => periods.count(), 14);
  await page.evaluate(`location.hash = '#${CONTRACT}'`);
  await page.reload();
  await reads(() => periods.count(), 14);
  const asked = page.waitForRequest(/candles.*period=4h/);
  await page.getByRole('radio', { name: '4H' }).click();
  await asked;
});

proof('the depth chart tells what stands at a price or better', PAIR, async ({ page }) => {
  await page.getByRole('tab', { name: 'Depth' }).click();
  const picture = page.getByRole('img', { name: 'Depth chart of BTC/USDT' });
  const box = await boxAtRest(picture);
  await page.mouse.move(box.x + box.width * 0.65, box.y + box.height / 2);
  // 30 % of one per cent above the middle is 30,090: the asks at 30,010 and 30,020 are below it.
  await picture.getByText('30,020.00 · 1.3000 BTC').waitFor();
});

proof('older bars are read while scrolling back, page by page', PAIR, async ({ page }) => {
  // Until the page has loaded, the bar with the trade is the last one.
  await sandbox.pauseClock();
  const nowMs = await venueTimeMs(stage.venue.url);
  const jumpedMs = (Math.ceil(nowMs / MINUTE_MS) + 2_500) * MINUTE_MS;
  await sandbox.jumpClock({ time: jumpedMs });
  await demo.spot(PAIR, 'buy', '30010', '0.1');
  await page.reload();
  await eventually(
    () => legend(page),
    (text) => assert.match(text, /Vol 0.1 BTC/),
  );
  await sandbox.runClock({ speed: '1' });
  const canvas = page.getByRole('application', { name: /Candle chart of BTC\/USDT/ });
  const box = await boxAtRest(canvas);
  const asked: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const to = searchParams.get('to');
    if (pathname.endsWith('/candles') && to !== null) asked.push(Number(to));
  });
  const middle = box.y + box.height / 2;
  await eventually(
    async () => {
      await page.mouse.move(box.x + 20, middle);
      await page.mouse.wheel(0, 2_000);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 100, middle, { steps: 4 });
      await page.mouse.up();
    },
    () => assert.ok(asked.length >= 1, 'the mouse scrolls back'),
  );
  await eventually(
    () => canvas.press('ArrowLeft'),
    () => assert.ok(asked.length >= 2, 'the keyboard scrolls back'),
  );
  const [first = 0, second = 0] = asked;
  assert.equal(first - second, 1_000 * MINUTE_MS, 'a page begins where the one after it ended');
});

proof('a page without frames, as a hidden one, still tells the price', PAIR, async ({ page }) => {
  const title = () => page.title();
  await eventually(title, (text) => assert.match(text, /BTC\/USDT/));
  await page.evaluate('window.requestAnimationFrame = () => 1');
  await demo.spot(PAIR, 'sell', '30321', '0.1');
  await maker.spot(PAIR, 'buy', '30321', '0.1');
  await eventually(title, (text) => assert.match(text, /^30,321/));
});

test('a chart that cannot be loaded leaves the rest alone, and can be tried again', async () => {
  const sight = await stage.open('/ops');
  try {
    const { page } = sight;
    await page.route('**/candle-chart*', (route) => route.abort());
    await page.goto(`${stage.venue.url}/#${PAIR}`);
    const fault = page.getByRole('alert').filter({ hasText: 'The chart could not be loaded' });
    await fault.waitFor();
    await book(page).waitFor();
    await page.unroute('**/candle-chart*');
    await fault.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('application', { name: /Candle chart of BTC\/USDT/ }).waitFor();
    await reads(() => fault.count(), 0);
  } finally {
    await sight.close();
  }
});

test('a banner that cannot be loaded leaves the terminal alone', async () => {
  const sight = await stage.open('/ops');
  try {
    const { page } = sight;
    await page.route('**/banner*', (route) => route.abort());
    const asked = page.waitForEvent('requestfailed', (request) => /banner/.test(request.url()));
    await page.goto(`${stage.venue.url}/#${PAIR}`);
    await asked;
    await page.getByRole('application', { name: /Candle chart of BTC\/USDT/ }).waitFor();
    await book(page).getByRole('row').first().waitFor();
  } finally {
    await sight.close();
  }
});

test('a page says at once that its network is gone, and looks when it is back', async () => {
  const sight = await stage.open(`/#${PAIR}`);
  try {
    const { page } = sight;
    await book(page).getByRole('row').first().waitFor();
    const old = page.getByText('Not live');
    await page.evaluate(
      "Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })",
    );
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await old.first().waitFor();
    await page.evaluate(
      "Object.defineProperty(navigator, 'onLine', { configurable: true, value: true })",
    );
    await page.evaluate("dispatchEvent(new Event('online'))");
    await reads(() => old.count(), 0);
  } finally {
    await sight.close();
  }
});

test('what is shown is marked as old when the venue is gone', async () => {
  const sight = await stage.open(`/#${PAIR}`);
  await book(sight.page).waitFor();
  await stage.venue.stop('SIGKILL');
  await sight.page.getByText('Not live').first().waitFor();
  // The last book stays readable.
  await book(sight.page).getByRole('row').first().waitFor();
});
