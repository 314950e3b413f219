/** What a contract order would cost and do, line by line; as many lines whatever it is. */
import { AVERAGE_EXTRA_SCALE } from '#domain';
import { formatTrimmed } from '#kernel';
import { directionOf } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import type { ClosingEstimate } from '../../model/contract-estimate.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ReadContractDraft } from './contract-draft.ts';
import { ticksText } from './contract-summary.ts';
import type { ContractDraft } from './contract-wish.ts';
import { Estimate, Estimates } from './form-parts.tsx';
import { ratePercent } from './formats.ts';

interface ContractEstimatesProps {
  readonly contract: TradedContract;
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
}

export function ContractEstimates({ contract, draft, read }: ContractEstimatesProps) {
  const { trade } = useTexts();
  const { opening, closing } = read;
  const traded = opening ?? closing;
  const { marginCode, marginScale, quoteCode, feeRates } = contract;
  const { takerPpm, makerPpm } = feeRates;
  const money = (amount: bigint | undefined) =>
    amount === undefined ? undefined : grouped(formatTrimmed(amount, marginScale));
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
      {read.boundTicks === 0 ? null : (
        <Estimate
          label={trade.worstPrice}
          text={ticksText(contract, read.boundTicks)}
          unit={quoteCode}
        />
      )}
      <Estimate
        label={trade.feeAt(ratePercent(takerPpm), ratePercent(makerPpm))}
        meaning={trade.feeRates}
        text={money(traded?.fee)}
        unit={marginCode}
      />
      <Unfilled traded={traded} contract={contract} />
    </Estimates>
  );
}

/** Beside the button that sends: it is seen also where the form is longer than its panel. */
export function LiquidationLine({ contract, read }: Omit<ContractEstimatesProps, 'draft'>) {
  const { trade } = useTexts();
  const traded = read.opening ?? read.closing;
  const text = beforeAndAfter(contract, read.liquidationTicks, traded?.liquidationTicks);
  return (
    <dl className="liquidation-line">
      <Estimate label={trade.liquidation} text={text} unit={contract.quoteCode} />
    </dl>
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

/** Now, and once the order has filled: as on a ticket, with an arrow where both are. */
function beforeAndAfter(
  contract: TradedContract,
  before: number,
  after: number | undefined,
): string | undefined {
  const now = ticksText(contract, before);
  if (after === undefined) return now;
  const then = ticksText(contract, after);
  return now === undefined || now === then ? then : `${now} → ${then ?? '–'}`;
}

function averageText(
  { priceScale }: TradedContract,
  averageTicks: bigint | undefined,
): string | undefined {
  if (averageTicks === undefined || averageTicks === 0n) return undefined;
  const exactly = formatTrimmed(averageTicks, priceScale + AVERAGE_EXTRA_SCALE);
  return grouped(fixed(exactly, priceScale));
}
