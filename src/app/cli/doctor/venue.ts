/** What a venue is to be served with: its configuration, its address, its secrets. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, findMasterKey, networkRisks, readCertificate } from '#config';
import { refuseInUse } from '#log';
import { type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const DAY_MS = 86_400_000;
/** Whoever renews certificates by a timer does so a month before they end. */
const CERTIFICATE_DAYS_MIN = 30;

export function configFindings(config: Config): Finding[] {
  const { file, assets, spot, contracts, accounts, warnings } = config;
  const counts = [
    `${assets.length} coins`,
    `${spot.length} pairs`,
    `${contracts.length} contracts`,
    `${accounts.length} accounts`,
  ];
  const risks = networkRisks(config).map((risk) => warning(risk, 'take it off the network'));
  const old = warnings.map((text) => warning(text, 'it is understood all the same'));
  const sound = ok(`${file} is sound: ${counts.join(', ')}`);
  return [sound, ...old, ...risks, ...certificate(config)];
}

function certificate(config: Config): Finding[] {
  try {
    const certificate = readCertificate(config);
    if (certificate === undefined) return [];
    const { validTo, subject } = new X509Certificate(certificate.cert);
    const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
    const name = subject.replaceAll('\n', ', ');
    if (days >= CERTIFICATE_DAYS_MIN)
      return [ok(`the certificate of ${name} is good for ${days} days`)];
    const [text, advice] = [`the certificate of ${name} ends ${validTo}`, 'renew it'];
    return [days < 0 ? problem(text, advice) : warning(text, advice)];
  } catch (cause) {
    return [problem(reasonOf(cause), 'mend server.tls')];
  }
}

/** Whether a process has the data directory. */
export function isInUse(directory: string): boolean {
  try {
    refuseInUse(directory);
    return false;
  } catch {
    return true;
  }
}

/** Where it would listen. A venue that runs has taken the place already. */
export async function addressFinding({ host, port }: Config, isRunning: boolean): Promise<Finding> {
  const place = `port ${port} of ${host}`;
  if (port === 0) return ok(`a port of ${host} that the system chooses`);
  const code = await refusalOf(host, port);
  if (code === undefined) return ok(`${place} is free`);
  if (code !== 'EADDRINUSE') return problem(`cannot listen on ${place}: ${code}`, CHOOSE);
  if (isRunning) return ok(`${place} is in use, and so is the data directory: the venue runs`);
  return problem(`${place} is in use by another program`, CHOOSE);
}

const CHOOSE = 'stop what listens there, or choose another place with --host and --port';

async function refusalOf(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  try {
    await once(probe.listen({ host, port, exclusive: true }), 'listening');
  } catch (cause) {
    return cause instanceof Error && 'code' in cause ? String(cause.code) : reasonOf(cause);
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}

/** The key of a directory, and what is to be said about it. */
export function masterKey({ dataDirectory, masterKeyText }: Config, hasJournal: boolean) {
  try {
    const key = findMasterKey({ dataDirectory, masterKeyText });
    return { key, finding: keyFinding(key !== undefined, masterKeyText !== undefined, hasJournal) };
  } catch (cause) {
    return { key: undefined, finding: problem(reasonOf(cause), 'mend that: no start without it') };
  }
}

function keyFinding(isThere: boolean, isGiven: boolean, hasJournal: boolean): Finding {
  if (isGiven) return ok('the master key is given by the environment');
  if (isThere) return ok('the master key is in the data directory: keep a copy of it elsewhere');
  if (!hasJournal) return ok('a master key will be made at the first start');
  return problem(
    'there is a journal, and the master key that it was written with is not here',
    'put master.key back, or give it as OUTCRY_MASTER_KEY: without it no key of an account works',
  );
}
