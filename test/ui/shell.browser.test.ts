/** The frame of both pages in a real browser: loading, policy, language, theme, signing in. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { closedAtEnd } from '../support/at-end.ts';
import { openStage, pick, type Sight, type SightChoices } from '../support/browser.ts';
import { eventually, reads } from '../support/until.ts';

const KEPT_FOR_A_YEAR = 'public, max-age=31536000, immutable';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const stage = closedAtEnd(await openStage());

type Prove = (sight: Sight) => Promise<void>;

/** A proof with a page of its own. */
function proof(name: string, path: string, choices: SightChoices, prove: Prove): void {
  test(name, async () => {
    const sight = await stage.open(path, choices);
    await prove(sight).finally(() => sight.close());
  });
}

const ENTRANCES = [
  ['/', 'Sign in'],
  ['/ops', 'Sign in'],
] as const;

for (const [path, sign] of ENTRANCES) {
  proof(`${path} loads from this origin alone, without a complaint`, path, {}, async (sight) => {
    await sight.page.getByRole('button', { name: sign, exact: true }).waitFor();
    await sight.page.waitForLoadState('networkidle');
    assert.deepEqual([...sight.origins], [stage.venue.url]);
    assert.deepEqual(sight.complaints, []);
  });

  test(`${path} allows only files of its own origin and is asked for every time`, async () => {
    const { headers, status } = await fetch(stage.venue.url + path);
    assert.equal(status, 200);
    assert.deepEqual(headers.get('content-security-policy')?.split('; '), POLICY);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-cache');
  });
}

proof('a script that was slipped into the page does not run', '/', {}, async ({ page }) => {
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  const refused = page.waitForEvent('console', (line) => /Content Security/.test(line.text()));
  await page.evaluate(`
    const script = document.createElement('script');
    script.textContent = 'window.slipped = true';
    document.body.append(script);
  `);
  await refused;
  assert.equal(await page.evaluate('window.slipped'), undefined);
});

test('files are compressed and kept for a year, pages name them by hash', async () => {
  const html = await (await fetch(stage.venue.url)).text();
  const files = [...html.matchAll(/\/assets\/[^"]+/g)].map(([path]) => path);
  assert.ok(files.length >= 3);
  for (const file of files) {
    assert.match(file, /-[\w-]{8}\.(js|css|svg)$/);
    for (const encoding of ['br', 'gzip']) {
      const { headers } = await fetch(stage.venue.url + file, {
        headers: { 'accept-encoding': encoding },
      });
      const told = ['content-encoding', 'vary', 'cache-control'].map((name) => headers.get(name));
      assert.deepEqual(told, [encoding, 'accept-encoding', KEPT_FOR_A_YEAR], file);
    }
  }
  const unknown = await fetch(`${stage.venue.url}/assets/unknown.js`);
  assert.deepEqual([unknown.status, JSON.parse(await unknown.text()).code], [404, '40404']);
});

test('/ui/venue says what the pages cannot know before', async () => {
  assert.deepEqual(await (await fetch(`${stage.venue.url}/ui/venue`)).json(), {
    name: 'Outcry',
    demo: { key: 'demo-key', secret: 'demo-secret', passphrase: 'demo-pass' },
    sandbox: false,
    people: 'demo',
  });
});

proof('the language is switched, told to the document, and kept', '/', {}, async ({ page }) => {
  await page.getByLabel('Language').selectOption('中文');
  await page.getByRole('button', { name: '登录', exact: true }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: '登录', exact: true }).waitFor();
  await reads(() => page.locator('html').getAttribute('lang'), 'zh');
});

proof('a Chinese browser begins in Chinese', '/', { locale: 'zh-CN' }, async ({ page }) => {
  await page.getByRole('button', { name: '登录', exact: true }).waitFor();
});

async function provesTheme({ page }: Sight, system: string, other: string): Promise<void> {
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.getByLabel('Theme').waitFor();
  await page.locator(`html[data-theme="${system}"]`).waitFor();
  const first = await ground();
  await page.getByLabel('Theme').selectOption(other);
  await page.locator(`html[data-theme="${other}"]`).waitFor();
  await eventually(ground, (now) => assert.notEqual(now, first));
  await page.reload();
  await page.locator(`html[data-theme="${other}"]`).waitFor();
}

proof('a dark system begins dark; light is kept', '/', { colorScheme: 'dark' }, (sight) =>
  provesTheme(sight, 'dark', 'light'),
);
proof('a light system begins light; dark is kept', '/', { colorScheme: 'light' }, (sight) =>
  provesTheme(sight, 'light', 'dark'),
);

proof('one click signs in with the demo account, one more signs out', '/', {}, async (sight) => {
  const { page } = sight;
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Use the demo account' }).click();
  await page.getByTitle('Signed in with API key').getByText('demo-key').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  assert.deepEqual(sight.complaints, []);
});

async function typeKey({ page }: Sight, secret: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('API key').fill('demo-key');
  await page.getByLabel('Secret key').fill(secret);
  await page.getByLabel('Passphrase').fill('demo-pass');
}

proof('a wrong secret is refused with the reason; the form stays', '/', {}, async (sight) => {
  await typeKey(sight, 'wrong');
  await sight.page.getByLabel('Passphrase').press('Enter');
  const alert = sight.page.getByRole('alert');
  await alert.getByText('Key, passphrase or signature is wrong').waitFor();
  await reads(() => sight.page.getByLabel('API key').inputValue(), 'demo-key');
});

proof('a refusal is in the language of the page', '/', { locale: 'zh-CN' }, async ({ page }) => {
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.getByLabel('API Key').fill('demo-key');
  await page.getByLabel('Secret Key').fill('wrong');
  await page.getByLabel('口令').fill('demo-pass');
  await page.getByLabel('口令').press('Enter');
  await page.getByRole('alert').getByText('登录失败: API Key、口令或签名错误').waitFor();
});

const FATES = [
  [true, 'a key that is kept survives a reload'],
  [false, 'a key that is not kept is gone with a reload'],
] as const;

for (const [isKept, fate] of FATES) {
  proof(fate, '/', {}, async (sight) => {
    const { page } = sight;
    await typeKey(sight, 'demo-secret');
    if (isKept) await pick(page.getByLabel('Stay signed in'));
    await page.getByLabel('Passphrase').press('Enter');
    await page.getByTitle('Signed in with API key').waitFor();
    await page.reload();
    if (isKept) await page.getByTitle('Signed in with API key').waitFor();
    else await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
    assert.equal(String(stored).includes('demo-secret'), isKept);
  });
}

proof('no secret leaves the browser', '/', {}, async (sight) => {
  const said: string[] = [];
  sight.page.on('request', (request) => {
    said.push(request.url(), request.postData() ?? '', JSON.stringify(request.headers()));
  });
  sight.page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => said.push(String(payload)));
  });
  await typeKey(sight, 'demo-secret');
  await sight.page.getByLabel('Passphrase').press('Enter');
  await sight.page.getByTitle('Signed in with API key').waitFor();
  assert.ok(said.some((text) => text.includes('x-outcry-sign')));
  const leaks = said.filter((text) => text.includes('demo-secret'));
  assert.deepEqual(leaks, []);
});

