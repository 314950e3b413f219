/** The price alerts of this browser, in all its tabs, and what their prices are. */
import { notify } from '../../look/mod.ts';
import { type Alert, type Heard, heardPrice, readAlerts } from '../../model/alerts.ts';
import { createShared } from '../../store/kept.ts';
import { textsNow } from '../../texts/texts.ts';
import { stream } from '../../wire/stream.ts';
import { marketName, priceOf } from '../trade/formats.ts';
import { signal } from './signal.ts';

export const alerts = createShared<readonly Alert[]>('outcry.alerts', readAlerts);

export function removeAlert(id: string): void {
  alerts.set((known) => known.filter((alert) => alert.id !== id));
}

/** Follows one price that alerts wait for, also while another market is looked at. */
export function followAlertPrice({ symbol, source }: Omit<Heard, 'price'>): () => void {
  return stream.follow(`ticker:${symbol}`, {
    onMessage: ({ data }) => {
      const price = data[source];
      if (price !== null) hearPrice({ symbol, source, price });
    },
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
