/** Take-profit and stop-loss of a position that is held: those that wait, and new ones. */
import { type SubmitEvent, useState } from 'react';
import { closeOf } from '#domain';
import { Button, Dialog, Field, FieldRow, Select } from '../../look/mod.ts';
import { exitEstimate, lotsAtPercent } from '../../model/contract-estimate.ts';
import { sideOf } from '../../model/margin-account.ts';
import type { PlanLine } from '../../model/plans.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { account } from './account-state.ts';
import { cancelPlan, placeOrder } from './calls.ts';
import { CancelButton } from './cancel-buttons.tsx';
import { exitWords, sizeWords } from './contract-summary.ts';
import { PRICE_SOURCES, type PriceSource } from './contract-wish.ts';
import { faultText, readPrice, safeNumber } from './draft.ts';
import { exitRequest } from './exit-request.ts';
import { PartSlider } from './form-parts.tsx';
import { marketName, planSize, priceOf } from './formats.ts';
import type { Held } from './held.ts';
import { MoveButton } from './move-dialog.tsx';
import { TriggerSource } from './trigger-source.tsx';
import { useAction } from './use-action.ts';
import { useMargin } from './use-margin.ts';

interface ExitsDialogProps {
  readonly held: Held;
  readonly onClose: () => void;
}

const PURPOSES = ['take_profit', 'stop_loss'] as const;
type Purpose = (typeof PURPOSES)[number];

export function ExitsDialog({ held, onClose }: ExitsDialogProps) {
  const { trade } = useTexts();
  const { position, contract } = held;
  const [percent, setPercent] = useState(WHOLE);
  const [source, setSource] = useState<PriceSource>('last');
  const lots = useLots(held, percent);
  const size = { lots, isWhole: percent === WHOLE };
  const { reads, isBusy, isReady, type, submit } = useExits(held, { source, size, onClose });
  const title = `${trade.tpSl}: ${marketName(position.symbol, trade)} ${trade[position.side]}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <Waiting held={held} />
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <FieldRow>
          {reads.map(({ purpose, text, read, ticks }) => (
            <div key={purpose} className="preset">
              <Field
                label={trade.purposes[purpose]}
                value={text}
                isNumber
                fault={read.fault && faultText(read.fault, trade)}
                onValue={(typed) => type(purpose, typed)}
              />
              <Outcome held={held} lots={lots} ticks={ticks} />
            </div>
          ))}
        </FieldRow>
        <Select
          label={trade.triggerBy}
          value={source}
          choices={PRICE_SOURCES.map((each) => [each, trade.sources[each]] as const)}
          onValue={setSource}
        />
        <PartSlider
          label={percent === WHOLE ? trade.wholePosition : trade.partOfClosable}
          percent={percent}
          isPossible
          onPercent={setPercent}
        />
        <p className="remark">
          {percent === WHOLE
            ? trade.wholePositionMeaning
            : sizeWords(contract, 'contracts', lots, 0, trade)}
        </p>
        <Button type="submit" tone="main" isWide isBusy={isBusy} disabled={!isReady}>
          {trade.confirm}
        </Button>
      </form>
    </Dialog>
  );
}

const WHOLE = 100;

interface Chosen {
  readonly source: PriceSource;
  readonly size: { readonly lots: number; readonly isWhole: boolean };
  readonly onClose: () => void;
}

/** What is typed, and sending it: one call each. */
function useExits({ position, contract }: Held, { source, size, onClose }: Chosen) {
  const { isBusy, run } = useAction();
  const [texts, setTexts] = useState<Record<Purpose, string>>({ take_profit: '', stop_loss: '' });
  const type = (purpose: Purpose, text: string): void =>
    setTexts((now) => ({ ...now, [purpose]: text }));
  const reads = PURPOSES.map((purpose) => {
    const text = texts[purpose];
    const read = readPrice(text, contract.priceScale, contract.priceStepTicks);
    return { purpose, text, read, ticks: safeNumber(read.value) };
  });
  const wanted = reads.filter(({ ticks }) => ticks > 0);
  const isWrong = reads.some(({ read }) => read.fault !== undefined);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { side } = position;
    const isDone = await run(async () => {
      for (const { purpose, ticks } of wanted) {
        await placeOrder(exitRequest({ contract, side, purpose, ticks, source, size }));
        type(purpose, '');
      }
    });
    if (isDone) onClose();
  };
  const isReady = wanted.length > 0 && !isWrong && size.lots > 0;
  return { reads, isBusy, isReady, type, submit };
}

function useLots({ contract, position }: Held, percent: number): number {
  const state = useMargin(contract);
  return state === undefined ? 0 : lotsAtPercent(sideOf(state, position.side).lots, percent);
}

interface OutcomeProps {
  readonly held: Held;
  readonly lots: number;
  readonly ticks: number;
}

/** What closing so much at the trigger would bring, fees not taken off. */
function Outcome({ held: { contract, position }, lots, ticks }: OutcomeProps) {
  const { trade } = useTexts();
  const state = useMargin(contract);
  if (state === undefined || ticks === 0 || lots === 0) return <p className="remark">–</p>;
  const { open, lots: all } = sideOf(state, position.side);
  const share = (open * BigInt(lots)) / BigInt(all);
  const { pnl } = exitEstimate(contract, position.side, lots, share, ticks);
  return <p className="remark">{exitWords(pnl, contract, trade)}</p>;
}

/** Take-profit and stop-loss of the side that wait already. */
function Waiting({ held: { position } }: Pick<ExitsDialogProps, 'held'>) {
  const { trade } = useTexts();
  const action = closeOf(position.side);
  const exits = useStore(account.waitingPlans)?.filter(
    (plan) =>
      plan.symbol === position.symbol && plan.action === action && plan.purpose !== 'trigger',
  );
  if (exits === undefined || exits.length === 0) return null;
  const name = ({ purpose, trigger }: PlanLine) => `${trade.purposes[purpose]} ${trigger}`;
  return (
    <ul className="exit-list">
      {exits.map((plan) => (
        <li key={plan.id}>
          <span>{trade.purposes[plan.purpose]}</span>
          <span className="figure">
            {priceOf(plan.trigger, plan.symbol)} <TriggerSource plan={plan} />
          </span>
          <span className="unit">{planSize(plan, trade)}</span>
          <MoveButton moving={{ kind: 'plan', plan }} name={name(plan)} />
          <CancelButton name={name(plan)} cancel={() => cancelPlan(plan)} />
        </li>
      ))}
    </ul>
  );
}
