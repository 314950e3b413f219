/** How fast the members of a cluster write a database of reports that has nothing yet. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClusterHere } from '../tools/cluster/processes.ts';

const LOOK_EVERY_MS = 100;
const GIVE_UP_MS = 180_000;
const LAG = /^outcry_reports_lag_commands ([0-9]+)$/m;

export interface Written {
  readonly rows: number;
  readonly seconds: number;
}

/** From the first rows in the database until every member has nothing left to write. */
export async function catchUp({ members }: ClusterHere, url: string): Promise<Written> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const giveUpMs = performance.now() + GIVE_UP_MS;
    let startMs: number | undefined;
    while (performance.now() < giveUpMs) {
      startMs ??= (await countRows(client)) > 0 ? performance.now() : undefined;
      const lags = await Promise.all(members.map(lagOf));
      if (startMs !== undefined && lags.every((lag) => lag === 0)) {
        const seconds = (performance.now() - startMs) / 1_000;
        return { rows: await countRows(client), seconds };
      }
      await wait(LOOK_EVERY_MS);
    }
    throw new Error('the reports have not caught up');
  } finally {
    await client.end();
  }
}

async function lagOf({ url }: ClusterHere['members'][number]): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(LAG.exec(text)?.[1] ?? Number.NaN);
}

/** In all tables of the schema, and none before it is there. */
async function countRows(client: Client): Promise<number> {
  const tables = await client.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'outcry' and table_type = 'BASE TABLE'`,
  );
  let count = 0;
  for (const { name } of tables.rows) {
    const found = await client.query<{ count: string }>(`select count(*) from outcry.${name}`);
    count += Number(found.rows[0]?.count ?? 0);
  }
  return count;
}
