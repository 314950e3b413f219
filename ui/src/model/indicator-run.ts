/**
 * The values of an indicator, bar by bar: kept, and extended when the last bar changes or a new one
 * comes. The formulas are those of trading-signals, but for the average price of the day.
 */
import {
  ATR,
  BollingerBands,
  EMA,
  IchimokuCloud,
  MACD,
  OBV,
  RSI,
  SMA,
  StochasticOscillator,
  SuperTrend,
  WMA,
} from 'trading-signals';
import type { Bar } from './candles.ts';
import { definitionOf, type IndicatorChoice, settingOf } from './indicators.ts';

/** The values of a bar, one for each line, NaN for none. `isAgain`: the bar before was this one. */
type Step = (bar: Bar, isAgain: boolean) => readonly number[];

const NONE = Number.NaN;
const DAY_S = 86_400;

export class IndicatorRun {
  readonly choice: IndicatorChoice;
  /** One for each line of the definition, as long as the bars that were taken. */
  readonly lines: number[][];
  #step: Step;

  constructor(choice: IndicatorChoice) {
    this.choice = choice;
    this.lines = definitionOf(choice.kind).lines.map(() => []);
    this.#step = stepOf(choice);
  }

  /** Takes bars that are the same as before up to `from`. Resolves to where values have changed. */
  take(bars: readonly Bar[], from: number): number {
    const known = this.lines[0]?.length ?? 0;
    const isTail = from >= known - 1 && from <= known && known > 0;
    const first = isTail ? from : 0;
    if (!isTail) {
      this.#step = stepOf(this.choice);
      for (const line of this.lines) line.length = 0;
    }
    for (let at = first; at < bars.length; at += 1) {
      const bar = bars[at];
      if (bar === undefined) continue;
      const values = this.#step(bar, isTail && at === known - 1);
      for (const [index, line] of this.lines.entries()) line[at] = values[index] ?? NONE;
    }
    return first;
  }
}

function stepOf(choice: IndicatorChoice): Step {
  const period = settingOf(choice, 'period');
  switch (choice.kind) {
    case 'sma':
      return closesOf(new SMA(period));
    case 'ema':
      return closesOf(new EMA(period));
    case 'wma':
      return closesOf(new WMA(period));
    case 'rsi':
      return closesOf(new RSI(period));
    case 'bollinger':
      return bollinger(new BollingerBands(period, settingOf(choice, 'deviations')));
    case 'vwap':
      return dayAverage();
    case 'ichimoku':
      return ichimoku(choice);
    case 'supertrend':
      return superTrend(choice);
    case 'macd':
      return macd(choice);
    case 'stochastic':
      return stochastic(choice);
    case 'atr':
      return averageRange(new ATR(period));
    case 'obv':
      return balanceVolume(new OBV(2));
    case 'volume_profile':
    case 'funding':
      return () => [];
  }
}

interface OfCloses {
  update(close: number, isAgain: boolean): unknown;
  getResult(): number | null;
  readonly isStable: boolean;
}

function closesOf(indicator: OfCloses): Step {
  return ({ close }, isAgain) => {
    indicator.update(close, isAgain);
    return [indicator.isStable ? (indicator.getResult() ?? NONE) : NONE];
  };
}

function bollinger(bands: BollingerBands): Step {
  return ({ close }, isAgain) => {
    const found = bands.update(close, isAgain);
    return found === null ? [] : [found.upper, found.middle, found.lower];
  };
}

/**
 * The average price since midnight UTC, weighted by volume. The library's own cannot replace a bar
 * that had no volume.
 */
function dayAverage(): Step {
  let day = -1;
  let before = { value: 0, volume: 0 };
  let now = before;
  return ({ time, high, low, close, volume }, isAgain) => {
    if (!isAgain) before = now;
    const today = Math.floor(time / DAY_S);
    if (today !== day) before = { value: 0, volume: 0 };
    day = today;
    const typical = (high + low + close) / 3;
    now = { value: before.value + typical * volume, volume: before.volume + volume };
    return [now.volume === 0 ? NONE : now.value / now.volume];
  };
}

function ichimoku(choice: IndicatorChoice): Step {
  const cloud = new IchimokuCloud({
    conversionInterval: settingOf(choice, 'conversion'),
    baseInterval: settingOf(choice, 'base'),
    spanBInterval: settingOf(choice, 'spanB'),
  });
  return (bar, isAgain) => {
    const found = cloud.update(bar, isAgain);
    if (found === null) return [NONE, NONE, NONE, NONE, bar.close];
    return [found.conversion, found.base, found.spanA, found.spanB, bar.close];
  };
}

function superTrend(choice: IndicatorChoice): Step {
  const interval = settingOf(choice, 'period');
  const trend = new SuperTrend({ interval, multiplier: settingOf(choice, 'multiplier') });
  return (bar, isAgain) => {
    const found = trend.update(bar, isAgain);
    if (found === null) return [];
    return found.trend === 'BULLISH' ? [found.supertrend, NONE] : [NONE, found.supertrend];
  };
}

function macd(choice: IndicatorChoice): Step {
  const averages = new MACD(
    new EMA(settingOf(choice, 'fast')),
    new EMA(settingOf(choice, 'slow')),
    new EMA(settingOf(choice, 'signal')),
  );
  return ({ close }, isAgain) => {
    const found = averages.update(close, isAgain);
    return found === null ? [] : [found.histogram, found.macd, found.signal];
  };
}

function stochastic(choice: IndicatorChoice): Step {
  const oscillator = new StochasticOscillator({
    kPeriod: settingOf(choice, 'period'),
    kSlowingPeriod: settingOf(choice, 'smoothing'),
    dPeriod: settingOf(choice, 'dPeriod'),
  });
  return (bar, isAgain) => {
    const found = oscillator.update(bar, isAgain);
    return found === null ? [] : [found.stochK, found.stochD];
  };
}

function averageRange(range: ATR): Step {
  return (bar, isAgain) => [range.update(bar, isAgain) ?? NONE];
}

function balanceVolume(balance: OBV): Step {
  return (bar, isAgain) => {
    const candle = { open: bar.open, high: bar.high, low: bar.low, close: bar.close };
    return [balance.update({ ...candle, volume: bar.volume }, isAgain) ?? 0];
  };
}
