/**
 * Reads a scenario file and refuses what would not work, with its line: unknown keys, wrong
 * values, traders and orders that were not introduced. Nothing here runs.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Type, { type Static } from 'typebox';
import { ConfigDocument, ConfigFault } from '#config';
import { ACTIONS } from './actions/all.ts';
import { byCoin, byMarket, byName, byWallet, decimal, line, strict, terms } from './fields.ts';
import type { Place } from './miss.ts';
import { complainOfNames } from './names.ts';
import { inNewSpelling, type Spelling } from './spelling.ts';
import type { Step } from './step.ts';

const FILE_CHARACTERS_MAX = 1_000_000;
const STEPS_MAX = 10_000;
const DEMO = 'demo';

const account = Type.Object(
  {
    deposits: Type.Optional(byWallet(byCoin(decimal))),
    wallets: Type.Optional(Type.Enum(['contract', 'coin'])),
    takerFee: Type.Optional(decimal),
    makerFee: Type.Optional(decimal),
  },
  strict,
);

const venue = Type.Object(
  {
    config: Type.Optional(line),
    participants: Type.Optional(Type.Enum(['true', 'false'])),
    terms: Type.Optional(byMarket(terms)),
    insurance: Type.Optional(byCoin(decimal)),
  },
  strict,
);

const step = Type.Object(
  Object.fromEntries(ACTIONS.map(({ name, schema }) => [name, Type.Optional(schema)])),
  strict,
);

const SCENARIO_SCHEMA = Type.Object(
  {
    name: line,
    description: Type.String({ minLength: 1 }),
    clock: Type.Optional(Type.Enum(['paused', 'live'])),
    venue: Type.Optional(venue),
    accounts: Type.Optional(byName(account)),
    steps: Type.Array(step, { minItems: 1, maxItems: STEPS_MAX }),
  },
  strict,
);

type ScenarioContent = Static<typeof SCENARIO_SCHEMA>;
export type AccountContent = Static<typeof account>;

export interface Scenario {
  readonly file: string;
  readonly content: ScenarioContent;
  /** The configuration of the venue it starts; undefined for the demo. */
  readonly config: string | undefined;
  readonly participants: boolean;
  readonly steps: readonly Step[];
  /** What is written in the file as it was once. */
  readonly warnings: readonly string[];
  lineOf(place: Place): number;
}

/** Throws ConfigFault with every complaint, each with file, line and place. */
export function readScenario(file: string, spelling: Spelling): Scenario {
  const document = new ConfigDocument(textOf(file), file, 'failsafe');
  const warnings = inNewSpelling(document, spelling);
  const content = document.validated(SCENARIO_SCHEMA);
  const steps = content.steps.flatMap((row, at) => stepOf(document, row, at));
  complainOfNames(document, Object.keys(content.accounts ?? {}), steps);
  document.throwIfFaulty();
  const { config = DEMO, participants = 'false' } = content.venue ?? {};
  return {
    file,
    content,
    config: config === DEMO ? undefined : resolve(dirname(file), config),
    participants: participants === 'true',
    steps,
    warnings,
    lineOf: (place) => document.lineOf(place),
  };
}

function textOf(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.length <= FILE_CHARACTERS_MAX) return text;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigFault([`cannot read the scenario: ${why}`], { cause });
  }
  throw new ConfigFault([`${file}: the file is too large`]);
}

function stepOf(document: ConfigDocument, row: object, at: number): Step[] {
  const [word, ...others] = Object.keys(row);
  const action = ACTIONS.find(({ name }) => name === word);
  if (word === undefined || action === undefined || others.length > 0) {
    document.complain(['steps', at], 'a step does one thing: begin the next one with a dash');
    return [];
  }
  return [{ action, content: Reflect.get(row, word), place: ['steps', at, word] }];
}
