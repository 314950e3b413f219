/** Another price, trigger or size by number, asked once before it is sent. */
import { type SubmitEvent, useState } from 'react';
import { formatTrimmed } from '#kernel';
import { Button, Dialog, Field, Select } from '../../look/mod.ts';
import { compare, scaledNumber } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { Instrument } from '../context.ts';
import { PRICE_SOURCES, type PriceSource } from './contract-wish.ts';
import { type Fault, faultText, type Read, readContracts, readField, readPrice } from './draft.ts';
import { instrumentOf, orderSize, planSize, priceOf, sizeUnit, toneOf } from './formats.ts';
import { type Change, type Moving, move } from './moves.ts';
import { usePermissions } from './permissions.ts';
import { useAction } from './use-action.ts';

interface MoveDialogProps {
  readonly moving: Moving;
  /** Where it was dropped; without one, where it is. */
  readonly price?: string | undefined;
  readonly onClose: () => void;
}

export function MoveDialog(props: MoveDialogProps) {
  const { moving } = props;
  const { trade } = useTexts();
  const { symbol } = moving.kind === 'order' ? moving.order : moving.plan;
  const instrument = instrumentOf(symbol);
  const title = moving.kind === 'order' ? trade.moveOrder : trade.movePlan;
  return (
    <Dialog title={title} onClose={props.onClose}>
      {instrument === undefined ? null : <MoveForm {...props} instrument={instrument} />}
    </Dialog>
  );
}

interface MoveFormProps extends MoveDialogProps {
  readonly instrument: Instrument;
}

function MoveForm({ moving, price, instrument, onClose }: MoveFormProps) {
  const { look, trade } = useTexts();
  const { isBusy, run } = useAction();
  const before = stateOf(moving);
  const [typed, setTyped] = useState<Typed>({ ...before, price: price ?? before.price });
  const type = (part: Partial<Typed>): void => setTyped((now) => ({ ...now, ...part }));
  const { change, faults, next } = readChange(typed, before, instrument);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (change !== undefined && !isBusy && (await run(() => move(moving, change)))) onClose();
  };
  const words = (fault: Fault | undefined) => fault && faultText(fault, trade);
  const shown = (text: string | undefined): string => priceOf(text, instrument.symbol) ?? '–';
  const isMoved = changed(next, before.price) !== undefined;
  const isPlan = moving.kind === 'plan';
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <Moved moving={moving} />
      <p className="figure">
        {shown(before.price)} → {shown(next)} {instrument.quote}
      </p>
      <Field
        label={isPlan ? trade.trigger : trade.newPrice}
        value={typed.price}
        unit={instrument.quote}
        isNumber
        fault={words(faults.price)}
        onValue={(text) => type({ price: text })}
      />
      {isPlan ? (
        <Select
          label={trade.triggerBy}
          value={typed.source}
          choices={PRICE_SOURCES.map((each) => [each, trade.sources[each]] as const)}
          onValue={(source) => type({ source })}
        />
      ) : null}
      {before.limit === undefined ? null : (
        <Field
          label={trade.executePrice}
          value={typed.limit ?? ''}
          unit={instrument.quote}
          isNumber
          fault={words(faults.limit)}
          onValue={(limit) => type({ limit })}
        />
      )}
      {before.size === undefined ? null : (
        <Field
          label={trade.quantity}
          value={typed.size ?? ''}
          unit={sizeUnit(instrument.symbol, trade)}
          isNumber
          fault={words(faults.size)}
          onValue={(size) => type({ size })}
        />
      )}
      <p className="remark">{isPlan ? trade.movePlanMeans : trade.moveMeans}</p>
      <div className="dialog-actions">
        <Button onClick={onClose}>{look.cancel}</Button>
        <Button type="submit" tone="main" isBusy={isBusy} disabled={change === undefined}>
          {isMoved ? trade.moveTo(shown(next)) : trade.confirm}
        </Button>
      </div>
    </form>
  );
}

/** What is moved, in words. */
function Moved({ moving }: Pick<MoveDialogProps, 'moving'>) {
  const { trade } = useTexts();
  const { action } = moving.kind === 'order' ? moving.order : moving.plan;
  return (
    <p className={`direction-${toneOf(action)}`}>
      {moving.kind === 'order'
        ? `${trade.actions[action]} ${orderSize(moving.order, trade)}`
        : `${trade.purposes[moving.plan.purpose]}: ${trade.actions[action]} ${planSize(
            moving.plan,
            trade,
          )}`}
    </p>
  );
}

/** As it is, and as it is typed. */
interface Typed {
  readonly price: string;
  readonly source: PriceSource;
  /** Undefined of what has none: an order, or a trigger order at the market. */
  readonly limit: string | undefined;
  /** Undefined of what closes all that is held. */
  readonly size: string | undefined;
}

function stateOf(moving: Moving): Typed {
  if (moving.kind === 'order') {
    const { price = '', size } = moving.order;
    return { price, source: 'last', limit: undefined, size };
  }
  const { trigger, source, price: limit, size } = moving.plan;
  return { price: trigger, source, limit, size };
}

interface ReadChange {
  /** Undefined while nothing changes, or something is wrong or missing. */
  readonly change: Change | undefined;
  readonly faults: Readonly<Record<'price' | 'limit' | 'size', Fault | undefined>>;
  /** The price as it would be; undefined while it is none. */
  readonly next: string | undefined;
}

function readChange(typed: Typed, before: Typed, instrument: Instrument): ReadChange {
  const { priceScale, priceStep, quantityScale } = instrument;
  const step = scaledNumber(priceStep, priceScale);
  const price = readPrice(typed.price, priceScale, step);
  const limit = readPrice(typed.limit ?? '', priceScale, step);
  const isSpot = instrument.kind === 'spot';
  const size = isSpot
    ? readField(typed.size ?? '', quantityScale, 'quantity_invalid')
    : readContracts(typed.size ?? '', quantityScale);
  const next = textOf(price, priceScale);
  const changes = {
    limit: changed(textOf(limit, priceScale), before.limit),
    size: changed(textOf(size, quantityScale), before.size),
    source: typed.source === before.source ? undefined : typed.source,
  };
  const isMissing =
    next === undefined ||
    (before.limit !== undefined && textOf(limit, priceScale) === undefined) ||
    (before.size !== undefined && textOf(size, quantityScale) === undefined);
  const isSame =
    changed(next, before.price) === undefined &&
    Object.values(changes).every((part) => part === undefined);
  return {
    change: isMissing || isSame ? undefined : { price: next, ...changes },
    faults: { price: price.fault, limit: limit.fault, size: size.fault },
    next,
  };
}

function textOf({ value, fault, isEmpty }: Read, scale: number): string | undefined {
  return isEmpty || fault !== undefined ? undefined : formatTrimmed(value, scale);
}

/** The text where it is another number than before. */
function changed(text: string | undefined, before: string | undefined): string | undefined {
  if (text === undefined || before === undefined) return undefined;
  return compare(text, before) === 0 ? undefined : text;
}

interface MoveButtonProps {
  readonly moving: Moving;
  /** What it changes, for who does not see the row. */
  readonly name: string;
}

/** Opens the dialog from a row of a list. */
export function MoveButton({ moving, name }: MoveButtonProps) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        tone="quiet"
        disabled={!mayTrade}
        aria-label={trade.editNamed(name)}
        onClick={() => setAsked(true)}
      >
        {trade.edit}
      </Button>
      {isAsked ? <MoveDialog moving={moving} onClose={() => setAsked(false)} /> : null}
    </>
  );
}
