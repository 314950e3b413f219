/** The terms of a competition as texts that are being typed, and the request they make. Pure. */
import type { admin } from '#client';

export const WALLETS = ['margin', 'spot'] as const;
export type Wallet = (typeof WALLETS)[number];
export const RANKINGS = ['return', 'sharpe'] as const;
export const JOIN_MODES = ['code', 'open', 'operator'] as const;
export const MONEY_MAX = 10;

export interface MoneyDraft {
  /** Tells rows apart while they are typed. */
  readonly row: number;
  readonly coin: string;
  readonly amount: string;
  readonly wallet: Wallet;
}

export interface TermsDraft {
  readonly name: string;
  readonly description: string;
  readonly coin: string;
  readonly money: readonly MoneyDraft[];
  readonly seconds: string;
  readonly rankBy: (typeof RANKINGS)[number];
  readonly joinBy: (typeof JOIN_MODES)[number];
  readonly holdsAccounts: boolean;
  readonly isPublic: boolean;
}

export type TermsFault = 'name' | 'text' | 'coin' | 'amount' | 'twice' | 'seconds';
export type TermsField = 'name' | 'description' | 'coin' | 'seconds';

/** What stands, as the rounds of a competition are. */
export interface Standing {
  /** A round prepares or runs. */
  readonly isUnderWay: boolean;
  /** A round has been started, so that there are results. */
  readonly hasResults: boolean;
}

const SECOND_MS = 1_000;
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._#'-]{0,39}$/u;
const COIN = /^[A-Za-z0-9]{1,20}$/;
const AMOUNT = /^(?=.*[1-9])[0-9]{1,20}(\.[0-9]{1,18})?$/;
const SECONDS = /^[1-9][0-9]{0,7}$/;
const DESCRIPTION_MAX = 500;

export const NEW_TERMS: TermsDraft = {
  ...{ name: '', description: '', coin: 'USDT', seconds: '10' },
  money: [{ row: 0, coin: 'USDT', amount: '10000', wallet: 'margin' }],
  ...{ rankBy: 'return', joinBy: 'code', holdsAccounts: true, isPublic: true },
};

export function draftOf(seen: admin.CompetitionAnswer): TermsDraft {
  const { name, description, coin, rankBy, joinBy, holdsAccounts, isPublic } = seen;
  const money = seen.money.map(({ wallet, ...one }, row): MoneyDraft => {
    return { ...one, row, wallet: wallet === 'margin' ? 'margin' : 'spot' };
  });
  const seconds = String(seen.sampleMs / SECOND_MS);
  return { name, description, coin, money, seconds, rankBy, joinBy, holdsAccounts, isPublic };
}

export function standingOf({ rounds }: Pick<admin.CompetitionAnswer, 'rounds'>): Standing {
  const isUnderWay = rounds.some(({ state }) => state === 'preparing' || state === 'running');
  const hasResults = rounds.some(({ state }) => /^(running|ended|closed)$/.test(state));
  return { isUnderWay, hasResults };
}

export function withMoney(draft: TermsDraft): TermsDraft {
  const row = Math.max(-1, ...draft.money.map((one) => one.row)) + 1;
  const added: MoneyDraft = { row, coin: draft.coin, amount: '', wallet: 'spot' };
  return { ...draft, money: [...draft.money, added] };
}

export function termsFault(draft: TermsDraft, field: TermsField): TermsFault | undefined {
  const text = draft[field].trim();
  switch (field) {
    case 'name':
      return NAME.test(text) ? undefined : 'name';
    case 'description':
      return text.length > DESCRIPTION_MAX ? 'text' : undefined;
    case 'coin':
      return COIN.test(text) ? undefined : 'coin';
    default:
      return SECONDS.test(text) ? undefined : 'seconds';
  }
}

export function moneyFault(
  { money }: TermsDraft,
  one: MoneyDraft,
  field: 'coin' | 'amount',
): TermsFault | undefined {
  if (field === 'amount') return AMOUNT.test(one.amount.trim()) ? undefined : 'amount';
  if (!COIN.test(one.coin.trim())) return 'coin';
  const same = money.filter(({ coin, wallet }) => {
    return wallet === one.wallet && coin.trim().toUpperCase() === one.coin.trim().toUpperCase();
  });
  return same.length > 1 ? 'twice' : undefined;
}

export function hasFault(draft: TermsDraft): boolean {
  const fields = ['name', 'description', 'coin', 'seconds'] as const;
  if (draft.money.length === 0 || fields.some((one) => termsFault(draft, one) !== undefined)) {
    return true;
  }
  return draft.money.some(
    (one) =>
      moneyFault(draft, one, 'coin') !== undefined ||
      moneyFault(draft, one, 'amount') !== undefined,
  );
}

/** As the venue takes them. */
export function termsOf(draft: TermsDraft) {
  const { rankBy, joinBy, holdsAccounts, isPublic } = draft;
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    coin: draft.coin.trim().toUpperCase(),
    money: draft.money.map(({ coin, amount, wallet }) => {
      return { coin: coin.trim().toUpperCase(), amount: amount.trim(), wallet };
    }),
    sampleMs: Number(draft.seconds) * SECOND_MS,
    ...{ rankBy, joinBy, holdsAccounts, isPublic },
  };
}

type Terms = ReturnType<typeof termsOf>;
export type TermName = keyof Terms;

/** Which terms are others now. */
export function changedTerms(before: TermsDraft, after: TermsDraft): Partial<Terms> {
  const [one, other] = [termsOf(before), termsOf(after)];
  const changed = Object.entries(other).filter(([name, value]) => {
    const [, was] = Object.entries(one).find(([known]) => known === name) ?? [];
    return JSON.stringify(was) !== JSON.stringify(value);
  });
  return Object.fromEntries(changed);
}
