/** Fee levels by volume: what they are, and where one account is. */
import { admin } from '#client';
import { type Column, Fact, Section, Table } from '../../look/mod.ts';
import { grouped, percentText } from '../../model/numbers.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { useLoaded } from '../use-loaded.ts';

const FEE_DECIMALS = 3;

/** Nothing where no levels are configured. */
export function FeeLevels() {
  const { levels } = useDeskTexts();
  const ops = useOpsTexts();
  const { data } = useLoaded(admin.feeLevels, {});
  if (data === undefined || data.levels.length === 0) return null;
  const columns: readonly Column<admin.FeeLevelsAnswer['levels'][number]>[] = [
    {
      name: 'volume',
      title: levels.from(data.coin),
      cell: ({ volume }) => grouped(volume),
      isNumber: true,
    },
    {
      name: 'taker',
      title: ops.takerFee,
      cell: ({ takerFee }) => percentText(takerFee, FEE_DECIMALS),
      isNumber: true,
    },
    {
      name: 'maker',
      title: ops.makerFee,
      cell: ({ makerFee }) => percentText(makerFee, FEE_DECIMALS),
      isNumber: true,
    },
  ];
  return (
    <Section title={levels.title}>
      <p className="remark ops-remark">{levels.means(String(data.days))}</p>
      <Table
        label={levels.title}
        columns={columns}
        rows={data.levels}
        keyOf={({ volume }) => volume}
      />
    </Section>
  );
}

/** The level of one account, as facts; nothing where there are no levels. */
export function AccountLevel({ accountId }: { readonly accountId: string }) {
  const { levels } = useDeskTexts();
  const { data } = useLoaded(admin.accountFeeLevel, { account: accountId });
  if (data === undefined || data.coin === '') return null;
  return (
    <>
      <Fact label={levels.level} text={String(data.level)} />
      <Fact label={levels.volume} text={`${grouped(data.volume)} ${data.coin}`} />
    </>
  );
}
