/** The order form of a pair. */
import { useRef } from 'react';
import type { Force, OrderType, Side } from '#domain';
import { formatTrimmed } from '#kernel';
import { Field, Select } from '../../look/mod.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import type { TradedPair } from '../../model/pair.ts';
import { ESTIMATE_EXTRA_SCALE, type SpotEstimate } from '../../model/spot-estimate.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { SpotInstrument } from '../context.ts';
import { useBook } from '../market/book-feed.ts';
import { Segments } from '../market/segments.tsx';
import { account } from './account-state.ts';
import { type Fault, faultText, NO_SIZE } from './draft.ts';
import { useFormKeys } from './form-keys.tsx';
import {
  Estimate,
  Estimates,
  OrderFrame,
  PartSlider,
  Send,
  SlippageSelect,
  UnitSelect,
} from './form-parts.tsx';
import { moneyOf, ratePercent } from './formats.ts';
import { OrderQuestion } from './order-question.tsx';
import { OrderSettingsButton } from './order-settings.tsx';
import { usePairWithFees } from './own-fees.ts';
import { usePermissions } from './permissions.ts';
import { spotUnit, useSlippagePpm } from './preferences.ts';
import {
  availableOf,
  EMPTY_SPOT_DRAFT,
  namesSpending,
  pricedBy,
  type ReadSpotDraft,
  readSpotDraft,
  type SpotDraft,
  spentCoin,
  unitOf,
} from './spot-draft.ts';
import { spotSummary } from './spot-summary.ts';
import { TransferButton } from './transfer-dialog.tsx';
import { type DraftPlace, usePickedPrice, useSending, useTyping } from './use-draft.ts';

const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];
const TYPES: readonly OrderType[] = ['limit', 'market'];
const SIDES: readonly Side[] = ['buy', 'sell'];

interface SpotFormProps {
  readonly instrument: SpotInstrument;
  readonly pair: TradedPair;
}

export function SpotForm({ instrument, pair: listed }: SpotFormProps) {
  const { trade } = useTexts();
  const pair = usePairWithFees(listed);
  const { draft, change } = useSpotDraft(instrument);
  const book = useBook(instrument)?.book;
  const spent = spentCoin(pair, draft.side);
  const available = availableOf(useStore(account.balances), spent);
  const opposite = (draft.side === 'buy' ? book?.asks : book?.bids) ?? [];
  const read = readSpotDraft(draft, { pair, opposite, available });
  const label = draft.side === 'buy' ? trade.buyBase(pair.baseCode) : trade.sellBase(pair.baseCode);
  const { mayTrade } = usePermissions();
  const isOnline = pair.status === 'online';
  const summary = spotSummary({ pair, draft, read }, trade);
  const { sent, isTried, isAsking, submit, answer, keyDown } = useSending({
    request: read.request,
    name: summary.name,
    isAllowed: mayTrade && isOnline,
    onSent: () => change({ size: NO_SIZE }),
    onClear: () => change({ price: '', size: NO_SIZE }),
  });
  usePickedPrice((price) => change(pricedBy(draft, price)));
  const frame = useRef<HTMLDivElement>(null);
  const help = useFormKeys(frame, instrument.symbol, {
    buy: () => change({ side: 'buy', size: NO_SIZE }),
    sell: () => change({ side: 'sell', size: NO_SIZE }),
    type: (type) => change({ type, size: NO_SIZE }),
    part: (percent) => change({ size: { kind: 'part', percent } }),
    send: () => submit(),
  });
  const form = (
    <form className="order-fields" onSubmit={submit} onKeyDown={keyDown} noValidate>
      <div className="side-choice">
        <Segments
          label={trade.side}
          value={draft.side}
          segments={SIDES.map((choice) => ({ choice, title: trade.actions[choice] }))}
          onValue={(side) => change({ side, size: NO_SIZE })}
        />
      </div>
      <TypeLine draft={draft} onChange={change} />
      <SpotFields pair={pair} draft={draft} read={read} isTried={isTried} onChange={change} />
      <PartSlider
        label={trade.partOfAvailable}
        percent={read.percent}
        isPossible={available !== undefined && available > 0n}
        onPercent={(percent) => change({ size: { kind: 'part', percent } })}
      />
      <SpotEstimates pair={pair} side={draft.side} read={read} />
      <Send
        label={label}
        tone={draft.side === 'buy' ? 'up' : 'down'}
        sent={sent}
        isHalted={!isOnline}
      />
    </form>
  );
  return (
    <>
      <OrderFrame
        head={<AvailableLine available={available} coin={spent} />}
        form={form}
        frame={frame}
      />
      {isAsking ? <OrderQuestion summary={summary} onAnswer={answer} /> : null}
      {help}
    </>
  );
}

const KEPT: DraftPlace<SpotDraft> = { kept: undefined };

/** What is typed, with what the trader has set for every order. */
function useSpotDraft(instrument: SpotInstrument) {
  const { draft: typed, change } = useTyping(KEPT, instrument, EMPTY_SPOT_DRAFT);
  const unit = useStore(spotUnit);
  const slippagePpm = useSlippagePpm();
  return { draft: { ...typed, unit, slippagePpm }, change };
}

interface SpotFieldsProps {
  readonly pair: TradedPair;
  readonly draft: SpotDraft;
  readonly read: ReadSpotDraft;
  readonly isTried: boolean;
  readonly onChange: (part: Partial<SpotDraft>) => void;
}

