/** Changes the leverage of a side, or of both when the margin is crossed. */
import { type SubmitEvent, useState } from 'react';
import type { HoldSide } from '#domain';
import { Button, Dialog, Field, Slider } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { type MarginState, sideOf } from '../../model/margin-account.ts';
import { leverageCost, leverageMax } from '../../model/margin-change.ts';
import { useTexts } from '../../texts/texts.ts';
import { setLeverage } from './calls.ts';
import { exactMoney } from './draft.ts';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface LeverageButtonProps {
  readonly contract: TradedContract;
  /** Undefined while signed out. */
  readonly state: MarginState | undefined;
  readonly side: HoldSide;
}

export function LeverageButton({ contract, state, side }: LeverageButtonProps) {
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
        <LeverageDialog {...{ contract, state, side }} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface LeverageDialogProps extends LeverageButtonProps {
  readonly state: MarginState;
  readonly onClose: () => void;
}

function LeverageDialog({ contract, state, side, onClose }: LeverageDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const [text, setText] = useState(String(sideOf(state, side).leverage));
  const { leverageMin, leverageMax: most } = contract;
  const typed = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  const isPossible = typed >= leverageMin && typed <= most;
  const leverage = Math.min(most, Math.max(leverageMin, typed));
  const cost = isPossible ? leverageCost(contract, state, side, leverage) : 0n;
  const allowed = leverageMax(contract, state, side);
  const isCrossed = state.mode === 'crossed';
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
