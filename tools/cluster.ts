/**
 * `npm run cluster -- up [--members 3] [--gateways 2] [--json] [flags of outcry serve]`: a whole
 * cluster on this machine until a signal ends it, all of it. Needs etcd's server in the path.
 */

import { ClusterHere } from './cluster/processes.ts';
import { haveEtcd } from './etcd-servers.ts';
import { type PostgresServer, postgresPrograms, startPostgres } from './postgres.ts';

interface Words {
  readonly members: number;
  readonly gateways: number;
  readonly json: boolean;
  readonly flags: readonly string[];
}

const PROCESSES_MAX = 9;

function readWords([action, ...words]: readonly string[]): Words {
  if (action !== 'up') throw new Error(`say what to do: up, not ${action ?? 'nothing'}`);
  const flags: string[] = [];
  const counts = { members: 3, gateways: 2 };
  let json = false;
  const rest = words.values();
  for (const word of rest) {
    if (word === '--json') json = true;
    else if (word === '--members') counts.members = countOf(word, rest.next().value, 1);
    else if (word === '--gateways') counts.gateways = countOf(word, rest.next().value, 0);
    else flags.push(word);
  }
  return { ...counts, json, flags };
}

function countOf(flag: string, text: string | undefined, min: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= min && count <= PROCESSES_MAX) return count;
  throw new Error(`${flag} takes a number from ${min} to ${PROCESSES_MAX}, not ${text}`);
}

function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

function readyLine(
  { members, gateways, etcd, adminToken }: ClusterHere,
  postgres: PostgresServer | undefined,
): string {
  return JSON.stringify({
    ready: true,
    gateways: gateways.map(({ url, pid }) => ({ url, pid })),
    members: members.map(({ name, url, pid }) => ({ name, url, pid })),
    etcd: etcd.servers.map(({ name, endpoint, pid }) => ({ name, url: `http://${endpoint}`, pid })),
    ...(postgres && { postgres: { url: postgres.url, pid: postgres.pid } }),
    adminToken,
  });
}

function readyText(
  { members, gateways, adminToken }: ClusterHere,
  postgres: PostgresServer | undefined,
): string {
  const line = ({ name, url, pid }: ClusterHere['members'][number]) =>
    `  ${name.padEnd(12)}${url}  (process ${pid})`;
  return [
    'The cluster is ready. Clients use a gateway; every process serves the whole API.',
    ...[...gateways, ...members].map(line),
    ...(postgres ? [`Reports: ${postgres.url}, schema outcry`] : []),
    `Admin token: ${adminToken}`,
    'Ctrl-C ends everything.',
  ].join('\n');
}

try {
  const { json, ...choices } = readWords(process.argv.slice(2));
  if (!haveEtcd()) throw new Error('etcd is not in the path: apt-get install etcd-server');
  const stopped = stopSignal();
  // Reports are left out where it is not installed.
  const postgres = postgresPrograms() === undefined ? undefined : await startPostgres();
  const historyUrl = postgres?.url;
  const cluster = await ClusterHere.start({ ...choices, historyUrl });
  const ready = json ? readyLine(cluster, postgres) : readyText(cluster, postgres);
  process.stdout.write(`${ready}\n`);
  await stopped;
  await cluster.close();
  await postgres?.close();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
