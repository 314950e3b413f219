/** Plan orders and presets: all that wait, and those of the chosen contract that ended. */
import { useMemo, useState } from 'react';
import { native } from '#client';
import { type Column, Table } from '../../look/mod.ts';
import { type PlanLine, planLine } from '../../model/plans.ts';
import { session } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { Segments } from '../market/segments.tsx';
import { account } from './account-state.ts';
import { cancelPlan, cancelPlans } from './calls.ts';
import { CancelAll, CancelButton } from './cancel-buttons.tsx';
import { type CsvColumn, RowsCsvButton } from './csv-button.tsx';
import { planReason, planSize, priceOf } from './formats.ts';
import { MoveButton } from './move-dialog.tsx';
import { leadingColumns } from './order-columns.tsx';
import { Paged, Pane } from './pane.tsx';
import { TriggerSource } from './trigger-source.tsx';
import { mergedRows, type Page, usePages } from './use-pages.ts';

const SHOWN = ['waiting', 'ended'] as const;
const PAGE_ROWS = 50;

export function Plans() {
  const { trade } = useTexts();
  const instrument = useInstrument();
  const [shown, setShown] = useState<(typeof SHOWN)[number]>('waiting');
  const choice = (
    <Segments
      label={trade.plansShown}
      value={shown}
      segments={SHOWN.map((name) => ({ choice: name, title: trade[name] }))}
      onValue={setShown}
    />
  );
  if (shown === 'ended' && instrument !== undefined) {
    return <EndedPlans key={instrument.symbol} instrument={instrument} choice={choice} />;
  }
  return <WaitingPlans choice={choice} />;
}

interface ChoiceProps {
  readonly choice: React.ReactNode;
}

function WaitingPlans({ choice }: ChoiceProps) {
  const { layout, trade } = useTexts();
  const plans = useStore(account.waitingPlans);
  const columns: readonly Column<PlanLine>[] = [
    ...planColumns(trade),
    {
      name: 'cancel',
      title: <span className="only-read-out">{trade.cancel}</span>,
      cell: (plan) => (
        <>
          <MoveButton moving={{ kind: 'plan', plan }} name={nameOf(plan, trade)} />
          <CancelButton name={nameOf(plan, trade)} cancel={() => cancelPlan(plan)} />
        </>
      ),
    },
  ];
  return (
    <Pane
      controls={choice}
      aside={
        <CancelAll lines={plans ?? []} text={trade.cancelAllPlansText} cancelAll={cancelPlans} />
      }
    >
      <Table
        label={layout.plans}
        columns={columns}
        rows={plans}
        keyOf={({ id }) => id}
        empty={trade.noPlans}
      />
    </Pane>
  );
}

interface EndedPlansProps extends ChoiceProps {
  readonly instrument: Instrument;
}

function EndedPlans({ instrument: { symbol }, choice }: EndedPlansProps) {
  const texts = useTexts();
  const { layout, trade } = texts;
  const gaps = useStore(account.gaps);
  const pages = usePages(`${symbol} ${gaps}`, (cursor: string | undefined) =>
    readPage(symbol, cursor),
  );
  const heard = useStore(account.endedPlans);
  const rows = useMemo(
    () =>
      mergedRows(
        pages.rows,
        heard.filter((plan) => plan.symbol === symbol),
      ),
    [pages.rows, heard, symbol],
  );
  const columns: readonly Column<PlanLine>[] = [
    ...planColumns(trade),
    {
      name: 'status',
      title: trade.status,
      cell: (plan) => endText(plan, texts),
    },
  ];
  return (
    <Pane
      controls={choice}
      aside={<RowsCsvButton name={`plans-${symbol}`} columns={PLAN_CSV} rows={rows} />}
    >
      <Paged pages={pages}>
        <Table
          label={layout.plans}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          empty={trade.noPlans}
        />
      </Paged>
    </Pane>
  );
}

/** How it ended and, where the venue says why, why. */
function endText(plan: PlanLine, { refusal, trade }: Texts): string {
  const reason = planReason(plan);
  const status = trade.planStatuses[plan.status];
  return reason === '' ? status : `${status}: ${refusal(reason)}`;
}

async function readPage(
  symbol: string,
  before: string | undefined,
): Promise<Page<PlanLine, string>> {
  const asked = { symbol: symbol, before, limit: PAGE_ROWS };
  const { rows, next } = await session.ask(native.closedTriggers, asked);
  return { rows: rows.map(planLine), next: next ?? undefined };
}

function planColumns(trade: Texts['trade']): readonly Column<PlanLine>[] {
  return [
    ...leadingColumns<PlanLine>(trade, ({ createdMs }) => createdMs),
    { name: 'purpose', title: trade.purpose, cell: ({ purpose }) => trade.purposes[purpose] },
    {
      name: 'trigger',
      title: trade.trigger,
      isNumber: true,
      cell: (plan) => (
        <>
          {priceOf(plan.trigger, plan.symbol)} <TriggerSource plan={plan} />
        </>
      ),
    },
    {
      name: 'price',
      title: trade.executePrice,
      isNumber: true,
      cell: ({ price, symbol }) => priceOf(price, symbol) ?? trade.marketPrice,
    },
    {
      name: 'size',
      title: trade.quantity,
      isNumber: true,
      cell: (plan) => planSize(plan, trade),
    },
  ];
}

const PLAN_CSV: readonly CsvColumn<PlanLine>[] = [
  { title: 'time', text: ({ createdMs }) => new Date(createdMs).toISOString() },
  { title: 'order_id', text: ({ id }) => id },
  { title: 'client_order_id', text: ({ clientId }) => clientId },
  { title: 'symbol', text: ({ symbol }) => symbol },
  { title: 'action', text: ({ action }) => action },
  { title: 'purpose', text: ({ purpose }) => purpose },
  { title: 'trigger_price', text: ({ trigger }) => trigger },
  { title: 'trigger_type', text: ({ source }) => source },
  { title: 'execute_price', text: ({ price }) => price ?? '' },
  { title: 'size', text: ({ size }) => size ?? '' },
  { title: 'executed', text: ({ executed }) => executed },
  { title: 'status', text: ({ status }) => status },
  { title: 'reason', text: ({ reason }) => reason },
  { title: 'placed_order_id', text: ({ placedOrderId }) => placedOrderId ?? '' },
];

function nameOf({ purpose, action, trigger }: PlanLine, trade: Texts['trade']): string {
  return `${trade.purposes[purpose]} ${trade.actions[action]} ${trigger}`;
}
