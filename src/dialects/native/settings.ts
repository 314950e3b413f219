/** How an account is margined in a contract: read, and set. What is set answers its new state. */
import { refuseSaying, type Services } from '#api';
import {
  type Command,
  type Contract,
  isRefused,
  type LeverageChange,
  type MarginMode,
  type Refused,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type SignedEndpoint, signedEndpoint, strictEndpoint } from '../kit/endpoint.ts';
import { ANY_WHOLE } from '../kit/fields.ts';
import {
  chosenFlag,
  type Field,
  requiredChoice,
  requiredFlag,
  requiredText,
} from '../kit/request.ts';
import { jsonList, listOf } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { MARGIN, ownContracts } from './margin-rows.ts';
import { BASE, CONTRACT, CONTRACT_OR_ALL, SIDE_WORDS } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };
const CHANGING = { method: 'POST', rate: RATE, permission: 'trade', response: MARGIN } as const;

const MODES: ReadonlyMap<string, MarginMode> = new Map([
  ['isolated', 'isolated'],
  ['cross', 'cross'],
]);
const MOVES: ReadonlyMap<string, 1n | -1n> = new Map([
  ['add', 1n],
  ['remove', -1n],
]);

/** Any whole number: which of them the contract takes is the engine's to say. */
function leverage(description: string): Field<number | undefined> {
  return {
    schema: schema.optional(description, schema.whole(1)),
    read: (fields, name) => fields.wholeNumber(name, ANY_WHOLE),
  };
}

const LEVERAGES = {
  crossLeverage: leverage('In cross mode, of both sides'),
  longLeverage: leverage('Of longs in isolated mode'),
  shortLeverage: leverage('Of shorts in isolated mode'),
};

interface AskedLeverages {
  readonly crossLeverage: number | undefined;
  readonly longLeverage: number | undefined;
  readonly shortLeverage: number | undefined;
}

function changesOf(asked: AskedLeverages): readonly LeverageChange[] {
  const { crossLeverage: cross, longLeverage: long, shortLeverage: short } = asked;
  const changes: LeverageChange[] = [];
  if (cross !== undefined) changes.push({ side: 'both', leverage: cross, mode: 'cross' });
  if (long !== undefined) changes.push({ side: 'long', leverage: long, mode: 'isolated' });
  if (short !== undefined) changes.push({ side: 'short', leverage: short, mode: 'isolated' });
  return changes;
}

const EXAMPLE = { symbol: 'BTC-USDT-PERP' };

export const SETTINGS = {
  margin: signedEndpoint({
    method: 'GET',
    path: `${BASE}/margin`,
    rate: RATE,
    permission: 'read',
    summary: 'How the account is margined in one contract or in all, and the money behind each',
    request: { symbol: CONTRACT_OR_ALL },
    response: listOf(MARGIN),
    answer: ({ venue }: Services, { symbol }, { accountId }) =>
      venue.read(
        (state) => jsonList(ownContracts(state, accountId, symbol), MARGIN.write),
        accountId,
      ),
  }),
  setLeverage: strictEndpoint({
    ...CHANGING,
    path: `${BASE}/leverage`,
    summary:
      'Set leverages, all that are given or none; those of the mode the account is not in wait ' +
      'for it',
    request: { symbol: CONTRACT, ...LEVERAGES },
    example: { request: { ...EXAMPLE, crossLeverage: 20 } },
    answer: ({ venue }: Services, { symbol: contract, ...asked }, { accountId }) => {
      const [first, ...others] = changesOf(asked);
      if (first === undefined) {
        return refuseSaying('parameter_missing', Object.keys(LEVERAGES).join(' or '));
      }
      return change(venue, contract, 'contract_settings_changed', {
        kind: 'set_leverage',
        accountId,
        instrumentId: contract.instrumentId,
        ...first,
        ...(others.length > 0 && { others }),
      });
    },
  }),
  setMarginMode: strictEndpoint({
    ...CHANGING,
    path: `${BASE}/margin-mode`,
    summary:
      'Switch between isolated and cross while nothing is held and nothing waits; the leverages ' +
      'of the mode come with it',
    request: {
      symbol: CONTRACT,
      marginMode: requiredChoice('How positions are margined', MODES, 'cross'),
      separated: chosenFlag('Kept and shown, as before when absent: see the answer'),
    },
    example: { request: { ...EXAMPLE, marginMode: 'isolated' } },
    answer: ({ venue }: Services, { symbol: contract, marginMode, separated }, { accountId }) =>
      change(venue, contract, 'contract_settings_changed', {
        kind: 'set_margin_mode',
        accountId,
        instrumentId: contract.instrumentId,
        mode: marginMode,
        leverages: 'stored',
        isSeparated: separated,
      }),
  }),
  movePositionMargin: strictEndpoint({
    ...CHANGING,
    path: `${BASE}/position-margin`,
    summary: 'Add margin to an isolated position out of its wallet, or take some of it back',
    request: {
      symbol: CONTRACT,
      side: requiredChoice('Side of the position', SIDE_WORDS, 'long'),
      move: requiredChoice('Which way', MOVES, 1n),
      amount: requiredText('In the money of the contract, above zero'),
    },
    example: { request: { ...EXAMPLE, side: 'long', move: 'add', amount: '10' } },
    answer: ({ venue }: Services, { symbol: contract, side, move, amount }, { accountId }) => {
      const { scale } = contract.margin;
      const rule = { scale, reject: 'margin_amount_invalid', name: 'amount' } as const;
      const value = readDecimal(amount, rule);
      if (isRefused(value)) return value;
      const { instrumentId } = contract;
      const facts = { accountId, instrumentId, side, delta: move * value } as const;
      return change(venue, contract, 'margin_adjusted', { kind: 'adjust_margin', ...facts });
    },
  }),
  setAutoMargin: strictEndpoint({
    ...CHANGING,
    path: `${BASE}/auto-margin`,
    summary:
      'Whether an isolated position that is held is given margin by itself before it is liquidated',
    request: {
      symbol: CONTRACT,
      side: requiredChoice('Side of the position', SIDE_WORDS, 'long'),
      autoMargin: requiredFlag('Whether it is'),
    },
    example: { request: { ...EXAMPLE, side: 'long', autoMargin: true } },
    answer: ({ venue }: Services, { symbol: contract, side, autoMargin }, { accountId }) => {
      const { instrumentId } = contract;
      const facts = { accountId, instrumentId, side, automatic: autoMargin } as const;
      const kind = 'set_auto_margin';
      return change(venue, contract, 'contract_settings_changed', { kind, ...facts });
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

type Setting = Extract<
  Command,
  { readonly kind: 'set_leverage' | 'set_margin_mode' | 'adjust_margin' | 'set_auto_margin' }
>;

/** Carries a change out, and shows the account in the contract after it. */
async function change(
  venue: VenuePort,
  contract: Contract,
  event: 'contract_settings_changed' | 'margin_adjusted',
  command: Setting,
): Promise<string | Refused> {
  const done = await submit(venue, event, command);
  if (isRefused(done)) return done;
  const { accountId } = command;
  const [own] = await venue.read((state) => ownContracts(state, accountId, contract), accountId);
  return MARGIN.write(present(own, 'account in a contract'));
}
