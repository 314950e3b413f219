/** Changes the leverage of a side, or of both when the margin is crossed. */
import { type SubmitEvent, useState } from 'react';
import { type HoldSide, leveragedLotsMax } from '#domain';
import { formatTrimmed } from '#kernel';
import { Button, Dialog, Field, Slider } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { openableNow } from '../../model/contract-estimate.ts';
import { liquidationOf, type MarginState, sideOf } from '../../model/margin-account.ts';
import { leverageCost, leverageMax, withLeverage } from '../../model/margin-change.ts';
import { grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import { setLeverage } from './calls.ts';
import { ticksText } from './contract-summary.ts';
import { exactMoney } from './draft.ts';
import { Estimate, Estimates } from './form-parts.tsx';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface LeverageButtonProps {
  readonly contract: TradedContract;
  /** Undefined while signed out. */
  readonly state: MarginState | undefined;
  readonly side: HoldSide;
  /** At which the max size is worked out; undefined until it is known. */
  readonly markTicks: number | undefined;
}

export function LeverageButton(props: LeverageButtonProps) {
  const { state, side } = props;
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const [isOpen, setOpen] = useState(false);
  const leverage = state === undefined ? undefined : sideOf(state, side).leverage;
  return (
    <>
      <Button disabled={state === undefined || !mayTrade} onClick={() => setOpen(true)}>
        <span className="only-read-out">{trade.leverage} </span>
        {trade[side]} {leverage === undefined ? '–' : `${leverage}x`}
      </Button>
      {isOpen && state !== undefined ? (
        <LeverageDialog {...props} state={state} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

const MARKS = [2, 5, 10, 20, 50, 100];

/** The usual leverages of a contract, its least and its most among them. */
function marksOf({ leverageMin, leverageMax: most }: TradedContract): readonly number[] {
  return [leverageMin, ...MARKS.filter((mark) => mark > leverageMin && mark < most), most];
}

interface MarksProps {
  readonly contract: TradedContract;
  readonly leverage: number;
  readonly onChoose: (leverage: number) => void;
}

function Marks({ contract, leverage, onChoose }: MarksProps) {
  return (
    <div className="part-marks">
      {marksOf(contract).map((mark) => (
        <button
          key={mark}
          type="button"
          className="part-mark"
          aria-pressed={mark === leverage}
          onClick={() => onChoose(mark)}
        >
          {mark}x
        </button>
      ))}
    </div>
  );
}

interface AfterProps extends LeverageButtonProps {
  readonly state: MarginState;
  readonly leverage: number;
}

/** What the leverage would allow, and where it would liquidate. */
function After({ contract, state, side, markTicks, leverage }: AfterProps) {
  const { trade } = useTexts();
  const after = withLeverage(contract, state, side, leverage);
  const size = (lots: number) => grouped(formatTrimmed(lots, contract.quantityScale));
  return (
    <Estimates>
      <Estimate
        label={trade.positionMost}
        text={size(leveragedLotsMax(contract, leverage))}
        unit={trade.contractsUnit}
      />
      <Estimate
        label={trade.openableAt}
        text={size(openableNow(contract, after, side, markTicks ?? 0))}
        unit={trade.contractsUnit}
      />
      <Estimate
        label={trade.liquidation}
        text={liquidations(contract, state, after, side)}
        unit={contract.quoteCode}
      />
    </Estimates>
  );
}

/** Now and with the leverage; a cross position stays where it is. */
function liquidations(
  contract: TradedContract,
  before: MarginState,
  after: MarginState,
  side: HoldSide,
): string | undefined {
  const [now, then] = [before, after].map((state) =>
    ticksText(contract, liquidationOf(contract, state, side)),
  );
  return now === then ? now : `${now ?? '–'} → ${then ?? '–'}`;
}

interface LeverageDialogProps extends LeverageButtonProps {
  readonly state: MarginState;
  readonly onClose: () => void;
}

function LeverageDialog({ contract, state, side, markTicks, onClose }: LeverageDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const [text, setText] = useState(String(sideOf(state, side).leverage));
  const { leverageMin, leverageMax: most } = contract;
  const typed = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  const isPossible = typed >= leverageMin && typed <= most;
  const leverage = Math.min(most, Math.max(leverageMin, typed));
  const cost = isPossible ? leverageCost(contract, state, side, leverage) : 0n;
  const allowed = leverageMax(contract, state, side);
  const isCrossed = state.mode === 'cross';
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!isPossible) return;
    const chosen = isCrossed ? undefined : side;
    if (await run(() => setLeverage(contract.symbol, leverage, chosen))) onClose();
  };
  const title = isCrossed ? trade.leverageTitle : trade.leverageOf(trade[side]);
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Field
          label={trade.leverage}
          value={text}
          unit="x"
          isNumber
          fault={isPossible ? undefined : `${leverageMin} – ${most}`}
          onValue={setText}
        />
        <Slider
          label={trade.leverage}
          value={leverage}
          min={leverageMin}
          max={most}
          text={`${leverage}x`}
          onValue={(value) => setText(String(value))}
        />
        <Marks contract={contract} leverage={leverage} onChoose={(mark) => setText(String(mark))} />
        <After {...{ contract, state, side, markTicks, leverage }} />
        <p className="remark dialog-remark">
          {leverage > allowed ? trade.leverageMost(`${allowed}x`) : null}
          {cost > 0n
            ? trade.leverageNeeds(exactMoney(cost, contract.marginScale, contract.marginCode))
            : null}
          {cost < 0n && !isCrossed
            ? trade.leverageFrees(exactMoney(-cost, contract.marginScale, contract.marginCode))
            : null}
        </p>
        <Button type="submit" tone="main" isWide isBusy={isBusy}>
          {trade.confirm}
        </Button>
      </form>
    </Dialog>
  );
}
