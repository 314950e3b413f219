/** What a change of terms does, in words: a line for each term, with what it was and will be. */
import { useCompetitionTexts } from '../../texts/competition.ts';
import { type TermName, type TermsDraft, termsOf } from './terms-draft.ts';

const TERMS = [
  ...(['name', 'description', 'money', 'coin', 'sampleMs'] as const),
  ...(['rankBy', 'joinBy', 'holdsAccounts', 'isPublic'] as const),
] as const satisfies readonly TermName[];

export function useTermLines(before: TermsDraft, after: TermsDraft): readonly string[] {
  const { desk } = useCompetitionTexts();
  const wordsOf = (draft: TermsDraft): Readonly<Record<(typeof TERMS)[number], string>> => {
    const { name, description, money, coin, sampleMs, ...others } = termsOf(draft);
    const { rankBy, joinBy, holdsAccounts, isPublic } = others;
    const paid = money.map((one) => {
      return `${one.amount} ${one.coin} (${desk.wallets[one.wallet]})`;
    });
    return {
      ...{ name, description: description || desk.nothing, coin, money: paid.join(' + ') },
      sampleMs: String(sampleMs / 1_000),
      rankBy: desk.rankings[rankBy],
      joinBy: desk.joinModes[joinBy],
      holdsAccounts: desk.yesOrNo(holdsAccounts),
      isPublic: desk.yesOrNo(isPublic),
    };
  };
  const labels: Readonly<Record<(typeof TERMS)[number], string>> = {
    ...{ name: desk.name, description: desk.description, money: desk.money },
    ...{ coin: desk.scoredIn, sampleMs: desk.sample, rankBy: desk.rankBy },
    ...{ joinBy: desk.joinBy, holdsAccounts: desk.holds, isPublic: desk.isPublic },
  };
  const [was, is] = [wordsOf(before), wordsOf(after)];
  return TERMS.filter((term) => was[term] !== is[term]).map(
    (term) => `${labels[term]}: ${was[term]} → ${is[term]}`,
  );
}
