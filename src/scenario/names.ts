/** Finds names in steps that were not introduced: a trader, a saved order, a checkpoint. */
import type { ConfigDocument } from '#config';
import type { Place } from './miss.ts';
import type { Step } from './step.ts';

interface Known {
  readonly traders: ReadonlySet<string>;
  readonly orders: Set<string>;
  readonly checkpoints: Set<string>;
  readonly faults: Set<string>;
}

/** Steps that name something by their whole content. */
const BARE: Readonly<Record<string, keyof Known>> = {
  cancel_all: 'traders',
  reset: 'checkpoints',
  clear_faults: 'faults',
};
const COMPLAINTS: Readonly<Record<keyof Known, (name: string) => string>> = {
  traders: (name) => `${name} is not among the accounts`,
  orders: (name) => `no order was saved as ${name} before`,
  checkpoints: (name) => `nothing was saved as ${name} before`,
  faults: (name) => `no fault was labelled ${name} before`,
};

export function complainOfNames(
  document: ConfigDocument,
  traders: readonly string[],
  steps: readonly Step[],
): void {
  const known: Known = {
    traders: new Set(traders),
    orders: new Set(),
    checkpoints: new Set(),
    faults: new Set(['all']),
  };
  for (const { action, content, place } of steps) {
    const bare = BARE[action.name];
    if (bare !== undefined) judge(document, known, bare, content, place);
    walk(content, place, (key, value, at) => {
      if (key === 'as') judge(document, known, 'traders', value, at);
      if (isOrderName(key, at)) judge(document, known, 'orders', value, at);
    });
    learn(action.name, content, known);
  }
}

/** `cancel: { order: NAME }` and `order: { is: NAME }` below an expectation. */
function isOrderName(key: string, place: Place): boolean {
  return key === 'order' || (key === 'is' && place.at(-2) === 'order');
}

function judge(
  document: ConfigDocument,
  known: Known,
  kind: keyof Known,
  value: unknown,
  place: Place,
): void {
  if (typeof value !== 'string' || known[kind].has(value)) return;
  document.complain(place, COMPLAINTS[kind](value));
}

function learn(action: string, content: unknown, known: Known): void {
  if (action === 'save') known.checkpoints.add(String(content));
  if (typeof content !== 'object' || content === null) return;
  if ('save' in content) known.orders.add(String(content.save));
  if ('label' in content) known.faults.add(String(content.label));
}

function walk(
  content: unknown,
  place: Place,
  visit: (key: string, value: unknown, place: Place) => void,
): void {
  if (typeof content !== 'object' || content === null) return;
  for (const [key, value] of Object.entries(content)) {
    const at = [...place, key];
    if (typeof value === 'string') visit(key, value, at);
    else walk(value, at, visit);
  }
}
