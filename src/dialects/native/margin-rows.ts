/** An account's side of a contract: its settings, and the money behind it. */
import {
  type AccountId,
  type Amount,
  type Contract,
  type MarginAccountView,
  RATIO_SCALE,
  type StateReader,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { formatMoney } from '../kit/contract-figures.ts';
import { decimal, listedName, nullOr, oneOf, row, truth, whole } from '../kit/row.ts';

export interface OwnContract {
  readonly contract: Contract;
  readonly account: MarginAccountView;
}

/** An account in one contract or in all of them, as of one moment. */
export function ownContracts(
  state: StateReader,
  accountId: AccountId,
  only?: Contract,
): readonly OwnContract[] {
  const contracts = only === undefined ? [...state.listings.contracts.values()] : [only];
  return contracts.map((contract) => {
    const account = state.marginAccount(accountId, contract.instrumentId);
    return { contract, account: present(account, 'account in a contract') };
  });
}

function money(description: string, example: string, of: (account: MarginAccountView) => Amount) {
  return decimal<OwnContract>(description, example, ({ contract, account }) =>
    formatMoney(contract, of(account)),
  );
}

function leverage(description: string, of: (account: MarginAccountView) => number) {
  return whole<OwnContract>(description, 20, ({ account }) => of(account));
}

function autoMargin(description: string, side: 'long' | 'short') {
  return truth<OwnContract>(description, false, ({ account }) => account[side].autoAppend);
}

/** What the owner has set, and where the money is. */
export const SETTINGS = row<OwnContract>()({
  symbol: listedName('Contract', 'BTC-USDT-PERP', ({ contract }) => contract.symbol),
  wallet: listedName(
    'Wallet behind it: margin, which contracts of a coin share, or one of its own by its symbol',
    'margin',
    ({ account }) => account.wallet,
  ),
  coin: listedName('Coin of that money', 'USDT', ({ contract }) => contract.margin.code),
  marginMode: oneOf(
    ['isolated', 'cross'],
    'How positions are margined',
    'cross',
    ({ account }) => account.marginMode,
  ),
  separated: truth(
    'As asked for, for clients that ask for it again: a side is one position either way',
    false,
    ({ account }) => account.isSeparated,
  ),
  crossLeverage: leverage('Leverage in cross mode', ({ leverages }) => leverages.cross),
  longLeverage: leverage('Of longs in isolated mode', ({ leverages }) => leverages.isolatedLong),
  shortLeverage: leverage('Of shorts in isolated mode', ({ leverages }) => leverages.isolatedShort),
  longAutoMargin: autoMargin(
    'Whether an isolated long is given margin by itself before it is liquidated',
    'long',
  ),
  shortAutoMargin: autoMargin('The same of an isolated short', 'short'),
});

export const MARGIN = row<OwnContract>()({
  ...SETTINGS.columns,
  balance: money(
    'Settled money of the wallet, without unrealised profit',
    '999.981994',
    ({ balance }) => balance,
  ),
  equity: money(
    'Balance and unrealised profit of all positions that stand on the wallet',
    '999.971994',
    ({ equity }) => equity,
  ),
  available: money(
    'What of the wallet can open positions or be moved out',
    '996.980994',
    ({ available }) => available,
  ),
  held: money(
    'Reserved by open orders of all contracts that stand on the wallet',
    '0',
    ({ marginFrozen }) => marginFrozen,
  ),
  margin: money('Margin in use by both sides of this contract', '3.001', ({ margin }) => margin),
  unrealizedPnl: money(
    'Of both sides at the mark price',
    '-0.01',
    ({ unrealizedPnl }) => unrealizedPnl,
  ),
  realizedPnl: money('Of the positions held', '0', ({ realizedPnl }) => realizedPnl),
  marginRatio: nullOr(
    'Equity over value of all that is cross on the wallet, 0 when flat; null in isolated mode, ' +
      'where each position has its own',
    decimal<OwnContract>('Ratio', '1.0003', ({ account }) =>
      formatTrimmed(account.marginRatio ?? 0n, RATIO_SCALE),
    ),
    ({ account }) => account.marginRatio === null,
  ),
});