function SpotFields({ pair, draft, read, isTried, onChange }: SpotFieldsProps) {
  const { trade } = useTexts();
  const isLimit = draft.type === 'limit';
  const unit = unitOf(draft);
  const words = (fault: Fault | undefined) => fault && faultText(fault, trade);
  const priceFault = read.priceFault ?? (isTried ? missingPrice(draft) : undefined);
  const missingSize = isTried && read.sizeText === '' ? MISSING_SIZE : undefined;
  return (
    <div className="price-and-size">
      {isLimit ? (
        <Field
          label={trade.price}
          value={draft.price}
          unit={pair.quoteCode}
          isNumber
          fault={words(priceFault)}
          onValue={(price) => onChange({ price })}
        />
      ) : (
        <SlippageSelect />
      )}
      <Field
        label={unit === 'quote' ? trade.total : trade.quantity}
        value={read.sizeText}
        {...(namesSpending(draft)
          ? { unit: pair.quoteCode }
          : { unitChoice: <SpotUnitSelect pair={pair} onChange={onChange} /> })}
        isNumber
        fault={words(read.sizeFault ?? missingSize ?? read.moneyFault)}
        onValue={(text) => onChange({ size: { kind: 'typed', text } })}
      />
    </div>
  );
}

/** A size in another unit is another size: the field is emptied. */
function SpotUnitSelect({ pair, onChange }: Pick<SpotFieldsProps, 'pair' | 'onChange'>) {
  return (
    <UnitSelect
      value={useStore(spotUnit)}
      choices={[
        ['base', pair.baseCode],
        ['quote', pair.quoteCode],
      ]}
      onValue={(unit) => {
        spotUnit.set(unit);
        onChange({ size: NO_SIZE });
      }}
    />
  );
}

const MISSING_SIZE: Fault = { reject: 'quantity_invalid' };

function missingPrice({ type, price }: SpotDraft): Fault | undefined {
  return type === 'limit' && price.trim() === '' ? { reject: 'price_invalid' } : undefined;
}

interface TypeLineProps {
  readonly draft: SpotDraft;
  readonly onChange: (part: Partial<SpotDraft>) => void;
}

function TypeLine({ draft: { type, force }, onChange }: TypeLineProps) {
  const { trade } = useTexts();
  return (
    <div className="type-line">
      <Segments
        label={trade.orderType}
        value={type}
        segments={TYPES.map((choice) => ({ choice, title: trade.types[choice] }))}
        onValue={(chosen) => onChange({ type: chosen, size: NO_SIZE })}
      />
      <Select
        label={trade.force}
        isLabelHidden
        value={type === 'limit' ? force : 'ioc'}
        disabled={type === 'market'}
        choices={FORCES.map((choice) => [choice, trade.forcesShort[choice]] as const)}
        onValue={(chosen) => onChange({ force: chosen })}
      />
    </div>
  );
}

interface AvailableLineProps {
  readonly available: bigint | undefined;
  readonly coin: ReturnType<typeof spentCoin>;
}

/** What can be spent, and a way to bring more here. */
function AvailableLine({ available, coin: { code, scale } }: AvailableLineProps) {
  const { trade } = useTexts();
  const text = available === undefined ? '–' : moneyOf(formatTrimmed(available, scale), code);
  return (
    <div className="available-line">
      <span className="field-label">{trade.available}</span>
      <span className="figure">
        {text} <span className="unit">{code}</span>
      </span>
      <TransferButton coin={code} to="spot" />
      <OrderSettingsButton />
    </div>
  );
}

interface SpotEstimatesProps {
  readonly pair: TradedPair;
  readonly side: Side;
  readonly read: ReadSpotDraft;
}

function SpotEstimates({ pair, side, read }: SpotEstimatesProps) {
  const { trade } = useTexts();
  const { estimate } = read;
  const [takerRate, makerRate] = [ratePercent(pair.takerFeePpm), ratePercent(pair.makerFeePpm)];
  const paidCoin = spentCoin(pair, side);
  const gotCoin = spentCoin(pair, side === 'buy' ? 'sell' : 'buy');
  const shown = (amount: (of: SpotEstimate) => bigint, coin: { code: string; scale: number }) =>
    estimate && grouped(formatTrimmed(amount(estimate), coin.scale));
  const size = (lots: number | undefined) =>
    lots === undefined ? undefined : grouped(formatTrimmed(lots, pair.quantityScale));
  return (
    <Estimates>
      <Estimate label={trade.average} text={averageText(pair, estimate)} unit={pair.quoteCode} />
      <Estimate
        label={trade.cost}
        text={shown(({ paid }) => paid, paidCoin)}
        unit={paidCoin.code}
      />
      {read.boundTicks === 0 ? null : (
        <Estimate
          label={trade.worstPrice}
          text={grouped(fixed(formatTrimmed(read.boundTicks, pair.priceScale), pair.priceScale))}
          unit={pair.quoteCode}
        />
      )}
      <Estimate
        label={trade.feeAt(takerRate, makerRate)}
        meaning={trade.feeRates}
        text={shown(({ fee }) => fee, gotCoin)}
        unit={gotCoin.code}
      />
      <Estimate
        label={trade.received}
        text={shown(({ received }) => received, gotCoin)}
        unit={gotCoin.code}
      />
      <Estimate label={trade.resting} text={size(estimate?.restingLots)} unit={pair.baseCode} />
      <Estimate label={trade.unfilled} text={size(estimate?.unfilledLots)} unit={pair.baseCode} />
    </Estimates>
  );
}

function averageText({ priceScale }: TradedPair, estimate: SpotEstimate | undefined) {
  if (estimate === undefined || estimate.averageTicks === 0n) return undefined;
  const exactly = formatTrimmed(estimate.averageTicks, priceScale + ESTIMATE_EXTRA_SCALE);
  return grouped(fixed(exactly, priceScale));
}
