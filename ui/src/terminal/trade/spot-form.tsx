/** The order form of a pair. */
import { useState } from 'react';
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
import { Estimate, Estimates, OrderFrame, PartSlider, Send } from './form-parts.tsx';
import { moneyOf } from './formats.ts';
import { usePermissions } from './permissions.ts';
import {
  availableOf,
  pricedBy,
  type ReadSpotDraft,
  readSpotDraft,
  type SpotDraft,
  spentCoin,
} from './spot-draft.ts';
import { TransferButton } from './transfer-dialog.tsx';
import { startPrice, usePickedPrice, useSending } from './use-draft.ts';

const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];
const TYPES: readonly OrderType[] = ['limit', 'market'];
const SIDES: readonly Side[] = ['buy', 'sell'];

interface SpotFormProps {
  readonly instrument: SpotInstrument;
  readonly pair: TradedPair;
}

export function SpotForm({ instrument, pair }: SpotFormProps) {
  const { trade } = useTexts();
  const [draft, setDraft] = useState<SpotDraft>(() => emptyDraft(instrument.symbol));
  const change = (part: Partial<SpotDraft>): void => setDraft((now) => ({ ...now, ...part }));
  const book = useBook(instrument)?.book;
  const spent = spentCoin(pair, draft.side);
  const available = availableOf(useStore(account.balances), spent);
  const opposite = (draft.side === 'buy' ? book?.asks : book?.bids) ?? [];
  const read = readSpotDraft(draft, { pair, opposite, available });
  const label = draft.side === 'buy' ? trade.buyBase(pair.baseCode) : trade.sellBase(pair.baseCode);
  const { mayTrade } = usePermissions();
  const isOnline = pair.status === 'online';
  const { sent, isTried, submit, keyDown } = useSending({
    request: read.request,
    name: `${label}, ${read.sizeText} ${sizeCoin(pair, draft)}`,
    isAllowed: mayTrade && isOnline,
    onSent: () => change({ size: NO_SIZE }),
    onClear: () => change({ price: '', size: NO_SIZE }),
  });
  usePickedPrice((price) => change(pricedBy(draft, price)));
  const head = (
    <AvailableLine
      text={available === undefined ? undefined : formatTrimmed(available, spent.scale)}
      coin={spent.code}
    />
  );
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
      <SpotEstimates pair={pair} side={draft.side} estimate={read.estimate} />
      <Send
        label={label}
        tone={draft.side === 'buy' ? 'up' : 'down'}
        sent={sent}
        isHalted={!isOnline}
      />
    </form>
  );
  return <OrderFrame head={head} form={form} />;
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
  const isMarketBuy = draft.side === 'buy' && !isLimit;
  const words = (fault: Fault | undefined) => fault && faultText(fault, trade);
  const priceFault = read.priceFault ?? (isTried ? missingPrice(draft) : undefined);
  const missingSize = isTried && read.sizeText === '' ? MISSING_SIZE : undefined;
  return (
    <div className="price-and-size">
      <Field
        label={trade.price}
        value={isLimit ? draft.price : trade.marketPrice}
        unit={pair.quoteCode}
        isNumber
        disabled={!isLimit}
        fault={isLimit ? words(priceFault) : undefined}
        onValue={(price) => onChange({ price })}
      />
      <Field
        label={isMarketBuy ? trade.total : trade.quantity}
        value={read.sizeText}
        unit={sizeCoin(pair, draft)}
        isNumber
        fault={words(read.sizeFault ?? missingSize ?? read.moneyFault)}
        onValue={(text) => onChange({ size: { kind: 'typed', text } })}
      />
    </div>
  );
}

/** A market buy names what it spends. */
function sizeCoin({ baseCode, quoteCode }: TradedPair, { side, type }: SpotDraft): string {
  return side === 'buy' && type === 'market' ? quoteCode : baseCode;
}

const MISSING_SIZE: Fault = { reject: 'quantity_invalid' };

function emptyDraft(symbol: string): SpotDraft {
  const price = startPrice(symbol);
  return { side: 'buy', type: 'limit', force: 'gtc', price, size: NO_SIZE };
}

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
  readonly text: string | undefined;
  readonly coin: string;
}

/** What can be spent, and a way to bring more here. */
function AvailableLine({ text, coin }: AvailableLineProps) {
  const { trade } = useTexts();
  return (
    <div className="available-line">
      <span className="field-label">{trade.available}</span>
      <span className="figure">
        {text === undefined ? '–' : moneyOf(text, coin)} <span className="unit">{coin}</span>
      </span>
      <TransferButton coin={coin} to="spot" />
    </div>
  );
}

interface SpotEstimatesProps {
  readonly pair: TradedPair;
  readonly side: Side;
  readonly estimate: ReadSpotDraft['estimate'];
}

function SpotEstimates({ pair, side, estimate }: SpotEstimatesProps) {
  const { trade } = useTexts();
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
      <Estimate label={trade.fee} text={shown(({ fee }) => fee, gotCoin)} unit={gotCoin.code} />
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
