/** The fee level of an account by its volume; nothing where the venue has no levels. */
import { people } from '#client';
import { Fact } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOwn } from './use-own.ts';

export function OwnFeeLevel({ accountId }: { readonly accountId: string }) {
  const { levels } = useDeskTexts();
  const { data } = useOwn(people.feeLevel, { account: accountId });
  if (data === undefined || data.coin === '') return null;
  const amount = (volume: string) => `${grouped(volume)} ${data.coin}`;
  return (
    <section className="panel fact-line" aria-label={levels.level}>
      <Fact label={levels.level} text={String(data.level)} />
      <Fact label={levels.volume} text={amount(data.volume)} />
      {data.next === null ? null : <Fact label={levels.next} text={amount(data.next)} />}
    </section>
  );
}
