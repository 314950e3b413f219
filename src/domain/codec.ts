/**
 * Commands as text for the journal. A command is one JSON array, `[timeMs, tag, ...fields]`; an
 * entry is the array of its commands. The tag names kind and version: it is never reused, and a
 * changed format gets a new tag beside the old decoder. The commands that arrive in thousands a
 * second, and the tick of every second, have compact forms; every other kind is written out by name
 * under a tag of its own, with amounts as {"big": "digits"} because JSON numbers cannot carry them.
 *
 * Decoding trusts its input: the journal's hash chain has already shown that it is what we wrote.
 */
import { assert, present } from '#kernel';
import type {
  CancelContractOrder,
  CancelSpotOrder,
  Command,
  CommandKind,
  MoveContractOrder,
  MoveSpotOrder,
  PlaceContractOrder,
  PlaceSpotOrder,
} from './command.ts';
import { CONTRACT_ACTIONS, type TpSlTerms, WORKING_PRICES } from './contract-order.ts';
import { type Force, type OrderType, type Side, spendsBudget } from './order.ts';
import type { Origin } from './origin.ts';
import { RowReader } from './row-reader.ts';
import { accountId, instrumentId, lots, orderId, type Ticks, ticks } from './units.ts';

export interface TimedCommand {
  readonly timeMs: number;
  readonly command: Command;
  /** Of a command that a sender has sent on. */
  readonly origin?: Origin;
}

const COMPACT_KINDS = [
  'place_spot_order',
  'cancel_spot_order',
  'place_contract_order',
  'cancel_contract_order',
  'move_spot_order',
  'move_contract_order',
  'tick',
] as const satisfies readonly CommandKind[];

type CompactKind = (typeof COMPACT_KINDS)[number];

const TAG_PLACE_SPOT = 1;
const TAG_CANCEL_SPOT = 2;
const TAG_PLACE_CONTRACT = 3;
const TAG_CANCEL_CONTRACT = 4;
const TAG_TICK = 5;
const TAG_BY_NAME = 6;
const TAG_MOVE_SPOT = 7;
const TAG_MOVE_CONTRACT = 8;
/** Any of the others, inside the origin of its request. */
const TAG_REQUESTED = 9;

/** Every kind that is written out by name. */
const KINDS_BY_NAME: Readonly<Record<Exclude<CommandKind, CompactKind>, true>> = {
  cancel_all_spot_orders: true,
  continue_work: true,
  create_account: true,
  update_account: true,
  create_key: true,
  revoke_key: true,
  list_asset: true,
  update_asset: true,
  list_spot: true,
  update_spot: true,
  list_contract: true,
  update_contract: true,
  suspend_instrument: true,
  cancel_all_contract_orders: true,
  place_trigger_order: true,
  cancel_trigger_order: true,
  place_tp_sl: true,
  modify_tp_sl: true,
  modify_trigger_order: true,
  close_position: true,
  set_leverage: true,
  adjust_margin: true,
  set_auto_margin: true,
  set_margin_mode: true,
  report_index: true,
  settle_funding: true,
  fund_insurance: true,
  deposit: true,
  withdraw: true,
  set_lock: true,
  hold_money: true,
  transfer: true,
  transfer_between_accounts: true,
  set_clock: true,
  save_checkpoint: true,
  reset_to_checkpoint: true,
  drop_checkpoint: true,
  add_fault: true,
  remove_faults: true,
};

/** Every kind of command there is. */
export const COMMAND_KINDS: readonly CommandKind[] = [
  ...COMPACT_KINDS,
  ...(Object.keys(KINDS_BY_NAME) as Exclude<CommandKind, CompactKind>[]),
];

/** The text is a command of a kind, or of a form of it, that this program has never written. */
export class UnknownCommand extends Error {
  override readonly name = 'UnknownCommand';
  /** Its place in the entry, from zero. */
  readonly place: number;

  constructor(place: number, what: string) {
    super(what);
    this.place = place;
  }
}

// Position in these lists, and in CONTRACT_ACTIONS, is the stored form: append only.
const SIDES: readonly Side[] = ['buy', 'sell'];
const TYPES: readonly OrderType[] = ['limit', 'market'];
const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];

/** The journal text of one command. */
export function encodeCommand(timeMs: number, command: Command): string {
  if (command.kind === 'place_spot_order') return encodePlace(timeMs, command);
  if (command.kind === 'cancel_spot_order') return encodeCancel(timeMs, command);
  if (command.kind === 'place_contract_order') return encodePlaceContract(timeMs, command);
  if (command.kind === 'cancel_contract_order') return encodeCancelContract(timeMs, command);
  if (command.kind === 'move_spot_order') return encodeMove(timeMs, TAG_MOVE_SPOT, command);
  if (command.kind === 'move_contract_order') {
    return encodeMove(timeMs, TAG_MOVE_CONTRACT, command);
  }
  if (command.kind === 'tick') return `[${timeMs},${TAG_TICK}]`;
  return `[${timeMs},${TAG_BY_NAME},${writeTagged(command)}]`;
}

