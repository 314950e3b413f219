/**
 * What rules 1 and 2 called things. Commands under their tag and rows of their snapshots are given
 * the names of today as they are read; nothing is ever written under these.
 */

type Names = Readonly<Record<string, string>>;

const COMMAND_KINDS: Names = {
  place_plan_order: 'place_trigger_order',
  cancel_plan_order: 'cancel_trigger_order',
};

const MARGIN_MODES: Names = { fixed: 'isolated', crossed: 'cross' };

const CONTRACT_TERMS: Names = { planOrdersMax: 'triggerOrdersMax', presetsMax: 'tpSlMax' };

export type Fields = Readonly<Record<string, unknown>>;

/** A command as the first journals have it, by the names of today. */
export function renamedCommand(command: Fields): Fields {
  const kind = renamed(COMMAND_KINDS, command.kind);
  switch (kind) {
    case 'set_margin_mode':
      return { ...command, mode: renamedMode(command.mode) };
    case 'list_contract':
      return { ...command, spec: renamedTerms(command.spec) };
    case 'update_contract':
      return { ...command, changes: renamedTerms(command.changes) };
    case 'place_trigger_order': {
      // Zero was the price of an order at the market.
      const { executeTicks, ...market } = command;
      return { ...(executeTicks === 0 ? market : command), kind };
    }
    default:
      return { ...command, kind };
  }
}

export function renamedMode(mode: unknown): unknown {
  return renamed(MARGIN_MODES, mode);
}

/** The terms of a contract, all of them or some, in the order they have. */
export function renamedTerms(terms: unknown): Fields {
  const entries = Object.entries(Object(terms));
  return Object.fromEntries(entries.map(([name, value]) => [CONTRACT_TERMS[name] ?? name, value]));
}

function renamed(names: Names, name: unknown): unknown {
  return names[String(name)] ?? name;
}
