/** Asks once before an order goes to another price, which can be set by number. */
import { type SubmitEvent, useState } from 'react';
import { formatTrimmed } from '#kernel';
import { Button, Dialog, Field } from '../../look/mod.ts';
import { scaledNumber } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { faultText, readPrice } from '../trade/draft.ts';
import { priceOf } from '../trade/formats.ts';
import type { Level, Movable } from './levels.ts';

interface MoveDialogProps {
  readonly instrument: Instrument;
  readonly level: Level;
  readonly movable: Movable;
  /** Where it was dropped. */
  readonly price: string;
  readonly isBusy: boolean;
  readonly onMove: (price: string) => void;
  readonly onClose: () => void;
}

export function MoveDialog(props: MoveDialogProps) {
  const { instrument, level, movable, price, isBusy, onMove, onClose } = props;
  const { chart, look, trade } = useTexts();
  const { symbol, priceScale, priceStep, quote } = instrument;
  const [typed, setTyped] = useState(price);
  const read = readPrice(typed, priceScale, scaledNumber(priceStep, priceScale));
  const next = formatTrimmed(read.value, priceScale);
  const isSame = Number(next) === Number(level.priceText);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (read.fault === undefined && !read.isEmpty && !isSame) onMove(next);
  };
  const shown = priceOf(next, symbol) ?? '–';
  return (
    <Dialog title={chart.moveOrder} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p className={`direction-${level.tone === 'up' ? 'up' : 'down'}`}>{level.text}</p>
        <p className="figure">
          {chart.moveFromTo(priceOf(level.priceText, symbol) ?? '–', shown)} {quote}
        </p>
        <Field
          label={chart.newPrice}
          value={typed}
          unit={quote}
          isNumber
          fault={read.fault && faultText(read.fault, trade)}
          onValue={setTyped}
        />
        <p className="remark">{chart.moveMeans}</p>
        {movable.order.action.startsWith('open') ? (
          <p className="remark">{chart.presetsLost}</p>
        ) : null}
        <div className="dialog-actions">
          <Button onClick={onClose}>{look.cancel}</Button>
          <Button type="submit" tone="main" isBusy={isBusy} disabled={isSame || read.isEmpty}>
            {chart.moveTo(shown)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
