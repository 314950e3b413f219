/**
 * Which wallet stands behind each contract: several may share one. Accounts of the classic
 * interface never did, so this is an extension of this venue.
 */
import type { Services } from '#api';
import { type AccountView, type Contract, marginWallet, refuse } from '#domain';
import { type SignedEndpoint, signedEndpoint } from '../kit/endpoint.ts';
import { jsonList, listedName, listOf, row } from '../kit/row.ts';
import { perSecond } from './spot-terms.ts';
import { BASE, NAME, READING, SYMBOL } from './swap-terms.ts';
import { walletName } from './symbols.ts';

interface Backing {
  readonly contract: Contract;
  readonly account: AccountView;
}

const BACKING = row<Backing>()({
  symbol: NAME,
  account: listedName(
    'Wallet: that of this contract, or margin for the one of all contracts of the coin',
    SYMBOL,
    ({ contract, account }) => walletName(marginWallet(account, contract)),
  ),
  coin: listedName('Margin coin', 'USDT', ({ contract }) => contract.margin.code),
});

export const SWAP_WALLETS = {
  wallets: signedEndpoint({
    ...READING,
    path: `${BASE}/account/wallets`,
    rate: perSecond(5),
    summary: 'The wallet that the margin of each contract is in. An extension of this venue',
    request: {},
    response: listOf(BACKING),
    answer: ({ venue }: Services, _asked, { accountId }) =>
      venue.read((state) => {
        const account = state.account(accountId);
        if (account === undefined) return refuse('account_unknown');
        const contracts = [...state.listings.contracts.values()];
        return jsonList(contracts, (contract) => BACKING.write({ contract, account }));
      }, accountId),
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;
