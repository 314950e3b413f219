/**
 * The version of how commands are written, for processes of two releases that share a log. It grows
 * with every new kind of command, form or field: a release that does not know it would stop at it,
 * or overlook it and go on with another state. 2: triggers that look at the index price, and
 * `modify_trigger_order`. 3: keys that expire, and keys of Ed25519. 4: `transfer_between_accounts`.
 */
import type { Command, CreateKey } from './command.ts';
import type { TpSlTerms } from './contract-order.ts';

export const FORMAT_VERSION = 4;

/** Kinds that came after the first format, by the format that brought them. */
const FORMAT_OF_KIND: Readonly<Partial<Record<Command['kind'], number>>> = {
  modify_trigger_order: 2,
  transfer_between_accounts: 4,
  update_asset: 4,
};

/** The format that a process must know to read this command. */
export function formatOf(command: Command): number {
  return FORMAT_OF_KIND[command.kind] ?? formatOfFields(command);
}

/** An earlier release reads the index price as the last price, and overlooks when a key expires. */
function formatOfFields(command: Command): number {
  switch (command.kind) {
    case 'create_key':
      return formatOfKey(command.record);
    case 'place_contract_order':
      return formatOfTpSl(command);
    case 'place_trigger_order':
      return command.workingPrice === 'index' ? 2 : formatOfTpSl(command);
    case 'place_tp_sl':
    case 'modify_tp_sl':
      return command.workingPrice === 'index' ? 2 : 1;
    default:
      return 1;
  }
}

function formatOfKey({ expiresTimeMs, publicKey }: CreateKey['record']): number {
  return expiresTimeMs === undefined && publicKey === undefined ? 1 : 3;
}

function formatOfTpSl({ takeProfitWorking, stopLossWorking }: TpSlTerms): number {
  return takeProfitWorking === 'index' || stopLossWorking === 'index' ? 2 : 1;
}
