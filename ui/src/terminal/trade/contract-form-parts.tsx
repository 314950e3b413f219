/** What stands above and below the fields of a contract order: the money, the most, the button. */
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ReadContractDraft } from './contract-draft.ts';
import { LiquidationLine } from './contract-estimates.tsx';
import { sizeWords } from './contract-summary.ts';
import { actionOf, type ContractDraft, takingSide } from './contract-wish.ts';
import { Send } from './form-parts.tsx';
import { moneyOf } from './formats.ts';
import { OrderSettingsButton } from './order-settings.tsx';
import { TransferButton } from './transfer-dialog.tsx';
import { useIsShared } from './use-margin.ts';

interface MeansLineProps {
  readonly contract: TradedContract;
  readonly available: bigint | undefined;
}

export function MeansLine({ contract, available }: MeansLineProps) {
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
      <OrderSettingsButton />
    </div>
  );
}

interface SendLineProps {
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
  readonly contract: TradedContract;
  readonly sent: Parameters<typeof Send>[0]['sent'];
}

export function SendLine({ draft, read, contract, sent }: SendLineProps) {
  const { trade } = useTexts();
  const { mostLots, priceTicks } = read;
  const most =
    mostLots === undefined ? '–' : sizeWords(contract, draft.unit, mostLots, priceTicks, trade);
  return (
    <>
      <p className="most-line">
        {draft.does === 'open' ? trade.openable : trade.closable}{' '}
        <span className="figure">{most}</span>
      </p>
      <Send
        label={trade.actions[actionOf(draft)]}
        tone={takingSide(draft) === 'buy' ? 'up' : 'down'}
        sent={sent}
        above={<LiquidationLine contract={contract} read={read} />}
      />
    </>
  );
}
