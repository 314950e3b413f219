/** Pairs and contracts: their terms and fees, whether they trade, and their reference prices. */

import { useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Refusal, Section, Table } from '../../look/mod.ts';
import { grouped, percentText } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { go, place } from '../place.ts';
import { useLoaded } from '../use-loaded.ts';
import { Coins } from './coins.tsx';
import { ContractPage } from './contract-page.tsx';
import { ListButton } from './listing-dialog.tsx';
import { PairDialog } from './pair-dialog.tsx';
import { Status, StatusButtons } from './status.tsx';
import { StatusDialog, type StatusOrder } from './status-dialog.tsx';
import { Suspended } from './suspended.tsx';

type PairTerms = admin.InstrumentsAnswer['spot'][number];
type ContractTerms = admin.InstrumentsAnswer['contracts'][number];

const FEE_DECIMALS = 3;

export function Instruments() {
  const symbol = useStore(place, ({ detail }) => detail);
  return symbol === '' ? <Listings /> : <ContractPage key={symbol} symbol={symbol} />;
}

function Listings() {
  const { instruments } = useOpsTexts();
  const { data, failure, reload } = useLoaded(admin.instruments, {});
  const [order, setOrder] = useState<StatusOrder>();
  return (
    <div className="ops-page">
      <Refusal failure={failure} />
      {data === undefined ? null : <Suspended listed={data} onOrder={setOrder} />}
      <Pairs pairs={data?.spot} onOrder={setOrder} onDone={reload} />
      <Section
        title={instruments.contracts}
        actions={<ListButton listing="contract" onDone={reload} />}
      >
        <Contracts contracts={data?.contracts} onOrder={setOrder} />
      </Section>
      <Coins coins={data?.assets} onDone={reload} />
      {order === undefined ? null : (
        <StatusDialog order={order} onDone={reload} onClose={() => setOrder(undefined)} />
      )}
    </div>
  );
}

interface OrderProps {
  readonly onOrder: (order: StatusOrder) => void;
}

interface PairsProps extends OrderProps {
  readonly pairs: readonly PairTerms[] | undefined;
  readonly onDone: () => void;
}

function Pairs({ pairs, onOrder, onDone }: PairsProps) {
  const ops = useOpsTexts();
  const { instruments } = ops;
  const [edited, setEdited] = useState<PairTerms>();
  const columns: readonly Column<PairTerms>[] = [
    { name: 'symbol', title: instruments.symbol, cell: (row) => <strong>{row.symbol}</strong> },
    { name: 'status', title: ops.state, cell: ({ status }) => <Status status={status} /> },
    ...feeColumns(ops),
    number('minQuantity', instruments.terms.minQuantity, (row) => grouped(row.minQuantity)),
    number('maxQuantity', instruments.terms.maxQuantity, (row) => grouped(row.maxQuantity)),
    number('minNotional', instruments.terms.minNotional, (row) => grouped(row.minNotional)),
    number('reference', instruments.terms.referencePrice, (row) => grouped(row.referencePrice)),
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <span className="actions">
          <Act aria-label={`${instruments.edit}: ${row.symbol}`} onClick={() => setEdited(row)}>
            {instruments.edit}
          </Act>
          <StatusButtons kind="spot" {...row} onOrder={onOrder} />
        </span>
      ),
    },
  ];
  return (
    <Section title={instruments.pairs} actions={<ListButton listing="pair" onDone={onDone} />}>
      <Table
        label={instruments.pairs}
        columns={columns}
        rows={pairs}
        keyOf={({ symbol }) => symbol}
      />
      {edited === undefined ? null : (
        <PairDialog pair={edited} onDone={onDone} onClose={() => setEdited(undefined)} />
      )}
    </Section>
  );
}

interface ContractsProps extends OrderProps {
  readonly contracts: readonly ContractTerms[] | undefined;
}

function Contracts({ contracts, onOrder }: ContractsProps) {
  const ops = useOpsTexts();
  const { instruments } = ops;
  const columns: readonly Column<ContractTerms>[] = [
    {
      name: 'symbol',
      title: instruments.symbol,
      cell: ({ symbol }) => <a href={`#instruments/${symbol}`}>{symbol}</a>,
    },
    { name: 'status', title: ops.state, cell: ({ status }) => <Status status={status} /> },
    { name: 'kind', title: instruments.kind, cell: ({ kind }) => instruments.kinds[kind] },
    { name: 'margin', title: instruments.margin, cell: ({ margin }) => margin },
    ...feeColumns(ops),
    number('value', instruments.contractValue, (row) => row.contractValue),
    number('leverage', instruments.terms.maxLeverage, (row) => `${row.maxLeverage}x`),
    number('tiers', instruments.tiers, (row) => String(row.tiers.length)),
    number('reference', instruments.terms.referencePrice, (row) => grouped(row.referencePrice)),
    {
      name: 'actions',
      title: <span className="only-read-out">{ops.actions}</span>,
      cell: (row) => (
        <span className="actions">
          <Button
            aria-label={`${instruments.openContract}: ${row.symbol}`}
            onClick={() => go('instruments', row.symbol)}
          >
            {instruments.openContract}
          </Button>
          <StatusButtons {...row} kind="contract" onOrder={onOrder} />
        </span>
      ),
    },
  ];
  return (
    <Table
      label={instruments.contracts}
      columns={columns}
      rows={contracts}
      keyOf={({ symbol }) => symbol}
    />
  );
}

interface WithFees {
  readonly takerFee: string;
  readonly makerFee: string;
}

function feeColumns(ops: ReturnType<typeof useOpsTexts>): readonly Column<WithFees>[] {
  return [
    number('taker', ops.takerFee, (row) => percentText(row.takerFee, FEE_DECIMALS)),
    number('maker', ops.makerFee, (row) => percentText(row.makerFee, FEE_DECIMALS)),
  ];
}

function number<Row>(name: string, title: string, cell: (row: Row) => string): Column<Row> {
  return { name, title, cell, isNumber: true };
}