proof('Esc closes the dialog and gives the focus back', '/', {}, async ({ page }) => {
  const button = page.getByRole('button', { name: 'Sign in', exact: true });
  await button.focus();
  await button.press('Enter');
  await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await reads(() => page.evaluate('document.activeElement.textContent'), 'Sign in');
});

const PHONE_TABS = ['Chart', 'Book', 'Trade', 'Account'];

proof(
  'a phone has tabs that arrows move, and is not too narrow',
  '/',
  { size: 'phone' },
  async ({ page }) => {
    const list = page.getByRole('tablist').first();
    await reads(() => list.getByRole('tab').allTextContents(), PHONE_TABS);
    await list.getByRole('tab', { name: 'Chart' }).press('ArrowRight');
    await list.getByRole('tab', { name: 'Book', selected: true }).waitFor();
    await list.getByRole('tab', { name: 'Book' }).press('End');
    await list.getByRole('tab', { name: 'Account', selected: true }).waitFor();
    await reads(() => page.evaluate('document.documentElement.scrollWidth'), 390);
  },
);

/** Where a laptop has no room for both, book and trades are tabs. */
const SEEN = {
  laptop: { tabs: ['Book', 'Trades'], regions: ['Trade'] },
  desk: { tabs: [], regions: ['Book', 'Trades', 'Trade'] },
} as const;

for (const size of ['laptop', 'desk'] as const) {
  proof(
    `on a ${size} everything is seen at once, without scrolling`,
    '/',
    { size },
    async ({ page }) => {
      for (const name of SEEN[size].regions) {
        await page.getByRole('region', { name, exact: true }).waitFor();
      }
      for (const name of SEEN[size].tabs) {
        await page.getByRole('tab', { name, exact: true }).waitFor();
      }
      const overflow = () =>
        page.evaluate(`[
          document.documentElement.scrollWidth - innerWidth,
          document.documentElement.scrollHeight - innerHeight,
        ]`);
      await reads(overflow, [0, 0]);
    },
  );
}

proof('the operator enters with the token and with nothing else', '/ops', {}, async ({ page }) => {
  const token = page.getByLabel('Admin token');
  await token.fill('wrong');
  await token.press('Enter');
  await page.getByRole('alert').waitFor();
  await token.fill(stage.venue.adminToken);
  await token.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await token.waitFor();
});
