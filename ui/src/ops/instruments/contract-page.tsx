/** One contract: its prices, every term, its risk tiers, the sources of its index. */

import { useState } from 'react';
import { admin } from '#client';
import {
  Button,
  type Column,
  Fact,
  Mark,
  Refusal,
  Section,
  Skeleton,
  Table,
  useTimes,
} from '../../look/mod.ts';
import { grouped, percentText } from '../../model/numbers.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { go } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { ContractDialog } from './contract-dialog.tsx';
import { TERM_NAMES } from './contract-draft.ts';
import { IndexDialog } from './index-dialog.tsx';
import { Status, StatusButtons } from './status.tsx';
import { StatusDialog, type StatusOrder } from './status-dialog.tsx';

type TierRow = admin.ContractAnswer['tiers'][number];
type IndexSourceRow = admin.ContractAnswer['index']['sources'][number];

const EVERY_MS = 2_000;
const RATE_DECIMALS = 3;
const FUNDING_DECIMALS = 4;

export function ContractPage({ symbol }: { readonly symbol: string }) {
  const { instruments } = useOpsTexts();
  const { data, failure, reload } = useLoaded(admin.contract, { symbol }, EVERY_MS);
  return (
    <div className="ops-page">
      <div className="ops-line">
        <Button tone="quiet" onClick={() => go('instruments')}>
          ← {instruments.title}
        </Button>
        <Refusal failure={failure} />
      </div>
      {data === undefined ? (
        failure === undefined && <Skeleton lines={8} />
      ) : (
        <Contract contract={data} onDone={reload} />
      )}
    </div>
  );
}

interface ContractProps {
  readonly contract: admin.ContractAnswer;
  readonly onDone: () => void;
}

function Contract({ contract, onDone }: ContractProps) {
  const { instruments } = useOpsTexts();
  return (
    <>
      <ContractHead {...{ contract, onDone }} />
      <div className="ops-columns">
        <Terms contract={contract} />
        <div className="ops-page">
          <Section title={instruments.tiers}>
            <Tiers tiers={contract.tiers} />
          </Section>
          <Section title={instruments.index}>
            <Sources contract={contract} />
          </Section>
        </div>
      </div>
    </>
  );
}

function ContractHead({ contract, onDone }: ContractProps) {
  const { instruments } = useOpsTexts();
  const [order, setOrder] = useState<StatusOrder>();
  const [asked, setAsked] = useState<'terms' | 'index'>();
  const close = (): void => setAsked(undefined);
  const { symbol, status } = contract;
  return (
    <section className="panel fact-line" aria-label={symbol}>
      <div className="fact">
        <span className="fact-label">{instruments.kinds[contract.kind]}</span>
        <strong>{symbol}</strong>
      </div>
      <Status status={status} />
      {contract.suspendedReason === '' ? null : (
        <p className="fault" role="alert">
          {contract.suspendedReason}
        </p>
      )}
      <Prices contract={contract} />
      <div className="actions ops-push">
        <Act onClick={() => setAsked('index')}>{instruments.report}</Act>
        <Act onClick={() => setAsked('terms')}>{instruments.edit}</Act>
        <StatusButtons kind="contract" {...{ symbol, status }} onOrder={setOrder} />
      </div>
      {asked === 'terms' ? <ContractDialog {...{ contract, onDone }} onClose={close} /> : null}
      {asked === 'index' ? <IndexDialog {...{ contract, onDone }} onClose={close} /> : null}
      {order === undefined ? null : (
        <StatusDialog {...{ order, onDone }} onClose={() => setOrder(undefined)} />
      )}
    </section>
  );
}

function Prices({ contract: { prices, margin } }: { readonly contract: admin.ContractAnswer }) {
  const { instruments } = useOpsTexts();
  const facts = instruments.prices;
  const priceText = (text: string | undefined) => (text === undefined ? text : grouped(text));
  const funding = prices && percentText(prices.fundingRate, FUNDING_DECIMALS);
  const times = useTimes();
  const next = prices && times.dateTime(Number(prices.nextFundingTime));
  return (
    <>
      <Fact label={facts.index} text={priceText(prices?.index)} />
      {prices?.indexStale === true ? <Mark tone="warning">{facts.stale}</Mark> : null}
      <Fact label={facts.mark} text={priceText(prices?.mark)} />
      <Fact label={facts.lowest} text={priceText(prices?.lowest)} />
      <Fact label={facts.highest} text={priceText(prices?.highest)} />
      <Fact label={facts.openInterest} text={priceText(prices?.openInterest)} />
      <Fact label={facts.fundingRate} text={funding ?? undefined} />
      <Fact label={facts.nextFunding} text={next ?? undefined} />
      <Fact label={facts.fund} text={priceText(prices?.insuranceFund)} unit={margin} />
    </>
  );
}

function Terms({ contract }: { readonly contract: admin.ContractAnswer }) {
  const { instruments } = useOpsTexts();
  const fixed = [
    [instruments.margin, contract.margin],
    [instruments.contractValue, contract.contractValue],
    [instruments.priceStep, contract.priceStep],
    [instruments.terms.referencePrice, contract.referencePrice],
  ] as const;
  const terms = TERM_NAMES.map(
    (name) => [instruments.terms[name], String(contract[name])] as const,
  );
  const times = [[instruments.fundingTimes, contract.fundingTimes.join(', ')]] as const;
  return (
    <Section title={instruments.termsTitle}>
      <dl className="ops-terms">
        {[...fixed, ...terms, ...times].map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="figure">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Tiers({ tiers }: { readonly tiers: readonly TierRow[] }) {
  const { instruments } = useOpsTexts();
  const columns: readonly Column<TierRow>[] = [
    {
      name: 'contracts',
      title: instruments.tierContracts,
      cell: ({ contracts }) => grouped(contracts),
      isNumber: true,
    },
    {
      name: 'rate',
      title: instruments.tierRate,
      cell: ({ maintenanceRate }) => percentText(maintenanceRate, RATE_DECIMALS),
      isNumber: true,
    },
    {
      name: 'leverage',
      title: instruments.terms.maxLeverage,
      cell: ({ maxLeverage }) => `${maxLeverage}x`,
      isNumber: true,
    },
  ];
  return (
    <Table
      label={instruments.tiers}
      columns={columns}
      rows={tiers}
      keyOf={({ contracts }) => contracts}
    />
  );
}

function Sources({ contract }: { readonly contract: admin.ContractAnswer }) {
  const { instruments } = useOpsTexts();
  const { sources, staleSeconds, outlier } = contract.index;
  const columns: readonly Column<IndexSourceRow>[] = [
    {
      name: 'source',
      title: instruments.source,
      cell: ({ spot, feed }) => spot ?? feed ?? '',
    },
    {
      name: 'kind',
      title: instruments.kind,
      cell: ({ spot }) => (spot === undefined ? instruments.feed : instruments.pair),
    },
    {
      name: 'weight',
      title: instruments.weight,
      cell: ({ weight }) => String(weight),
      isNumber: true,
    },
  ];
  return (
    <>
      <Table
        label={instruments.index}
        columns={columns}
        rows={sources}
        keyOf={({ spot, feed }) => `${spot ?? ''} ${feed ?? ''}`}
      />
      <p className="remark ops-note">
        {instruments.indexRules(String(staleSeconds), percentText(outlier, RATE_DECIMALS))}
      </p>
    </>
  );
}
