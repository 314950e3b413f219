/** The order form of a contract. */
import { useRef } from 'react';
import type { HoldSide } from '#domain';
import { Select } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import type { MarginState } from '../../model/margin-account.ts';
import { scaledNumber, signOf } from '../../model/numbers.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ContractInstrument } from '../context.ts';
import { useBook } from '../market/book-feed.ts';
import { Segments } from '../market/segments.tsx';
import { useTicker } from '../market/ticker-feed.ts';
import { pricedBy, readContractDraft } from './contract-draft.ts';
import { ContractEstimates } from './contract-estimates.tsx';
import { ContractFields } from './contract-fields.tsx';
import { MeansLine, SendLine } from './contract-form-parts.tsx';
import { contractSummary } from './contract-summary.ts';
import { type ContractDraft, EMPTY_DRAFT, type PricesNow, takingSide } from './contract-wish.ts';
import { NO_SIZE } from './draft.ts';
import { useFormKeys } from './form-keys.tsx';
import { OrderFrame, PartSlider } from './form-parts.tsx';
import { LeverageButton } from './leverage-dialog.tsx';
import { MarginModeButton } from './margin-mode-dialog.tsx';
import { OrderQuestion } from './order-question.tsx';
import { useContractWithFees } from './own-fees.ts';
import { usePermissions } from './permissions.ts';
import { contractUnit, useSlippagePpm } from './preferences.ts';
import { type DraftPlace, usePickedPrice, useSending, useTyping } from './use-draft.ts';
import { useMargin } from './use-margin.ts';

const DOES = ['open', 'close'] as const;
const SIDES: readonly HoldSide[] = ['long', 'short'];
const TYPES = ['limit', 'market', 'plan'] as const;

interface ContractFormProps {
  readonly instrument: ContractInstrument;
  readonly contract: TradedContract;
}

export function ContractForm({ instrument, contract: listed }: ContractFormProps) {
  const { trade } = useTexts();
  const contract = useContractWithFees(listed);
  const { draft, change } = useContractDraft(instrument);
  const book = useBook(instrument)?.book;
  const now = usePricesNow(instrument, contract);
  const state = useMargin(contract);
  const opposite = (takingSide(draft) === 'buy' ? book?.asks : book?.bids) ?? [];
  const read = readContractDraft(draft, { contract, opposite, state, now });
  const { mayTrade } = usePermissions();
  const summary = contractSummary({ contract, draft, read }, trade);
  const { sent, isTried, isAsking, submit, answer, keyDown } = useSending({
    request: read.request,
    name: summary.name,
    isAllowed: mayTrade,
    onSent: () => change({ size: NO_SIZE, takeProfit: '', stopLoss: '' }),
    onClear: () => change(CLEARED),
  });
  usePickedPrice((price) => change(pricedBy(draft, price)));
  const frame = useRef<HTMLDivElement>(null);
  const help = useFormKeys(frame, instrument.symbol, {
    buy: () => change({ side: draft.does === 'open' ? 'long' : 'short' }),
    sell: () => change({ side: draft.does === 'open' ? 'short' : 'long' }),
    type: (type) => change({ type, force: type === 'market' ? 'ioc' : 'gtc' }),
    part: (percent) => change({ size: { kind: 'part', percent } }),
    send: () => submit(),
  });
  const form = (
    <form className="order-fields" onSubmit={submit} onKeyDown={keyDown} noValidate>
      <DirectionChoice draft={draft} onChange={change} />
      <TypeLine draft={draft} onChange={change} />
      <ContractFields
        contract={contract}
        draft={draft}
        read={read}
        isTried={isTried}
        onChange={change}
      />
      <PartSlider
        label={draft.does === 'open' ? trade.partOfOpenable : trade.partOfClosable}
        percent={read.percent}
        isPossible={read.mostLots !== undefined && read.mostLots > 0}
        onPercent={(percent) => change({ size: { kind: 'part', percent } })}
      />
      <ContractEstimates contract={contract} draft={draft} read={read} />
      <SendLine draft={draft} read={read} contract={contract} sent={sent} />
    </form>
  );
  return (
    <>
      <OrderFrame
        head={<Head {...{ contract, state }} markTicks={now.mark} />}
        form={form}
        frame={frame}
      />
      {isAsking ? <OrderQuestion summary={summary} onAnswer={answer} /> : null}
      {help}
    </>
  );
}

