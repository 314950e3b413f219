/** The order form of a contract. */
import { useState } from 'react';
import type { HoldSide } from '#domain';
import { formatTrimmed } from '#kernel';
import { Select } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ContractInstrument } from '../context.ts';
import { useBook } from '../market/book-feed.ts';
import { Segments } from '../market/segments.tsx';
import {
  actionOf,
  type ContractDraft,
  pricedBy,
  type ReadContractDraft,
  readContractDraft,
  takingSide,
} from './contract-draft.ts';
import { ContractEstimates } from './contract-estimates.tsx';
import { ContractFields } from './contract-fields.tsx';
import { NO_SIZE } from './draft.ts';
import { OrderFrame, PartSlider, Send } from './form-parts.tsx';
import { moneyOf } from './formats.ts';
import { LeverageButton } from './leverage-dialog.tsx';
import { MarginModeButton } from './margin-mode-dialog.tsx';
import { usePermissions } from './permissions.ts';
import { TransferButton } from './transfer-dialog.tsx';
import { startPrice, usePickedPrice, useSending } from './use-draft.ts';
import { useMargin } from './use-margin.ts';
import { useIsShared } from './wallets.ts';

const DOES = ['open', 'close'] as const;
const SIDES: readonly HoldSide[] = ['long', 'short'];
const TYPES = ['limit', 'market', 'plan'] as const;

interface ContractFormProps {
  readonly instrument: ContractInstrument;
  readonly contract: TradedContract;
}

export function ContractForm({ instrument, contract }: ContractFormProps) {
  const { trade } = useTexts();
  const [draft, setDraft] = useState<ContractDraft>(() => emptyDraft(instrument.symbol));
  const change = (part: Partial<ContractDraft>): void => setDraft((now) => ({ ...now, ...part }));
  const book = useBook(instrument)?.book;
  const state = useMargin(contract);
  const opposite = (takingSide(draft) === 'buy' ? book?.asks : book?.bids) ?? [];
  const read = readContractDraft(draft, { contract, opposite, state });
  const { mayTrade } = usePermissions();
  const { sent, isTried, submit, keyDown } = useSending({
    request: read.request,
    name: `${trade.actions[read.action]} ${read.sizeText} ${trade.contractsUnit}`,
    isAllowed: mayTrade,
    onSent: () => change({ size: NO_SIZE, takeProfit: '', stopLoss: '' }),
    onClear: () => change(CLEARED),
  });
  usePickedPrice((price) => change(pricedBy(draft, price)));
  const head = (
    <>
      <div className="margin-line">
        <MarginModeButton contract={contract} state={state} />
        {SIDES.map((side) => (
          <LeverageButton key={side} contract={contract} state={state} side={side} />
        ))}
      </div>
      <MeansLine contract={contract} available={state?.available} />
    </>
  );
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
  return <OrderFrame head={head} form={form} />;
}

const CLEARED: Partial<ContractDraft> = {
  price: '',
  trigger: '',
  size: NO_SIZE,
  takeProfit: '',
  stopLoss: '',
};

function emptyDraft(symbol: string): ContractDraft {
  const price = startPrice(symbol);
  return {
    ...{ does: 'open', side: 'long', type: 'limit', force: 'gtc', executes: 'limit' },
    ...{ price, trigger: '', size: NO_SIZE, takeProfit: '', stopLoss: '' },
  };
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

interface MeansLineProps {
  readonly contract: TradedContract;
  readonly available: bigint | undefined;
}

function MeansLine({ contract, available }: MeansLineProps) {
  const { trade } = useTexts();
  const { marginCode, marginScale, symbol } = contract;
  const isShared = useIsShared()(symbol);
  const text =
    available === undefined
      ? undefined
      : moneyOf(formatTrimmed(available, marginScale), marginCode);
  return (
    <div className="available-line">
      <span className="field-label">{trade.available}</span>
      <span className="figure" title={isShared ? trade.sharedWallet(marginCode) : trade.ownWallet}>
        {text ?? '–'} <span className="unit">{marginCode}</span>
      </span>
      <TransferButton coin={marginCode} to={symbol} />
    </div>
  );
}

interface SendLineProps {
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
  readonly contract: TradedContract;
  readonly sent: Parameters<typeof Send>[0]['sent'];
}

function SendLine({ draft, read, contract, sent }: SendLineProps) {
  const { trade } = useTexts();
  const most =
    read.mostLots === undefined
      ? '–'
      : grouped(formatTrimmed(read.mostLots, contract.quantityScale));
  return (
    <>
      <p className="most-line">
        {draft.does === 'open' ? trade.openable : trade.closable}{' '}
        <span className="figure">
          {most} {trade.contractsUnit}
        </span>
      </p>
      <Send
        label={trade.actions[actionOf(draft)]}
        tone={takingSide(draft) === 'buy' ? 'up' : 'down'}
        sent={sent}
      />
    </>
  );
}