/** The journal text of a command with the request of a sender that it answers. */
export function encodeRequested(origin: Origin, timeMs: number, command: Command): string {
  const { sender, request, openFrom } = origin;
  const text = encodeCommand(timeMs, command);
  return `[${timeMs},${TAG_REQUESTED},${JSON.stringify(sender)},${request},${openFrom},${text}]`;
}

/** The journal text of one entry from the texts of its commands. */
export function joinCommands(texts: readonly string[]): string {
  return `[${texts.join(',\n')}]`;
}

/** Every command of an entry, in order. Throws UnknownCommand at the first that it cannot read. */
export function decodeEntry(text: string): TimedCommand[] {
  const commands: TimedCommand[] = [];
  const reader = new RowReader(text);
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    commands.push(decodeRow(row, commands.length));
  }
  return commands;
}

/** The time of the first command of an entry, whatever the others are. */
export function entryTimeMs(text: string): number {
  return Number(new RowReader(text).next()?.[0] ?? 0);
}

function decodeRow(row: readonly unknown[], place: number): TimedCommand {
  const timeMs = Number(row[0]);
  const tag = row[1];
  if (tag === TAG_PLACE_SPOT) return { timeMs, command: decodePlace(row) };
  if (tag === TAG_CANCEL_SPOT) return { timeMs, command: decodeCancel(row) };
  if (tag === TAG_PLACE_CONTRACT) return { timeMs, command: decodePlaceContract(row) };
  if (tag === TAG_CANCEL_CONTRACT) return { timeMs, command: decodeCancelContract(row) };
  if (tag === TAG_MOVE_SPOT) return { timeMs, command: decodeMove('move_spot_order', row) };
  if (tag === TAG_MOVE_CONTRACT) return { timeMs, command: decodeMove('move_contract_order', row) };
  if (tag === TAG_TICK) return { timeMs, command: { kind: 'tick' } };
  if (tag === TAG_REQUESTED) return decodeRequested(row, place);
  if (tag !== TAG_BY_NAME) throw new UnknownCommand(place, `a command with tag ${String(tag)}`);
  const command = restoreBig(row[2]) as Command;
  if (Object.hasOwn(KINDS_BY_NAME, command.kind)) return { timeMs, command };
  throw new UnknownCommand(place, `a command of kind ${String(command.kind)}`);
}

function decodeRequested(row: readonly unknown[], place: number): TimedCommand {
  const [, , sender, request, openFrom, inner] = row;
  assert(Array.isArray(inner), 'a request holds a command');
  const origin = { sender: String(sender), request: Number(request), openFrom: Number(openFrom) };
  return { ...decodeRow(inner, place), origin };
}

/** No client id is empty, so in the text of an order that stands for none. */
function encodeClientId(clientId: string | undefined): string {
  return clientId === undefined ? '""' : JSON.stringify(clientId);
}

function decodeClientId(written: unknown): string | undefined {
  return written === '' ? undefined : String(written);
}

/** What an order does not have is written as zero. */
function encodePlace(timeMs: number, command: PlaceSpotOrder): string {
  const side = SIDES.indexOf(command.side);
  const type = TYPES.indexOf(command.type);
  const force = FORCES.indexOf(command.force);
  const price = command.type === 'limit' ? command.priceTicks : 0;
  const isBudget = spendsBudget(command);
  const size = isBudget ? 0 : command.sizeLots;
  const budget = isBudget ? `"${command.quoteBudget}"` : '0';
  const clientId = encodeClientId(command.clientOrderId);
  return (
    `[${timeMs},${TAG_PLACE_SPOT},${command.accountId},${command.instrumentId},${side},${type},` +
    `${force},${price},${size},${budget},${clientId}]`
  );
}

/** A limit order is written out: a journal has millions of them, and a spread takes time. */
function decodePlace(row: readonly unknown[]): PlaceSpotOrder {
  const kind = 'place_spot_order';
  const account = accountId(Number(row[2]));
  const instrument = instrumentId(Number(row[3]));
  const side = present(SIDES[Number(row[4])], 'side');
  const type = present(TYPES[Number(row[5])], 'order type');
  const force = present(FORCES[Number(row[6])], 'time in force');
  const sizeLots = lots(Number(row[8]));
  const clientOrderId = decodeClientId(row[10]);
  if (type === 'limit') {
    return {
      kind,
      accountId: account,
      instrumentId: instrument,
      type,
      side,
      force,
      priceTicks: ticks(Number(row[7])),
      sizeLots,
      clientOrderId,
    };
  }
  const facts = {
    kind,
    accountId: account,
    instrumentId: instrument,
    force,
    clientOrderId,
  } as const;
  return side === 'sell' || row[9] === 0
    ? { ...facts, type, side, sizeLots }
    : { ...facts, type, side, quoteBudget: BigInt(String(row[9])) };
}

function encodeCancel(timeMs: number, command: CancelSpotOrder): string {
  const { accountId, instrumentId, orderId } = command;
  return `[${timeMs},${TAG_CANCEL_SPOT},${accountId},${instrumentId},${orderId}]`;
}

