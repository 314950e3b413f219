/** Switches a contract between fixed and crossed margin. */
import { type SubmitEvent, useState } from 'react';
import { Button, Dialog } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import type { MarginMode } from '../../model/contract-words.ts';
import type { MarginState } from '../../model/margin-account.ts';
import { useTexts } from '../../texts/texts.ts';
import { Segments } from '../market/segments.tsx';
import { setMarginMode } from './calls.ts';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';
import { useIsShared } from './use-margin.ts';

const MODES: readonly MarginMode[] = ['isolated', 'cross'];

interface MarginModeButtonProps {
  readonly contract: TradedContract;
  /** Undefined while signed out. */
  readonly state: MarginState | undefined;
}

export function MarginModeButton({ contract, state }: MarginModeButtonProps) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button disabled={state === undefined || !mayTrade} onClick={() => setOpen(true)}>
        {state === undefined ? null : <span className="only-read-out">{trade.marginMode} </span>}
        {state === undefined ? trade.marginMode : trade.modes[state.mode]}
      </Button>
      {isOpen && state !== undefined ? (
        <MarginModeDialog {...{ contract, state }} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
}

interface MarginModeDialogProps extends MarginModeButtonProps {
  readonly state: MarginState;
  readonly onClose: () => void;
}

function MarginModeDialog({ contract, state, onClose }: MarginModeDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const isShared = useIsShared()(contract.symbol);
  const meaning = isShared ? trade.sharedModeMeaning(contract.marginCode) : trade.modeMeaning;
  const [mode, setMode] = useState<MarginMode>(state.mode);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (await run(() => setMarginMode(contract.symbol, mode))) onClose();
  };
  return (
    <Dialog title={trade.marginMode} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Segments
          label={trade.marginMode}
          value={mode}
          segments={MODES.map((choice) => ({ choice, title: trade.modes[choice] }))}
          onValue={setMode}
        />
        <p className="remark dialog-remark">{meaning[mode]}</p>
        <Button type="submit" tone="main" isWide isBusy={isBusy}>
          {trade.confirm}
        </Button>
      </form>
    </Dialog>
  );
}
