/** Closes a position, or a part of it, at market or at a price. */
import { type SubmitEvent, useState } from 'react';
import { formatTrimmed } from '#kernel';
import { Button, Dialog, directionOf, Field } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import { useBook } from '../market/book-feed.ts';
import { Segments } from '../market/segments.tsx';
import { placeOrder } from './calls.ts';
import { type ReadContractDraft, readContractDraft } from './contract-draft.ts';
import { Unfilled } from './contract-estimates.tsx';
import { actionOf, type ContractDraft, EMPTY_DRAFT, takingSide } from './contract-wish.ts';
import { faultText, type Size } from './draft.ts';
import { Estimate, Estimates, PartSlider } from './form-parts.tsx';
import { marketName, priceOf } from './formats.ts';
import type { Held } from './held.ts';
import { useContractWithFees } from './own-fees.ts';
import { useAction } from './use-action.ts';
import { useMargin } from './use-margin.ts';

const TYPES = ['market', 'limit'] as const;

interface CloseDialogProps {
  readonly held: Held;
  readonly onClose: () => void;
}

export function CloseDialog({ held, onClose }: CloseDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const { draft, read, change } = useClosing(held);
  const { contract, position } = held;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { request } = read;
    if (request !== undefined && (await run(() => placeOrder(request)))) onClose();
  };
  const isLimit = draft.type === 'limit';
  const fault = read.sizeFault ?? read.moneyFault;
  const nothingLeft = read.mostLots === 0 ? trade.nothingClosable : undefined;
  return (
    <Dialog
      title={`${trade.actions[actionOf(draft)]}: ${marketName(position.symbol, trade)}`}
      onClose={onClose}
    >
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <Segments
          label={trade.orderType}
          value={isLimit ? 'limit' : 'market'}
          segments={TYPES.map((choice) => ({ choice, title: trade.types[choice] }))}
          onValue={(type) => change({ type, force: type === 'market' ? 'ioc' : 'gtc' })}
        />
        <Field
          label={trade.price}
          value={isLimit ? draft.price : trade.marketPrice}
          unit={contract.quoteCode}
          isNumber
          disabled={!isLimit}
          fault={read.priceFault && faultText(read.priceFault, trade)}
          onValue={(price) => change({ price })}
        />
        <Field
          label={trade.quantity}
          value={read.sizeText}
          unit={trade.contractsUnit}
          isNumber
          fault={fault === undefined ? nothingLeft : faultText(fault, trade)}
          onValue={(text) => change({ size: { kind: 'typed', text } })}
        />
        <PartSlider
          label={trade.partOfClosable}
          percent={read.percent}
          isPossible={(read.mostLots ?? 0) > 0}
          onPercent={(percent) => change({ size: { kind: 'part', percent } })}
        />
        <ClosingEstimates held={held} read={read} />
        <Button
          type="submit"
          tone={takingSide(draft) === 'buy' ? 'up' : 'down'}
          isWide
          isBusy={isBusy}
          disabled={read.request === undefined}
        >
          {isLimit ? trade.closeLimit : trade.closeMarket}
        </Button>
      </form>
    </Dialog>
  );
}

const ALL: Size = { kind: 'part', percent: 100 };

function useClosing({ contract: listed, position, instrument }: Held) {
  const contract = useContractWithFees(listed);
  const [draft, setDraft] = useState<ContractDraft>({
    ...EMPTY_DRAFT,
    ...{ does: 'close', side: position.side, type: 'market', force: 'ioc', size: ALL },
  });
  const book = useBook(instrument)?.book;
  const state = useMargin(contract);
  const opposite = (takingSide(draft) === 'buy' ? book?.asks : book?.bids) ?? [];
  const read = readContractDraft(draft, { contract, opposite, state });
  const change = (part: Partial<ContractDraft>): void => setDraft((now) => ({ ...now, ...part }));
  return { draft, read, change };
}

interface ClosingEstimatesProps {
  readonly held: Held;
  readonly read: ReadContractDraft;
}

function ClosingEstimates({ held: { contract }, read: { closing } }: ClosingEstimatesProps) {
  const { trade } = useTexts();
  const { marginScale, marginCode, priceScale, symbol, quoteCode } = contract;
  const money = (amount: bigint | undefined) =>
    amount === undefined ? undefined : grouped(formatTrimmed(amount, marginScale));
  const pnl = money(closing?.pnl);
  const left = formatTrimmed(closing?.liquidationTicks ?? 0, priceScale);
  return (
    <Estimates>
      <Estimate label={trade.realised} text={pnl} unit={marginCode} direction={directionOf(pnl)} />
      <Estimate label={trade.fee} text={money(closing?.fee)} unit={marginCode} />
      <Estimate label={trade.released} text={money(closing?.released)} unit={marginCode} />
      <Estimate label={trade.liquidation} text={priceOf(left, symbol)} unit={quoteCode} />
      <Unfilled traded={closing} contract={contract} />
    </Estimates>
  );
}
