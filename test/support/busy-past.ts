/** A data directory with a past: of a sandbox that has played scenarios and stopped in order. */
import { operatorClient } from './operator-client.ts';
import { ADMIN_TOKEN } from './program.ts';
import { ServerHere } from './server-here.ts';

/** A pair and a contract, a liquidation, funding. Only the first one meets what it expects. */
const SCENARIOS = ['flash-crash', 'funding-spike', 'fat-finger'];

export async function layDownBusyPast(directory: string): Promise<void> {
  const here = await new ServerHere(directory).start({ sandbox: true });
  try {
    const { sandbox } = operatorClient(here.url, ADMIN_TOKEN);
    for (const name of SCENARIOS) await sandbox.runScenario({ scenario: name });
  } finally {
    await here.stop();
  }
}
