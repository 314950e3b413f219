/** What a contract order would cost and do, line by line; as many lines whatever it is. */
import { AVERAGE_EXTRA_SCALE } from '#domain';
import { formatTrimmed } from '#kernel';
import { directionOf } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import type { ClosingEstimate } from '../../model/contract-estimate.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ContractDraft, ReadContractDraft } from './contract-draft.ts';
import { Estimate, Estimates } from './form-parts.tsx';

interface ContractEstimatesProps {
  readonly contract: TradedContract;
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
}

export function ContractEstimates({ contract, draft, read }: ContractEstimatesProps) {
  const { trade } = useTexts();
  const { opening, closing } = read;
  const traded = opening ?? closing;
  const { marginCode, marginScale, quoteCode, priceScale } = contract;
  const money = (amount: bigint | undefined) =>
    amount === undefined ? undefined : grouped(formatTrimmed(amount, marginScale));
  const liquidation = traded?.liquidationTicks ?? 0;
  const pnl = money(closing?.pnl);
  return (
    <Estimates>
      <Estimate
        label={trade.average}
        text={averageText(contract, traded?.averageTicks)}
        unit={quoteCode}
      />
      {draft.does === 'open' ? (
        <>
          <Estimate label={trade.value} text={money(opening?.value)} unit={marginCode} />
          <Estimate label={trade.cost} text={money(opening?.cost)} unit={marginCode} />
        </>
      ) : (
        <>
          <Estimate
            label={trade.realised}
            text={pnl}
            unit={marginCode}
            direction={directionOf(pnl)}
          />
          <Estimate label={trade.released} text={money(closing?.released)} unit={marginCode} />
        </>
      )}
      <Estimate label={trade.fee} text={money(traded?.fee)} unit={marginCode} />
      <Estimate
        label={trade.liquidation}
        text={liquidation === 0 ? undefined : grouped(fixedTicks(liquidation, priceScale))}
        unit={quoteCode}
      />
      <Unfilled traded={traded} contract={contract} />
    </Estimates>
  );
}

interface UnfilledProps extends Pick<ContractEstimatesProps, 'contract'> {
  readonly traded: Pick<ClosingEstimate, 'unfilledLots' | 'restingLots'> | undefined;
}

/** What rests in the book, and what neither fills nor rests. */
export function Unfilled({ traded, contract: { quantityScale } }: UnfilledProps) {
  const { trade } = useTexts();
  const text = (lots: number | undefined) =>
    lots === undefined ? undefined : grouped(formatTrimmed(lots, quantityScale));
  return (
    <>
      <Estimate label={trade.resting} text={text(traded?.restingLots)} unit={trade.contractsUnit} />
      <Estimate
        label={trade.unfilled}
        text={text(traded?.unfilledLots)}
        unit={trade.contractsUnit}
      />
    </>
  );
}

function fixedTicks(ticks: number, priceScale: number): string {
  return fixed(formatTrimmed(ticks, priceScale), priceScale);
}

function averageText(
  { priceScale }: TradedContract,
  averageTicks: bigint | undefined,
): string | undefined {
  if (averageTicks === undefined || averageTicks === 0n) return undefined;
  const exactly = formatTrimmed(averageTicks, priceScale + AVERAGE_EXTRA_SCALE);
  return grouped(fixed(exactly, priceScale));
}
