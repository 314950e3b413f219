/** Positions of an account: what is open now, one row for each side held. */
import type { Services } from '#api';
import { HOLD_SIDES, type HoldSide, type PositionView, type StateReader } from '#domain';
import { formatValue } from '../kit/contract-figures.ts';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import {
  decimal,
  idNumber,
  jsonList,
  listedName,
  listOf,
  oneOf,
  row,
  truth,
  whole,
} from '../kit/row.ts';
import { type ContractAccount, contractAccounts, leverageText } from './contract-account.ts';
import {
  CONTRACT,
  CONTRACT_BASE,
  CONTRACT_NAME,
  MARGIN_TYPE_WORDS,
  marginTypeWord,
  money,
  ONLY_SYMBOL,
  POSITION_SIDE_WORDS,
  positionSideWord,
  price,
  SEPARATED_WORDS,
  separatedOrder,
  separatedWord,
  size,
} from './contract-terms.ts';
import { costs } from './costs.ts';
import { TIME_MS } from './spot-terms.ts';

/** A side that is held. */
export interface Held extends ContractAccount {
  readonly side: HoldSide;
  readonly position: PositionView;
}

function value(
  description: string,
  example: string,
  of: (totals: PositionView['totals'], position: PositionView) => bigint,
) {
  return decimal<Held>(description, example, ({ contract, position }) =>
    formatValue(contract, of(position.totals, position)),
  );
}

const POSITION = row<Held>()({
  id: whole('New each time a side is opened', 12, ({ position }) => position.positionId),
  asset: listedName('Margin coin', 'USDT', ({ contract }) => contract.margin.code),
  symbol: CONTRACT_NAME,
  side: oneOf(POSITION_SIDE_WORDS, 'Side', 'LONG', ({ side }) => positionSideWord(side)),
  marginType: oneOf(MARGIN_TYPE_WORDS, 'Margin mode', 'CROSSED', ({ account }) =>
    marginTypeWord(account.marginMode),
  ),
  separatedMode: oneOf(SEPARATED_WORDS, 'As asked for', 'SEPARATED', ({ account }) =>
    separatedWord(account.isSeparated),
  ),
  separatedOpenOrderId: idNumber<Held>(
    'First order of a SEPARATED position; 0 of a COMBINED one',
    ({ account, position }) => separatedOrder(account, position),
  ),
  leverage: decimal('Leverage', '20.00', ({ position }) => leverageText(position.leverage)),
  size: size('What is held, in base coin', '0.001', ({ position }) => position.lots),
  openValue: value('Exact value at which it was opened', '30.01', (_, { open }) => open),
  openFee: money('Fees for opening what is held', '0.018006', ({ position }) => heldFee(position)),
  fundingFee: money(
    'Funding of what is held; received is above zero',
    '0',
    ({ position }) => position.totals.heldFunding,
  ),
  marginSize: money('Margin in use', '1.5005', ({ position }) => position.margin),
  isolatedMargin: money('The same of an isolated position', '0', ({ account, position }) =>
    account.marginMode === 'isolated' ? position.margin : 0n,
  ),
  isAutoAppendIsolatedMargin: truth(
    'Whether margin is added by itself before a liquidation',
    false,
    ({ position }) => position.autoAppend,
  ),
  cumOpenSize: size('Opened since its id began', '0.001', ({ position }) => opened(position)),
  cumOpenValue: value('Value of that', '30.01', ({ openedValue }) => openedValue),
  cumOpenFee: money('Fees for that', '0.018006', ({ position }) => position.totals.openedFee),
  cumCloseSize: size('Closed since then', '0', ({ position }) => position.totals.closedLots),
  cumCloseValue: value('Value of that', '0', ({ closedValue }) => closedValue),
  cumCloseFee: money('Fees for that', '0', ({ position }) => position.totals.closedFee),
  cumFundingFee: money('Funding since then', '0', ({ position }) => position.totals.funding),
  cumLiquidateFee: money(
    'Fees of liquidations since then',
    '0',
    ({ position }) => position.totals.liquidationFee,
  ),
  createdMatchSequenceId: whole('Step that opened it', 40, ({ position }) => position.openedSeq),
  updatedMatchSequenceId: whole('Step that changed it', 40, ({ position }) => position.updatedSeq),
  createdTime: whole('When it was opened', TIME_MS, ({ position }) => position.openedTimeMs),
  updatedTime: whole('When it last changed', TIME_MS, ({ position }) => position.updatedTimeMs),
  unrealizePnl: money(
    'Profit and loss at the mark price',
    '-0.01',
    ({ position }) => position.unrealizedPnl,
  ),
  liquidatePrice: price(
    'Estimate; 0 when no price liquidates it',
    '28651.5',
    ({ position }) => position.liquidationTicks,
  ),
});

function heldFee({ totals }: PositionView): bigint {
  return totals.heldFee;
}

function opened({ totals }: PositionView): bigint {
  return totals.openedLots;
}

/** What an account holds, in one contract or all of them. */
export function heldSides(
  state: StateReader,
  accountId: Parameters<typeof contractAccounts>[1],
  only?: ContractAccount['contract'],
): readonly Held[] {
  return contractAccounts(state, accountId, only).flatMap((found) =>
    HOLD_SIDES.map((side) => ({ ...found, side, position: found.account[side] })).filter(
      ({ position }) => position.lots > 0,
    ),
  );
}

const READING = { method: 'GET', permission: 'read' } as const;

export const CONTRACT_POSITIONS = {
  allPosition: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/position/allPosition`,
    ...costs(15),
    summary: 'Every position that is open',
    request: {},
    response: listOf(POSITION),
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read((state) => jsonList(heldSides(state, accountId), POSITION.write), accountId),
  }),
  singlePosition: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/position/singlePosition`,
    ...costs(3),
    summary: 'The open positions of a contract',
    request: { symbol: CONTRACT },
    response: listOf(POSITION),
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, { symbol }, { accountId }) =>
      venue.read(
        (state) => jsonList(heldSides(state, accountId, symbol), POSITION.write),
        accountId,
      ),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
