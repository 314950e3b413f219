/**
 * Brings a venue up to its configuration at every start: what is configured and not there yet is
 * listed, opened and funded through the venue like everything else. What exists already stays as
 * it is, so that a change made at run time wins over the file.
 */

import { detailText } from '#dialects';
import type { AccountId, Command, CreateKey, Deposit, StateReader, VenuePort } from '#domain';
import { present } from '#kernel';
import type { AccountConfig, KeyConfig, VenueContent } from './content.ts';
import { depositsOf, isDue } from './deposits.ts';
import type { Path } from './document.ts';

const DAY_MS = 86_400_000;

export interface Bootstrap {
  readonly venue: VenuePort;
  readonly hasKey: (key: string) => boolean;
  /** Its secret and the passphrase that the file has chosen, as they may be stored. */
  readonly sealKey: (key: KeyConfig) => string;
}

/** What is configured, and the file and line of each part of it. */
type Configured = VenueContent & { readonly placeOf: (path: Path) => string };

/** The venue refused something the configuration asks for. */
class BootstrapRefused extends Error {
  override readonly name = 'BootstrapRefused';
}

/**
 * Carries out whatever the configuration asks for and the venue lacks; resolves with the number of
 * commands that took. Interrupted at any point, the next start continues where it stopped.
 */
export async function bootstrap(content: Configured, parts: Bootstrap): Promise<number> {
  const { venue } = parts;
  const listings = await venue.read((state) => missingListings(content, state));
  const place = (command: Command): string => content.placeOf(pathOf(content, command));
  await submitAll(venue, listings, place);
  const opened = new Set(listings.map((one) => one.kind === 'create_account' && one.settings.name));
  const openings = await venue.read((state) =>
    content.accounts.map((account) =>
      openingOf(account, state, parts.hasKey, opened.has(account.settings.name)),
    ),
  );
  // Money comes last: a funded account is one whose keys are done.
  const keys = openings.flatMap((opening) => keyCommands(opening, parts));
  const funds = openings.flatMap(({ deposits }) => deposits);
  await submitAll(venue, [...keys, ...funds], place);
  return listings.length + keys.length + funds.length;
}

/** Everything that is named by code and needs no id yet, in an order that resolves. */
function missingListings(content: VenueContent, state: StateReader): Command[] {
  const { listings } = state;
  return [
    ...content.assets
      .filter(({ code }) => listings.assetByCode(code) === undefined)
      .map((spec) => ({ kind: 'list_asset', spec }) as const),
    ...content.spot
      .filter(({ symbol }) => listings.spotBySymbol(symbol) === undefined)
      .map((spec) => ({ kind: 'list_spot', spec }) as const),
    ...content.contracts
      .filter(({ symbol }) => listings.contract(symbol) === undefined)
      .map((spec) => ({ kind: 'list_contract', spec }) as const),
    ...content.accounts
      .filter(({ settings }) => state.accountByName(settings.name) === undefined)
      .map(({ settings }) => ({ kind: 'create_account', settings }) as const),
  ];
}

/** What one account still lacks. */
interface Opening {
  readonly accountId: AccountId;
  readonly openedMs: number;
  readonly keys: readonly KeyConfig[];
  readonly deposits: readonly Deposit[];
}

/**
 * Keys belong to the first start: one that was revoked later does not come back. An account
 * without deposits shows no trace of a start that was cut off, so it has its keys at once or never.
 */
function openingOf(
  config: AccountConfig,
  state: StateReader,
  hasKey: (key: string) => boolean,
  isOpened: boolean,
): Opening {
  const { name } = config.settings;
  const account = present(state.accountByName(name), `account ${name}`);
  const configured = depositsOf(config.deposits, account, state);
  const deposits = configured.filter((deposit) => isDue(deposit, account));
  const isUnfunded = deposits.length === configured.length;
  const isNew = configured.length === 0 ? isOpened : isUnfunded;
  const keys = isNew ? config.keys.filter(({ key }) => !hasKey(key)) : [];
  const { accountId, createdTimeMs: openedMs } = account;
  return { accountId, openedMs, keys, deposits };
}

function keyCommands({ accountId, openedMs, keys }: Opening, parts: Bootstrap): CreateKey[] {
  return keys.map((config): CreateKey => {
    const { key, permissions, publicKey, expiresDays } = config;
    const sealed = parts.sealKey(config);
    const known = { key, accountId, label: 'configured', permissions, ipAllowList: [] };
    return {
      kind: 'create_key',
      record: {
        ...{ ...known, sealed },
        ...(config.strictReplay ? ({ strictReplay: true } as const) : {}),
        ...(publicKey === undefined ? {} : { publicKey }),
        ...(expiresDays === undefined ? {} : { expiresTimeMs: openedMs + expiresDays * DAY_MS }),
      },
    };
  });
}

async function submitAll(
  venue: VenuePort,
  commands: readonly Command[],
  placeOf: (command: Command) => string,
): Promise<void> {
  const answers = await Promise.all(commands.map((command) => venue.submit(command)));
  for (const [at, command] of commands.entries()) {
    const first = answers[at]?.[0];
    if (first?.kind !== 'refused') continue;
    const about = detailText(first.detail);
    const why = about === '' ? first.reject : `${first.reject} (${about})`;
    throw new BootstrapRefused(`${placeOf(command)}: ${command.kind} was refused: ${why}`);
  }
}

/** Where the configuration asks for it: the row, or for keys and money the list of accounts. */
function pathOf(content: VenueContent, command: Command): Path {
  switch (command.kind) {
    case 'list_asset':
      return ['assets', content.assets.indexOf(command.spec)];
    case 'list_spot':
      return ['spot', content.spot.indexOf(command.spec)];
    case 'list_contract':
      return ['contracts', content.contracts.indexOf(command.spec)];
    case 'create_account': {
      const { settings } = command;
      return ['accounts', content.accounts.findIndex((account) => account.settings === settings)];
    }
    default:
      return ['accounts'];
  }
}