function decodeCancel(row: readonly unknown[]): CancelSpotOrder {
  return {
    kind: 'cancel_spot_order',
    accountId: accountId(Number(row[2])),
    instrumentId: instrumentId(Number(row[3])),
    orderId: orderId(Number(row[4])),
  };
}

function encodePlaceContract(timeMs: number, command: PlaceContractOrder): string {
  const action = CONTRACT_ACTIONS.indexOf(command.action);
  const type = TYPES.indexOf(command.type);
  const force = FORCES.indexOf(command.force);
  const clientId = encodeClientId(command.clientOrderId);
  const price = command.type === 'limit' ? command.priceTicks : 0;
  const { takeProfitTicks: profit, stopLossTicks: loss } = command;
  const hasTpSl = profit !== undefined || loss !== undefined;
  const tpSl = hasTpSl ? `,${profit ?? 0},${loss ?? 0}${encodeWorking(command)}` : '';
  return (
    `[${timeMs},${TAG_PLACE_CONTRACT},${command.accountId},${command.instrumentId},${action},` +
    `${type},${force},${price},${command.sizeLots},${clientId}${tpSl}]`
  );
}

/** Nothing unless one of them looks at another price than that of the last trade. */
function encodeWorking({ takeProfitWorking, stopLossWorking }: TpSlTerms): string {
  if (takeProfitWorking === undefined && stopLossWorking === undefined) return '';
  const places = [takeProfitWorking, stopLossWorking].map((working) =>
    working === undefined ? -1 : WORKING_PRICES.indexOf(working),
  );
  return `,${places}`;
}

function decodeWorking(row: readonly unknown[]): TpSlTerms {
  if (row.length <= 12) return {};
  const [takeProfitWorking, stopLossWorking] = [row[12], row[13]].map(
    (place) => WORKING_PRICES[Number(place)],
  );
  return {
    ...(takeProfitWorking && { takeProfitWorking }),
    ...(stopLossWorking && { stopLossWorking }),
  };
}

/** Nothing is taken out of an object that is made: that costs twice what else is read here. */
function decodePlaceContract(row: readonly unknown[]): PlaceContractOrder {
  const facts = {
    kind: 'place_contract_order',
    accountId: accountId(Number(row[2])),
    instrumentId: instrumentId(Number(row[3])),
    action: present(CONTRACT_ACTIONS[Number(row[4])], 'action'),
    force: present(FORCES[Number(row[6])], 'time in force'),
    sizeLots: lots(Number(row[8])),
    clientOrderId: decodeClientId(row[9]),
    takeProfitTicks: ticksUnlessZero(row[10]),
    stopLossTicks: ticksUnlessZero(row[11]),
    ...decodeWorking(row),
  } as const;
  const type = present(TYPES[Number(row[5])], 'order type');
  return type === 'market'
    ? { ...facts, type }
    : { ...facts, type, priceTicks: ticks(Number(row[7])) };
}

function ticksUnlessZero(written: unknown): Ticks | undefined {
  return written === undefined || written === 0 ? undefined : ticks(Number(written));
}

type Move = MoveSpotOrder | MoveContractOrder;

function encodeMove(timeMs: number, tag: number, command: Move): string {
  const { accountId: account, instrumentId: instrument, orderId: order } = command;
  const { priceTicks, sizeLots } = command;
  return `[${timeMs},${tag},${account},${instrument},${order},${priceTicks},${sizeLots}]`;
}

function decodeMove<Kind extends Move['kind']>(kind: Kind, row: readonly unknown[]) {
  return {
    kind,
    accountId: accountId(Number(row[2])),
    instrumentId: instrumentId(Number(row[3])),
    orderId: orderId(Number(row[4])),
    priceTicks: ticks(Number(row[5])),
    sizeLots: lots(Number(row[6])),
  };
}

function encodeCancelContract(timeMs: number, command: CancelContractOrder): string {
  const { accountId: account, instrumentId: instrument, orderId: order } = command;
  return `[${timeMs},${TAG_CANCEL_CONTRACT},${account},${instrument},${order}]`;
}

function decodeCancelContract(row: readonly unknown[]): CancelContractOrder {
  return {
    kind: 'cancel_contract_order',
    accountId: accountId(Number(row[2])),
    instrumentId: instrumentId(Number(row[3])),
    orderId: orderId(Number(row[4])),
  };
}

/** JSON text of plain data that may hold bigints, which become {"big": "digits"}. */
export function writeTagged(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? { big: String(inner) } : inner,
  );
}

/** The inverse of writeTagged. The caller knows what was written and says its type. */
export function readTagged<T>(text: string): T {
  return restoreBig(JSON.parse(text)) as T;
}

/** In place, what was parsed being nobody else's: a copy of every object takes twice as long. */
function restoreBig(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const inner: unknown = value[at];
      if (typeof inner === 'object') value[at] = restoreBig(inner);
    }
    return value;
  }
  if ('big' in value && typeof value.big === 'string') return BigInt(value.big);
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const inner = fields[name];
    if (typeof inner === 'object') fields[name] = restoreBig(inner);
  }
  return value;
}
