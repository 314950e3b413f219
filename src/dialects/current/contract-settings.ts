/** Margin mode, leverages and isolated margin of an account in a contract. */
import { refuseSaying, type Services, type SignedCall } from '#api';
import {
  type AccountId,
  type Amount,
  type Contract,
  inRange,
  isRefused,
  type LeverageChange,
  type MarginMode,
  type Refused,
  refuse,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { ANY_WHOLE, shown } from '../kit/fields.ts';
import {
  type Field,
  optionalChoice,
  requiredChoice,
  requiredText,
  requiredTruth,
} from '../kit/request.ts';
import { oneOf, row, text, whole } from '../kit/row.ts';
import * as schema from '../kit/schema.ts';
import { type ContractAccount, contractAccounts } from './contract-account.ts';
import { type Held, heldSides } from './contract-positions.ts';
import {
  CONTRACT,
  CONTRACT_BASE,
  CONTRACT_NAME,
  EXAMPLE_SYMBOL,
  MARGIN_TYPE_WORDS,
  marginTypeWord,
  SEPARATED_WORDS,
} from './contract-terms.ts';
import { costs } from './costs.ts';
import { TIME_MS } from './spot-terms.ts';

/** Without a text: clients take one for an error. */
const DONE = row<number>()({
  code: text('Always 200', '200', () => '200'),
  requestTime: whole('Server time', TIME_MS, (nowMs) => nowMs),
});

const LEVERAGES = row<ContractAccount>()({
  symbol: CONTRACT_NAME,
  marginType: oneOf(MARGIN_TYPE_WORDS, 'Margin mode it is in', 'CROSSED', ({ account }) =>
    marginTypeWord(account.marginMode),
  ),
  crossLeverage: text('Of the cross mode', '20', ({ account }) => String(account.leverages.cross)),
  isolatedLongLeverage: text('Of isolated longs', '20', ({ account }) =>
    String(account.leverages.isolatedLong),
  ),
  isolatedShortLeverage: text('Of isolated shorts', '20', ({ account }) =>
    String(account.leverages.isolatedShort),
  ),
});

const MODES: ReadonlyMap<string, MarginMode> = new Map([
  ['crossed', 'cross'],
  ['isolated', 'isolated'],
]);
const ANY_MODE: ReadonlyMap<string, MarginMode | undefined> = MODES;
const SEPARATIONS: ReadonlyMap<string, boolean | undefined> = new Map([
  ['combined', false],
  ['separated', true],
]);

const LEVERAGE: Field<number | undefined> = {
  schema: schema.optional('Whole number', schema.whole(1)),
  read: (fields, name) => fields.wholeNumber(name, ANY_WHOLE),
};

const SIGNS: ReadonlyMap<string, 1n | -1n> = new Map([
  ['1', 1n],
  ['2', -1n],
]);

const AUTOMATIC = requiredTruth('Whether margin is added by itself');

/** A whole number: the id of a position. */
const POSITION_ID: Field<string> = requiredText('Position id');

/** The position that the account holds under this id. */
async function findHeld(
  venue: VenuePort,
  parameter: string,
  id: string,
  { accountId, caller }: SignedCall,
): Promise<Held | Refused> {
  const held = await venue.read(
    (state) =>
      heldSides(state, accountId).find(({ position }) => String(position.positionId) === id),
    accountId,
  );
  if (!caller.isLive) return refuse('credentials_wrong');
  return held ?? refuseSaying('parameter_invalid', `${parameter} ${shown(id)} is no position`);
}

function readAmount(given: string, { margin }: Contract): Amount | Refused {
  return readDecimal(given, {
    scale: margin.scale,
    reject: 'margin_amount_invalid',
    tooPrecise: 'precision_exceeded',
  });
}

interface AskedLeverages {
  readonly crossLeverage: number | undefined;
  readonly isolatedLongLeverage: number | undefined;
  readonly isolatedShortLeverage: number | undefined;
}

/** Cross first. */
function changesOf(asked: AskedLeverages): readonly LeverageChange[] {
  const { crossLeverage, isolatedLongLeverage: long, isolatedShortLeverage: short } = asked;
  const changes: LeverageChange[] = [];
  if (crossLeverage !== undefined) {
    changes.push({ side: 'both', leverage: crossLeverage, mode: 'cross' });
  }
  if (long !== undefined) changes.push({ side: 'long', leverage: long, mode: 'isolated' });
  if (short !== undefined) changes.push({ side: 'short', leverage: short, mode: 'isolated' });
  return changes;
}

async function accountIn(
  venue: VenuePort,
  accountId: AccountId,
  contract: Contract,
): Promise<ContractAccount> {
  const [found] = await venue.read(
    (state) => contractAccounts(state, accountId, contract),
    accountId,
  );
  return present(found, 'account in a contract');
}

const CHANGING = { method: 'POST', permission: 'trade' } as const;

export const CONTRACT_SETTINGS = {
  marginType: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/account/marginType`,
    ...costs(50),
    summary: 'Switch between cross and isolated margin while nothing is held and nothing waits',
    request: {
      symbol: CONTRACT,
      marginType: requiredChoice('CROSSED or ISOLATED', MODES, 'cross', MARGIN_TYPE_WORDS),
      separatedType: optionalChoice(
        'Kept and shown, as before when absent; either way a side is one position',
        SEPARATIONS,
        undefined,
        SEPARATED_WORDS,
      ),
    },
    response: DONE,
    example: { request: { symbol: EXAMPLE_SYMBOL, marginType: 'ISOLATED' } },
    answer: async ({ venue }: Services, asked, { accountId, caller, nowMs }) => {
      const { symbol: contract, marginType: mode, separatedType } = asked;
      const { account } = await accountIn(venue, accountId, contract);
      const isSeparated = separatedType ?? account.isSeparated;
      const isSame = account.marginMode === mode && account.isSeparated === isSeparated;
      if (isSame) return DONE.write(nowMs);
      if (!caller.isLive) return refuse('credentials_wrong');
      const { instrumentId } = contract;
      const order = { accountId, instrumentId, mode, leverages: 'stored', isSeparated } as const;
      const done = await submit(venue, 'contract_settings_changed', {
        kind: 'set_margin_mode',
        ...order,
      });
      return isRefused(done) ? done : DONE.write(nowMs);
    },
  }),
  contractLeverage: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/account/leverage`,
    ...costs(20),
    summary: 'Set leverages; those of the mode the account is not in wait for it',
    request: {
      symbol: CONTRACT,
      marginType: optionalChoice('Which mode is meant', ANY_MODE, undefined, MARGIN_TYPE_WORDS),
      crossLeverage: LEVERAGE,
      isolatedLongLeverage: LEVERAGE,
      isolatedShortLeverage: LEVERAGE,
    },
    response: LEVERAGES,
    example: { request: { symbol: EXAMPLE_SYMBOL, crossLeverage: 20 } },
    answer: async ({ venue }: Services, asked, { accountId, caller }) => {
      const { symbol: contract } = asked;
      const changes = changesOf(asked);
      const [first, ...others] = changes;
      if (first === undefined) return refuseSaying('parameters_conflict', 'no leverage is given');
      const { instrumentId, leverageMin: min, leverageMax: max } = contract;
      if (changes.some(({ leverage }) => leverage < min || leverage > max)) {
        return refuse('leverage_out_of_range', inRange('leverage', min, max));
      }
      if (!caller.isLive) return refuse('credentials_wrong');
      const done = await submit(venue, 'contract_settings_changed', {
        kind: 'set_leverage',
        accountId,
        instrumentId,
        ...first,
        ...(others.length > 0 && { others }),
      });
      if (isRefused(done)) return done;
      return LEVERAGES.write(await accountIn(venue, accountId, contract));
    },
  }),
  positionMargin: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/account/positionMargin`,
    ...costs(30),
    summary: 'Add margin to an isolated position or take it out',
    request: {
      isolatedPositionId: POSITION_ID,
      amount: requiredText('Margin coin, above zero'),
      type: requiredChoice('1 add, 2 take out', SIGNS, 1n),
    },
    response: DONE,
    example: { request: { isolatedPositionId: 12, amount: '10', type: 1 } },
    answer: async ({ venue }: Services, asked, call) => {
      const held = await findHeld(venue, 'isolatedPositionId', asked.isolatedPositionId, call);
      if (isRefused(held)) return held;
      const { contract, side } = held;
      const value = readAmount(asked.amount, contract);
      if (isRefused(value)) return value;
      const adjusted = await submit(venue, 'margin_adjusted', {
        kind: 'adjust_margin',
        accountId: call.accountId,
        instrumentId: contract.instrumentId,
        side,
        delta: asked.type * value,
      });
      return isRefused(adjusted) ? adjusted : DONE.write(call.nowMs);
    },
  }),
  autoAppendMargin: signedEndpoint({
    ...CHANGING,
    path: `${CONTRACT_BASE}/account/modifyAutoAppendMargin`,
    ...costs(30),
    summary: 'Whether margin is added by itself before an isolated position is liquidated',
    request: { positionId: POSITION_ID, autoAppendMargin: AUTOMATIC },
    response: DONE,
    example: { request: { positionId: 12, autoAppendMargin: true } },
    answer: async ({ venue }: Services, asked, call) => {
      const held = await findHeld(venue, 'positionId', asked.positionId, call);
      if (isRefused(held)) return held;
      const { contract, side } = held;
      const done = await submit(venue, 'contract_settings_changed', {
        kind: 'set_auto_margin',
        accountId: call.accountId,
        instrumentId: contract.instrumentId,
        side,
        automatic: asked.autoAppendMargin,
      });
      return isRefused(done) ? done : DONE.write(call.nowMs);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
