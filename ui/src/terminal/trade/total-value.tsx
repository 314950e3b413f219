/** What everything is worth in one coin, which the reader chooses, and what has no price in it. */
import { Figure, Select } from '../../look/mod.ts';
import { type Rate, rateOf, valuationOf, valueAt } from '../../model/valuation.ts';
import { useTexts } from '../../texts/texts.ts';
import { moneyOf } from './formats.ts';
import { useMarkets, useOwned, useValueCoin, useValueCoins, valueCoin } from './worth.ts';

export function CoinChoice() {
  const { records } = useTexts();
  const coin = useValueCoin();
  return (
    <Select
      label={records.valueIn}
      isLabelHidden
      value={coin}
      choices={useValueCoins().map((choice) => [choice, choice])}
      onValue={(chosen) => valueCoin.set(chosen)}
    />
  );
}

export function TotalValue() {
  const { records } = useTexts();
  const coin = useValueCoin();
  const markets = useMarkets();
  const owned = useOwned();
  const found = owned && valuationOf(owned, (of) => rateOf(of, coin, markets));
  return (
    <div className="total-value">
      <span className="field-label">{records.totalValue}</span>
      <Figure text={found && moneyOf(found.total, coin)} unit={coin} />
      {found === undefined || found.unpriced.length === 0 ? null : (
        <span className="total-remark">{records.unpriced(found.unpriced.join(', '))}</span>
      )}
    </div>
  );
}

interface WorthProps {
  readonly amount: string;
  readonly rate: Rate | undefined;
  readonly in: string;
}

/** A coin without a price says so. */
export function Worth({ amount, rate, in: coin }: WorthProps) {
  const { records } = useTexts();
  if (rate === undefined) return <span className="total-remark">{records.noValue}</span>;
  return <Figure text={moneyOf(valueAt(amount, rate), coin)} />;
}
