/** Handlers of contract accounts and positions: reads of the venue's state, and their settings. */
import type { Answer, DataJson, JsonObject, Services } from '#api';
import {
  type AccountId,
  type Command,
  type Contract,
  type ContractSettingsChanged,
  type Event,
  isRefused,
  type MarginAccountView,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';
import type { PrivateHandler } from '../handlers.ts';
import { jsonList } from './spot-write-market.ts';
import {
  readAutoMargin,
  readHoldModel,
  readLeverageChange,
  readMarginAdjustment,
} from './swap-read-account.ts';
import { readContractQuery } from './swap-read-contract.ts';
import {
  writeAutoMargin,
  writeContractAccount,
  writeHoldModel,
  writeMarginAdjusted,
  writePosition,
  writeSettings,
} from './swap-write-account.ts';

type SwapAccountOptions = Pick<Services, 'venue' | 'live'>;

/** One handler per endpoint of contract accounts and positions, by its name in the table. */
export function swapAccountHandlers(options: SwapAccountOptions) {
  return {
    accounts: (_input, accountId) => ofEvery(options, accountId, writeContractAccount),
    account: (input, accountId) => ofOne(options, input, accountId, writeContractAccount),
    settings: (input, accountId) => ofOne(options, input, accountId, settingsOf),
    leverage: (input, accountId) => setLeverage(options, input, accountId),
    adjustMargin: (input, accountId) => adjustMargin(options, input, accountId),
    autoMargin: (input, accountId) => setAutoMargin(options, input, accountId),
    positions: (_input, accountId) => ofEvery(options, accountId, writePosition),
    position: (input, accountId) => ofOne(options, input, accountId, writePosition),
    holdModel: (input, accountId) => setHoldModel(options, input, accountId),
  } as const satisfies Record<string, PrivateHandler>;
}

/** Encodes an account's side of a contract. `createdTimeMs` is that of the account itself. */
type Write = (contract: Contract, account: MarginAccountView, createdTimeMs: number) => DataJson;

function settingsOf(contract: Contract, { marginMode, long, short }: MarginAccountView): DataJson {
  const leverage = { longLeverage: long.leverage, shortLeverage: short.leverage };
  return writeSettings(contract, { marginMode, ...leverage });
}

/** All contracts as of one moment, in the order of their listing. */
function ofEvery(
  { venue }: SwapAccountOptions,
  accountId: AccountId,
  write: Write,
): Promise<Answer> {
  return venue.read((state) => {
    const contracts = [...state.listings.contracts.values()];
    return jsonList(contracts, (contract) => written(state, accountId, contract, write));
  });
}

async function ofOne(
  { venue, live }: SwapAccountOptions,
  input: JsonObject,
  accountId: AccountId,
  write: Write,
): Promise<Answer> {
  const query = readContractQuery(input, live.listings);
  if (isRefused(query)) return query;
  return venue.read((state) => written(state, accountId, query.contract, write));
}

function written(
  state: StateReader,
  accountId: AccountId,
  contract: Contract,
  write: Write,
): DataJson {
  const owner = present(state.account(accountId), 'account of a key');
  const account = state.marginAccount(accountId, contract.instrumentId);
  return write(contract, present(account, 'contract account'), owner.createdTimeMs);
}

async function setLeverage(
  { venue, live }: SwapAccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const change = readLeverageChange(input, accountId, live.listings);
  if (isRefused(change)) return change;
  const settings = await changeSettings(venue, change.command);
  return isRefused(settings) ? settings : writeSettings(change.contract, settings);
}

async function setHoldModel(
  { venue, live }: SwapAccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const change = readHoldModel(input, accountId, live.listings);
  if (isRefused(change)) return change;
  const settings = await changeSettings(venue, change.command);
  return isRefused(settings) ? settings : writeHoldModel(change.contract, settings.marginMode);
}

async function setAutoMargin(
  { venue, live }: SwapAccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const change = readAutoMargin(input, accountId, live.listings);
  if (isRefused(change)) return change;
  const settings = await changeSettings(venue, change.command);
  return isRefused(settings) ? settings : writeAutoMargin(change.command.automatic);
}

/** The settings as the command left them; it leaves them alone when they are already so. */
async function changeSettings(
  venue: VenuePort,
  command: Command,
): Promise<ContractSettingsChanged | Refused> {
  return outcome(await venue.submit(command), 'contract_settings_changed');
}

async function adjustMargin(
  { venue, live }: SwapAccountOptions,
  input: JsonObject,
  accountId: AccountId,
): Promise<Answer> {
  const change = readMarginAdjustment(input, accountId, live.listings);
  if (isRefused(change)) return change;
  const adjusted = outcome(await venue.submit(change.command), 'margin_adjusted');
  return isRefused(adjusted) ? adjusted : writeMarginAdjusted(adjusted.adjustmentId);
}

type EventOf<Kind extends Event['kind']> = Extract<Event, { readonly kind: Kind }>;

/** The event that says what a command did, or why it did nothing. */
function outcome<Kind extends Event['kind']>(
  events: readonly Event[],
  kind: Kind,
): EventOf<Kind> | Refused {
  const [first] = events;
  if (first?.kind === 'refused') return first;
  const found = events.find((event): event is EventOf<Kind> => event.kind === kind);
  return present(found, kind);
}
