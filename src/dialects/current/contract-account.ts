/** An account in contracts: its money, its rates and its settings. */
import type { DataJson, Services } from '#api';
import {
  type AccountView,
  type Asset,
  type Contract,
  type MarginAccountView,
  type MarginFundsView,
  refuse,
  type StateReader,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { decimal, jsonList, listedName, listOf, oneOf, row, truth, whole } from '../kit/row.ts';
import { ratioText } from './amounts.ts';
import {
  CONTRACT,
  CONTRACT_BASE,
  CONTRACT_NAME,
  CONTRACT_OR_ALL,
  MARGIN_TYPE_WORDS,
  marginTypeWord,
  type OfContract,
  ONLY_SYMBOL,
  SEPARATED_WORDS,
  separatedWord,
} from './contract-terms.ts';
import { costs } from './costs.ts';
import { TIME_MS } from './spot-terms.ts';
import { shownContracts } from './symbols.ts';

/** A leverage has two decimals, as clients know it. */
export function leverageText(leverage: number): string {
  return `${leverage}.00`;
}

interface CoinFunds {
  readonly coin: Asset;
  readonly funds: MarginFundsView;
}

function amount(description: string, example: string, of: (funds: MarginFundsView) => bigint) {
  return decimal<CoinFunds>(description, example, ({ coin, funds }) =>
    formatTrimmed(of(funds), coin.scale),
  );
}

const BALANCE = row<CoinFunds>()({
  asset: listedName('Margin coin', 'USDT', ({ coin }) => coin.code),
  balance: amount(
    'Settled money, with margin and what orders freeze, without unrealised profit',
    '999.981994',
    ({ balance }) => balance,
  ),
  availableBalance: amount(
    'What can open positions or be moved out',
    '996.980994',
    ({ available }) => available,
  ),
  frozen: amount('Set aside for open orders', '0', ({ frozen }) => frozen),
  unrealizePnl: amount(
    'Profit and loss of the positions at the mark price',
    '-0.01',
    ({ unrealizedPnl }) => unrealizedPnl,
  ),
});

/** The margin coins of the contracts shown, each with the money behind them. */
function fundsOf(state: StateReader, accountId: AccountView['accountId']): readonly CoinFunds[] {
  const contracts = shownContracts(state.listings);
  const account = present(state.account(accountId), 'account of a key');
  const wallets = new Set<string>(['margin', ...contracts.map(({ symbol }) => symbol)]);
  const balances = [...account.contractBalances()].filter(([wallet]) => wallets.has(wallet));
  const touched = new Set(balances.map(([, { assetId }]) => assetId));
  const coins = [...new Set(contracts.map(({ margin }) => margin.assetId))];
  return coins
    .filter((assetId) => touched.has(assetId))
    .map((assetId) => ({
      coin: present(state.listings.asset(assetId), 'coin of a contract'),
      funds: present(state.marginFunds(accountId, assetId), 'funds of an account'),
    }));
}

interface Rates extends OfContract {
  readonly account: Pick<AccountView, 'makerFeePpm' | 'takerFeePpm'>;
}

const COMMISSION_RATE = row<Rates>()({
  symbol: CONTRACT_NAME,
  makerCommissionRate: decimal('Of the order that rests', '0.0002', ({ contract, account }) =>
    ratioText(account.makerFeePpm ?? contract.makerFeePpm),
  ),
  takerCommissionRate: decimal('Of the order that takes', '0.0006', ({ contract, account }) =>
    ratioText(account.takerFeePpm ?? contract.takerFeePpm),
  ),
});

interface Config {
  readonly account: AccountView;
  readonly updatedTimeMs: number;
}

const ACCOUNT_CONFIG = row<Config>()({
  canTrade: truth('Whether it may trade', true, ({ account }) => !account.frozen),
  canDeposit: truth('Whether it may deposit', true, () => true),
  canWithdraw: truth('Whether it may withdraw', true, ({ account }) => !account.frozen),
  dualSidePosition: truth('Long and short of a contract are held side by side', true, () => true),
  updateTime: whole('When it last changed', TIME_MS, ({ updatedTimeMs }) => updatedTimeMs),
});

/** An account's side of a contract. */
export interface ContractAccount extends OfContract {
  readonly account: MarginAccountView;
}

const SYMBOL_CONFIG = row<ContractAccount>()({
  symbol: CONTRACT_NAME,
  marginType: oneOf(MARGIN_TYPE_WORDS, 'Margin mode', 'CROSSED', ({ account }) =>
    marginTypeWord(account.marginMode),
  ),
  separatedType: oneOf(
    SEPARATED_WORDS,
    'As asked for; either way a side is one position',
    'COMBINED',
    ({ account }) => separatedWord(account.isSeparated),
  ),
  crossLeverage: decimal('Leverage of the cross mode', '20.00', ({ account }) =>
    leverageText(account.leverages.cross),
  ),
  isolatedLongLeverage: decimal('Of isolated longs', '20.00', ({ account }) =>
    leverageText(account.leverages.isolatedLong),
  ),
  isolatedShortLeverage: decimal('Of isolated shorts', '20.00', ({ account }) =>
    leverageText(account.leverages.isolatedShort),
  ),
});

/** An account in one contract or all of them, as of one moment. */
export function contractAccounts(
  state: StateReader,
  accountId: AccountView['accountId'],
  only?: Contract,
): readonly ContractAccount[] {
  const contracts = only === undefined ? shownContracts(state.listings) : [only];
  return contracts.map((contract) => {
    const account = state.marginAccount(accountId, contract.instrumentId);
    return { contract, account: present(account, 'account in a contract') };
  });
}

const READING = { method: 'GET', permission: 'read' } as const;

export const CONTRACT_ACCOUNT = {
  contractBalance: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/balance`,
    ...costs(10),
    summary: 'Money behind contracts, by margin coin',
    request: {},
    response: listOf(BALANCE),
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read(
        (state): DataJson => jsonList(fundsOf(state, accountId), BALANCE.write),
        accountId,
      ),
  }),
  commissionRate: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/commissionRate`,
    ...costs(10),
    summary: 'Fee rates of the account in a contract',
    request: { symbol: CONTRACT },
    response: COMMISSION_RATE,
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, { symbol: contract }, { accountId }) =>
      venue.read((state) => {
        const account = state.account(accountId);
        if (account === undefined) return refuse('account_unknown');
        return COMMISSION_RATE.write({ contract, account });
      }, accountId),
  }),
  accountConfig: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/accountConfig`,
    ...costs(10),
    summary: 'What the account may do',
    request: {},
    response: ACCOUNT_CONFIG,
    answer: ({ venue }: Services, _values, { accountId }) =>
      venue.read((state) => {
        const account = state.account(accountId);
        if (account === undefined) return refuse('account_unknown');
        const changes = contractAccounts(state, accountId);
        const updatedTimeMs = Math.max(
          account.createdTimeMs,
          ...changes.map(({ account: { updatedTimeMs } }) => updatedTimeMs),
        );
        return ACCOUNT_CONFIG.write({ account, updatedTimeMs });
      }, accountId),
  }),
  symbolConfig: signedEndpoint({
    ...READING,
    path: `${CONTRACT_BASE}/account/symbolConfig`,
    ...costs(10),
    summary: 'Margin mode and leverages in one contract or all',
    request: { symbol: CONTRACT_OR_ALL },
    response: listOf(SYMBOL_CONFIG),
    example: { request: ONLY_SYMBOL },
    answer: ({ venue }: Services, { symbol }, { accountId }) =>
      venue.read(
        (state) => jsonList(contractAccounts(state, accountId, symbol), SYMBOL_CONFIG.write),
        accountId,
      ),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