interface HeadProps {
  readonly contract: TradedContract;
  readonly state: MarginState | undefined;
  readonly markTicks: number | undefined;
}

/** What holds for every order: margin mode, leverages, the money. */
function Head({ contract, state, markTicks }: HeadProps) {
  return (
    <>
      <div className="margin-line">
        <MarginModeButton contract={contract} state={state} />
        {SIDES.map((side) => (
          <LeverageButton key={side} {...{ contract, state, side, markTicks }} />
        ))}
      </div>
      <MeansLine contract={contract} available={state?.available} />
    </>
  );
}

/** Where the prices are that a trigger can look at. */
function usePricesNow(instrument: ContractInstrument, { priceScale }: TradedContract): PricesNow {
  const { last, mark, index } = useTicker(instrument)?.ticker ?? {};
  const known = Object.entries({ last, mark, index }).flatMap(([name, price]) =>
    !price || signOf(price) === 0 ? [] : [[name, scaledNumber(price, priceScale)]],
  );
  return Object.fromEntries(known);
}

const CLEARED: Partial<ContractDraft> = {
  price: '',
  trigger: '',
  size: NO_SIZE,
  takeProfit: '',
  stopLoss: '',
};

const KEPT: DraftPlace<ContractDraft> = { kept: undefined };

/** What is typed, with what the trader has set for every order. */
function useContractDraft(instrument: ContractInstrument) {
  const { draft: typed, change } = useTyping(KEPT, instrument, EMPTY_DRAFT);
  const unit = useStore(contractUnit);
  const slippagePpm = useSlippagePpm();
  return { draft: { ...typed, unit, slippagePpm }, change };
}

interface PartProps {
  readonly draft: ContractDraft;
  readonly onChange: (part: Partial<ContractDraft>) => void;
}

function DirectionChoice({ draft, onChange }: PartProps) {
  const { trade } = useTexts();
  return (
    <div className="direction-choice">
      <Segments
        label={trade.direction}
        value={draft.does}
        segments={DOES.map((choice) => ({ choice, title: trade[choice] }))}
        onValue={(does) => onChange({ does, size: NO_SIZE })}
      />
      <div className={draft.does === 'open' ? 'side-choice' : 'side-choice side-choice-closing'}>
        <Segments
          label={trade.side}
          value={draft.side}
          segments={SIDES.map((choice) => ({ choice, title: trade[choice] }))}
          onValue={(side) => onChange({ side, size: NO_SIZE })}
        />
      </div>
    </div>
  );
}

function TypeLine({ draft: { type, force }, onChange }: PartProps) {
  const { trade } = useTexts();
  const forces = type === 'limit' ? LIMIT_FORCES : MARKET_FORCES;
  return (
    <div className={type === 'plan' ? 'type-line type-line-bare' : 'type-line'}>
      <Segments
        label={trade.orderType}
        value={type}
        segments={TYPES.map((choice) => ({ choice, title: trade.types[choice] }))}
        onValue={(chosen) => onChange({ type: chosen, force: chosen === 'market' ? 'ioc' : 'gtc' })}
      />
      <Select
        label={trade.force}
        isLabelHidden
        value={force}
        choices={forces.map((choice) => [choice, trade.forcesShort[choice]] as const)}
        onValue={(chosen) => onChange({ force: chosen })}
      />
    </div>
  );
}

const LIMIT_FORCES = ['gtc', 'post_only', 'fok', 'ioc'] as const;
const MARKET_FORCES = ['ioc', 'fok'] as const;
