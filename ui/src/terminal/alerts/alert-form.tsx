/** Sets a price alert for the market that is looked at. */
import { type SubmitEvent, useState } from 'react';
import { formatDecimal } from '#kernel';
import { Button, Check, Field, Select } from '../../look/mod.ts';
import {
  ALERT_DIRECTIONS,
  ALERT_SOURCES,
  ALERTS_MAX,
  type AlertDirection,
  type AlertSource,
  hasReached,
} from '../../model/alerts.ts';
import { readTyped, signOf } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { useTicker } from '../market/ticker-feed.ts';
import { alerts } from './alert-store.ts';

interface AlertFormProps {
  readonly instrument: Instrument;
}

export function AlertForm({ instrument }: AlertFormProps) {
  const { alerts: words, trade } = useTexts();
  const [source, setSource] = useState<AlertSource>('last');
  const [direction, setDirection] = useState<AlertDirection>('above');
  const [typed, setTyped] = useState('');
  const [repeats, setRepeats] = useState(false);
  const [fault, setFault] = useState<Fault | undefined>();
  const isFull = useStore(alerts).length >= ALERTS_MAX;
  const now = useCurrentPrice(instrument, source);
  const { symbol, kind, quote, priceScale } = instrument;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const price = priceFrom(typed, priceScale);
    const found = faultOf(price, direction, now);
    setFault(found);
    if (found !== undefined || price === undefined || isFull) return;
    const terms = { symbol, source, direction, price, repeats };
    alerts.set((known) => [...known, { id: crypto.randomUUID(), ...terms, isArmed: true }]);
    setTyped('');
  };
  return (
    <form className="stack alert-form" onSubmit={submit}>
      <div className="field-row">
        {kind === 'spot' ? null : (
          <Select
            label={words.source}
            value={source}
            onValue={setSource}
            choices={ALERT_SOURCES.map((one) => [one, trade.sources[one]] as const)}
          />
        )}
        <Select
          label={words.when}
          value={direction}
          onValue={setDirection}
          choices={ALERT_DIRECTIONS.map((one) => [one, words.directions[one]] as const)}
        />
        <Field
          label={trade.price}
          value={typed}
          onValue={setTyped}
          unit={quote}
          placeholder={now ?? ''}
          fault={fault === undefined ? undefined : words.faults[fault]}
          isNumber
        />
      </div>
      <div className="field-row alert-send">
        <Check label={words.eachTime} value={repeats} onValue={setRepeats} />
        <Button type="submit" tone="main" disabled={isFull}>
          {words.add}
        </Button>
      </div>
      {isFull ? <p className="remark">{words.full(String(ALERTS_MAX))}</p> : null}
    </form>
  );
}

type Fault = 'price' | 'above' | 'below';

function priceFrom(typed: string, priceScale: number): string | undefined {
  const read = readTyped(typed, priceScale);
  return read.kind === 'number' && read.value > 0n
    ? formatDecimal(read.value, priceScale)
    : undefined;
}

/** An alert for where the price already is would fire at once, or never. */
function faultOf(
  price: string | undefined,
  direction: AlertDirection,
  now: string | undefined,
): Fault | undefined {
  if (price === undefined) return 'price';
  return now !== undefined && hasReached({ direction, price }, now) ? direction : undefined;
}

function useCurrentPrice(instrument: Instrument, source: AlertSource): string | undefined {
  const price = useTicker(instrument)?.ticker[source];
  return !price || signOf(price) <= 0 ? undefined : price;
}
