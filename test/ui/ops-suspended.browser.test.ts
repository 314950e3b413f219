/** A contract that the venue has suspended, as the operator sees it at the desk and resumes it. */
import { test } from 'node:test';
import { openStage } from '../support/browser.ts';
import { FAULTY_SERVER, FaultyVenue } from '../support/faulty-venue.ts';
import { noticed } from '../support/notices.ts';
import { button, confirm, openDesk, row } from '../support/operator-hand.ts';
import { reads } from '../support/until.ts';

test('the desk shows what is suspended and why, and resumes it', async (t) => {
  const faulty = new FaultyVenue(t);
  await faulty.twiceKilled();
  const { directory } = faulty;
  const stage = await openStage({ participants: false, directory, main: FAULTY_SERVER });
  t.after(() => stage.close());
  const { page } = await openDesk(stage, 'health');
  await page.getByRole('status').getByText('Degraded', { exact: true }).waitFor();
  await page.getByRole('alert').getByText('BTC-USD-PERP').waitFor();

  const { venue } = stage;
  await venue.admin.reportIndex({ symbol: 'BTC-USD-PERP', price: '30000' });
  await page.getByRole('tab', { name: 'Instruments' }).click();
  const title = 'Suspended after an engine failure';
  const suspended = await row(page, title, 'BTC-USD-PERP', 'planted: no balance falls below zero');
  await button(page, 'Resume: BTC-USD-PERP').first().click();
  await confirm(page, 'Resume trading of BTC-USD-PERP?', 'Resume');
  await noticed(page, 'BTC-USD-PERP: Trading');
  await suspended.waitFor({ state: 'detached' });
  const status = async () => (await venue.admin.contract({ symbol: 'BTC-USD-PERP' })).status;
  await reads(status, 'online');
});
