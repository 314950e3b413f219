/** The terms of a coin as texts that are being typed, and the request they make. Pure. */
import type { admin } from '#client';
import { changeLines } from './listing-draft.ts';

export type Coin = admin.InstrumentsAnswer['assets'][number];
type Chain = Coin['chains'][number];

const NETWORK_TEXTS = [
  ...(['minDepositAmount', 'minWithdrawAmount', 'withdrawFee'] as const),
  ...(['depositConfirm', 'withdrawConfirm'] as const),
];
export const NETWORK_FLAGS = ['rechargeable', 'withdrawable', 'needTag'] as const;
export const NETWORKS_MAX = 50;

type NetworkText = (typeof NETWORK_TEXTS)[number] | 'chain' | 'browserUrl';

export interface NetworkDraft
  extends Readonly<Record<NetworkText, string>>,
    Readonly<Record<(typeof NETWORK_FLAGS)[number], boolean>> {
  /** Tells rows apart while their names are typed. */
  readonly row: number;
}

/** What liquidations may cost the insurance fund: parts of what it holds. */
export const BUDGETS = ['insuranceBudgetHour', 'insuranceBudgetDay'] as const;

export type BudgetDraft = Readonly<Record<(typeof BUDGETS)[number], string>>;

export interface CoinDraft extends BudgetDraft {
  readonly transferable: boolean;
  readonly networks: readonly NetworkDraft[];
}

export type NetworkFault = 'network' | 'twice' | 'whole' | 'decimal';

const WHOLE = /^[0-9]{1,9}$/;
const PART = /^(0(\.[0-9]{1,6})?|1(\.0{1,6})?)$/;

export function draftOfCoin({ transferable, chains, ...coin }: Coin): CoinDraft {
  const { insuranceBudgetHour, insuranceBudgetDay } = coin;
  const networks = chains.map(({ depositConfirm, withdrawConfirm, ...chain }, row) => ({
    ...{ ...chain, row },
    depositConfirm: String(depositConfirm),
    withdrawConfirm: String(withdrawConfirm),
  }));
  return { transferable, insuranceBudgetHour, insuranceBudgetDay, networks };
}

export function withNetwork(draft: CoinDraft): CoinDraft {
  const { networks } = draft;
  const row = Math.max(-1, ...networks.map((one) => one.row)) + 1;
  const figures = { minDepositAmount: '0', minWithdrawAmount: '0', withdrawFee: '0' };
  const confirmations = { depositConfirm: '1', withdrawConfirm: '1' };
  const flags = { rechargeable: true, withdrawable: true, needTag: false };
  const added = { row, chain: '', browserUrl: '', ...figures, ...confirmations, ...flags };
  return { ...draft, networks: [...networks, added] };
}

export function isBudget(text: string): boolean {
  return PART.test(text.trim());
}

/** What is wrong with a field of a network; undefined for what can be sent. */
export function networkFault(
  { scale }: Pick<Coin, 'scale'>,
  { networks }: CoinDraft,
  network: NetworkDraft,
  field: NetworkText,
): NetworkFault | undefined {
  const text = network[field].trim();
  if (field === 'browserUrl') return undefined;
  if (field === 'chain') {
    if (text === '') return 'network';
    const name = (one: NetworkDraft) => one.chain.trim().toLowerCase();
    const isTwice = networks.filter((one) => name(one) === name(network)).length > 1;
    return isTwice ? 'twice' : undefined;
  }
  if (field === 'depositConfirm' || field === 'withdrawConfirm') {
    return WHOLE.test(text) ? undefined : 'whole';
  }
  const decimal =
    scale === 0 ? /^[0-9]{1,20}$/ : new RegExp(`^[0-9]{1,20}(\\.[0-9]{1,${scale}})?$`);
  return decimal.test(text) ? undefined : 'decimal';
}

export function hasCoinFault(coin: Coin, draft: CoinDraft): boolean {
  const fields = [...NETWORK_TEXTS, 'chain'] as const;
  const isNetworkFaulty = draft.networks.some((one) =>
    fields.some((field) => networkFault(coin, draft, one, field) !== undefined),
  );
  return isNetworkFaulty || !BUDGETS.every((name) => isBudget(draft[name]));
}

function chainOf({ row: _, depositConfirm, withdrawConfirm, ...one }: NetworkDraft): Chain {
  return {
    ...one,
    chain: one.chain.trim(),
    minDepositAmount: one.minDepositAmount.trim(),
    minWithdrawAmount: one.minWithdrawAmount.trim(),
    withdrawFee: one.withdrawFee.trim(),
    browserUrl: one.browserUrl.trim(),
    depositConfirm: Number(depositConfirm),
    withdrawConfirm: Number(withdrawConfirm),
  };
}

/** The fields of the request: only what differs from the listing. */
export function coinChanges(
  { transferable, chains, ...coin }: Coin,
  draft: CoinDraft,
): Partial<Pick<Coin, 'transferable' | 'chains' | keyof BudgetDraft>> {
  const budgets = BUDGETS.map((name) => [name, draft[name].trim()] as const);
  const now = draft.networks.map(chainOf);
  const isOther = JSON.stringify(sorted(now)) !== JSON.stringify(sorted(chains));
  return {
    ...(draft.transferable === transferable ? {} : { transferable: draft.transferable }),
    ...Object.fromEntries(budgets.filter(([name, text]) => text !== coin[name])),
    ...(isOther ? { chains: now } : {}),
  };
}

/** The same fields in the same order. */
function sorted(chains: readonly Chain[]): unknown {
  return chains.map((chain) => Object.entries(chain).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What a change does, network by network, as in "TRC20: Withdrawal fee: 1 → 0.8". */
export function coinChangeLines(
  { chains, ...terms }: Coin,
  { chains: to, ...changes }: ReturnType<typeof coinChanges>,
  nameOf: (field: string) => string,
  { added, removed }: Readonly<Record<'added' | 'removed', (network: string) => string>>,
): readonly string[] {
  const moves = changeLines({ ...terms }, changes, nameOf);
  if (to === undefined) return moves;
  const isThere = (all: readonly Chain[], name: string) => all.some(({ chain }) => chain === name);
  const gone = chains.filter(({ chain }) => !isThere(to, chain)).map(({ chain }) => removed(chain));
  const lines = to.flatMap((chain) => {
    const was = chains.find((one) => one.chain === chain.chain);
    const first = was === undefined ? [added(chain.chain)] : [];
    const before: Readonly<Record<string, unknown>> = { ...was };
    const changed = Object.entries(chain).filter(([name, value]) => before[name] !== value);
    const named = (field: string) => `${chain.chain}: ${nameOf(field)}`;
    const { chain: _, ...fields } = Object.fromEntries(changed);
    return [...first, ...changeLines(before, fields, named)];
  });
  return [...moves, ...gone, ...lines];
}
