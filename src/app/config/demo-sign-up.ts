/**
 * Sign-up in a demo: whoever is at the machine signs up, with links on the terminal and money for
 * nothing. Where others could come in, or money is worth something, that is a fault or closed.
 */
import { ConfigFault, type Path } from './document.ts';
import type { FileContent } from './schema.ts';
import { isLoopback } from './server.ts';

type PeopleContent = NonNullable<FileContent['people']>;

interface Surroundings {
  readonly host: string;
  readonly isCluster: boolean;
  readonly placeOf: (path: Path) => string;
}

export interface PeopleHere {
  /** What the file says of people, as far as it holds here. */
  readonly content: PeopleContent | undefined;
  /** Why nobody signs up although the file has a demo's sign-up; undefined where that holds. */
  readonly signUpClosed: string | undefined;
}

/** What a venue has that others know of, or whose money is worth something. */
const NO_DEMO: readonly (readonly [path: Path, what: string])[] = [
  [['people', 'smtp'], 'a venue that sends mails'],
  [['people', 'url'], 'a venue with an address that others know'],
  [['server', 'trustedProxies'], 'a venue behind a proxy'],
  [['server', 'hosts'], 'a venue with names that others know'],
  [['payments', 'webhooks'], 'a venue that has money paid out'],
];

/** On a network and in a cluster it is closed. Throws ConfigFault with every complaint. */
export function peopleHere(
  file: FileContent,
  { host, isCluster, placeOf }: Surroundings,
): PeopleHere {
  const { people } = file;
  refuseMixture(file, placeOf);
  if (people?.signUp !== 'demo') return { content: people, signUpClosed: undefined };
  const where = isCluster ? 'a cluster' : 'an address that others can reach';
  if (!isCluster && isLoopback(host)) return { content: people, signUpClosed: undefined };
  const { signUp, deposits, ...others } = people;
  return {
    content: Object.keys(others).length === 0 ? undefined : others,
    signUpClosed: `people.signUp: ${signUp} is for one machine: on ${where} sign-up is closed`,
  };
}

function refuseMixture(file: FileContent, placeOf: Surroundings['placeOf']): void {
  const { people } = file;
  if (people?.signUp === 'demo') {
    const complaints = NO_DEMO.filter(([path]) => isSaid(file, path)).map(
      ([path, what]) =>
        `${placeOf(path)}: ${what} has no sign-up as in a demo: people.signUp takes open, ` +
        'invitation or closed there',
    );
    if (complaints.length > 0) throw new ConfigFault(complaints);
  } else if (people?.deposits !== undefined) {
    throw new ConfigFault([
      `${placeOf(['people', 'deposits'])}: money for whoever signs up goes with signUp: demo only`,
    ]);
  }
}

function isSaid({ people, server, payments }: FileContent, [section, key]: Path): boolean {
  const sections: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>> = {
    ...{ people, server, payments },
  };
  const said = section === undefined ? undefined : sections[section]?.[String(key)];
  return Array.isArray(said) ? said.length > 0 : said !== undefined;
}

/** Throws ConfigFault unless whoever opens it to others has allowed a demo there. */
export function refuseSignUpOnNetwork(
  { people }: FileContent,
  { host, allowDemoOnNetwork }: { readonly host: string; readonly allowDemoOnNetwork: boolean },
): void {
  if (people?.signUp !== 'demo' || allowDemoOnNetwork || isLoopback(host)) return;
  throw new ConfigFault([
    `people.signUp: demo gives money to whoever signs up, and ${host} can be reached from ` +
      'elsewhere: take open, invitation or closed, or say --allow-demo-on-network, which closes it',
  ]);
}
