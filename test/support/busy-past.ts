/** A data directory with a past: of a sandbox that has played scenarios and stopped in order. */
import { AdminClient } from '#client';
import { ADMIN_TOKEN } from './program.ts';
import { ServerHere } from './server-here.ts';

/** A pair and a contract, a liquidation, funding. Only the first one meets what it expects. */
const SCENARIOS = ['flash-crash', 'funding-spike', 'fat-finger'];

export async function layDownBusyPast(directory: string): Promise<void> {
  const here = await new ServerHere(directory).start({ sandbox: true });
  try {
    const client = new AdminClient(here.url, ADMIN_TOKEN, '/sandbox/v1');
    for (const name of SCENARIOS) await client.call('POST', `/scenarios/${name}/run`, {});
  } finally {
    await here.stop();
  }
}
