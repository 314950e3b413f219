/** The price alerts of this browser, in all its tabs, and what their prices are. */
import { notify } from '../../look/mod.ts';
import { type Alert, type Heard, heardPrice, readAlerts } from '../../model/alerts.ts';
import {
  type SpotTickerRow,
  type SwapTickerRow,
  spotStreamTicker,
  swapTicker,
} from '../../model/tickers.ts';
import { createShared } from '../../store/kept.ts';
import { textsNow } from '../../texts/texts.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import { instrumentOf, marketName, priceOf } from '../trade/formats.ts';
import { signal } from './signal.ts';

export const alerts = createShared<readonly Alert[]>('outcry.alerts', readAlerts);

export function removeAlert(id: string): void {
  alerts.set((known) => known.filter((alert) => alert.id !== id));
}

/** Follows one price that alerts wait for, also while another market is looked at. */
export function followAlertPrice({ symbol, source }: Omit<Heard, 'price'>): () => void {
  const hear = (price: string): void => hearPrice({ symbol, source, price });
  if (instrumentOf(symbol)?.kind === 'spot') {
    return spotStream.follow<SpotTickerRow>({ channel: 'ticker', symbol }, ({ rows }) => {
      for (const row of rows) hear(spotStreamTicker(row).last);
    });
  }
  if (source === 'mark') {
    const topic = { channel: 'mark_price', symbol };
    return swapStream.follow<{ readonly mark_price: string }>(topic, ({ rows }) => {
      for (const row of rows) hear(row.mark_price);
    });
  }
  return swapStream.follow<SwapTickerRow>({ channel: 'ticker', symbol }, ({ rows }) => {
    for (const row of rows) hear(swapTicker(row).last);
  });
}

function hearPrice(heard: Heard): void {
  const { alerts: next, fired } = heardPrice(alerts.get(), heard);
  alerts.set(next);
  const { alerts: words, trade } = textsNow();
  for (const alert of fired) {
    const title = words.firedTitle(marketName(alert.symbol, trade));
    const text = words.fired[alert.direction](
      trade.sources[alert.source],
      priceOf(alert.price, alert.symbol) ?? alert.price,
    );
    // It stays until it is dismissed: the reader may have been away.
    notify('warning', title, text);
    signal('alert', title, text, alert.id);
  }
}
