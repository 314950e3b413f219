/** Adds margin to a isolated position or takes it out, by hand or automatically. */
import { type SubmitEvent, useState } from 'react';
import { formatTrimmed } from '#kernel';
import { Button, Check, Dialog, Field, notify } from '../../look/mod.ts';
import type { MarginState } from '../../model/margin-account.ts';
import { liquidationAfterMargin, removable } from '../../model/margin-change.ts';
import { scaledNumber } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import { Segments } from '../market/segments.tsx';
import { adjustMargin, setAutoMargin } from './calls.ts';
import { exactMoney, type Fault, faultText, type Read, readField } from './draft.ts';
import { Estimate, Estimates } from './form-parts.tsx';
import { marketName, priceOf } from './formats.ts';
import type { Held } from './held.ts';
import { useAction } from './use-action.ts';
import { useMargin } from './use-margin.ts';

const DOES = ['add', 'remove'] as const;
type Does = (typeof DOES)[number];

interface MarginDialogProps {
  readonly held: Held;
  readonly onClose: () => void;
}

export function MarginDialog({ held, onClose }: MarginDialogProps) {
  const { trade } = useTexts();
  const { position } = held;
  const name = `${marketName(position.symbol, trade)} ${trade[position.side]}`;
  return (
    <Dialog title={`${trade.adjustMarginTitle}: ${name}`} onClose={onClose}>
      {position.marginMode === 'cross' ? (
        <p className="remark">{trade.modeMeaning.cross}</p>
      ) : (
        <div className="stack">
          <AdjustForm held={held} onClose={onClose} />
          <AutoMargin held={held} />
        </div>
      )}
    </Dialog>
  );
}

function AdjustForm({ held, onClose }: MarginDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const { contract, position } = held;
  const { marginScale, marginCode, symbol } = contract;
  const [does, setDoes] = useState<Does>('add');
  const [text, setText] = useState('');
  const state = useMargin(contract);
  const most = mostOf(held, state, does);
  const read = readField(text, marginScale, 'margin_amount_invalid');
  const fault = adjustmentFault(read, does, most, marginScale, marginCode);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (read.value === 0n) return;
    const amount = formatTrimmed(read.value, marginScale);
    if (!(await run(() => adjustMargin(symbol, position.side, does, amount)))) return;
    notify('good', trade.marginAdjusted, `${amount} ${marginCode}`);
    onClose();
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Segments
        label={trade.adjustMarginTitle}
        value={does}
        segments={DOES.map((choice) => ({
          choice,
          title: choice === 'add' ? trade.addMargin : trade.removeMargin,
        }))}
        onValue={setDoes}
      />
      <Field
        label={trade.amount}
        value={text}
        unit={marginCode}
        isNumber
        fault={fault && faultText(fault, trade)}
        onValue={setText}
      />
      <div className="available-line">
        <span className="field-label">{trade.most}</span>
        <span className="figure">
          {most === undefined ? '–' : exactMoney(most, marginScale, marginCode)}
        </span>
        <Button
          tone="quiet"
          disabled={most === undefined || most <= 0n}
          onClick={() => setText(formatTrimmed(most ?? 0n, marginScale))}
        >
          {trade.all}
        </Button>
      </div>
      <After held={held} state={state} delta={does === 'add' ? read.value : -read.value} />
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {does === 'add' ? trade.addMargin : trade.removeMargin}
      </Button>
    </form>
  );
}

/** What can be put in, or taken out at the mark price; undefined until it is known. */
function mostOf(
  { contract, position }: Held,
  state: MarginState | undefined,
  does: Does,
): bigint | undefined {
  if (state === undefined) return undefined;
  if (does === 'add') return state.available > 0n ? state.available : 0n;
  return removable(
    contract,
    state,
    position.side,
    scaledNumber(position.mark, contract.priceScale),
  );
}

function adjustmentFault(
  { value, fault }: Read,
  does: Does,
  most: bigint | undefined,
  scale: number,
  coin: string,
): Fault | undefined {
  if (fault !== undefined || most === undefined || value <= most) return fault;
  const has = exactMoney(most, scale, coin);
  if (does === 'remove') {
    return { reject: 'margin_removal_exceeded', detail: { kind: 'most', text: has } };
  }
  const needs = exactMoney(value, scale, coin);
  return { reject: 'margin_insufficient', detail: { kind: 'needs', needs, has } };
}

interface AfterProps {
  readonly held: Held;
  readonly state: MarginState | undefined;
  readonly delta: bigint;
}

function After({ held: { contract, position }, state, delta }: AfterProps) {
  const { trade } = useTexts();
  const { priceScale, symbol, quoteCode } = contract;
  const ticks =
    state === undefined ? 0 : liquidationAfterMargin(contract, state, position.side, delta);
  return (
    <Estimates>
      <Estimate
        label={trade.liquidation}
        text={priceOf(position.liquidation, symbol)}
        unit={quoteCode}
      />
      <Estimate
        label={trade.liquidationAfter}
        text={priceOf(formatTrimmed(ticks, priceScale), symbol)}
        unit={quoteCode}
      />
    </Estimates>
  );
}

function AutoMargin({ held: { position } }: { readonly held: Held }) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const { symbol, side, autoMargin: isAutomatic } = position;
  const set = async (isOn: boolean): Promise<void> => {
    if (!(await run(() => setAutoMargin(symbol, side, isOn)))) return;
    notify('good', trade.autoMarginSet(trade[side], isOn), marketName(symbol, trade));
  };
  return (
    <fieldset className="auto-margin">
      <legend>{trade.autoMargin}</legend>
      <p className="remark">{trade.autoMarginMeaning}</p>
      <Check
        label={isAutomatic ? trade.autoMarginOn : trade.autoMarginOff}
        value={isAutomatic}
        disabled={isBusy}
        onValue={(isOn) => void set(isOn)}
      />
    </fieldset>
  );
}
