/** The bell of the market line: price alerts, sounds and notifications of the browser. */
import { useState } from 'react';
import { Button, Dialog, focusNext } from '../../look/mod.ts';
import type { Alert } from '../../model/alerts.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, useInstrument } from '../context.ts';
import { useMarketName } from '../market/market-name.ts';
import { marketName, priceOf } from '../trade/formats.ts';
import { AlertForm } from './alert-form.tsx';
import { removeAlert, alerts as store } from './alert-store.ts';
import { SignalSettings } from './signal-settings.tsx';

export function AlertsButton() {
  const { alerts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const count = useStore(store).length;
  return (
    <>
      <Button
        tone="quiet"
        aria-haspopup="dialog"
        aria-label={count === 0 ? alerts.title : alerts.titleWith(String(count))}
        title={alerts.title}
        onClick={() => setOpen(true)}
      >
        <svg className="icon" viewBox="0 0 18 18" aria-hidden="true">
          <path d="M4 13V8a5 5 0 0 1 10 0v5l1.5 1.5h-13zM7.5 16h3" />
        </svg>
        {count === 0 ? null : <span className="alert-count">{count}</span>}
      </Button>
      {isOpen ? <AlertsDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function AlertsDialog({ onClose }: { readonly onClose: () => void }) {
  const { alerts } = useTexts();
  const instrument = useInstrument();
  return (
    <Dialog title={alerts.title} onClose={onClose}>
      <div className="stack">
        {instrument === undefined ? null : <NewAlert instrument={instrument} />}
        <AlertList />
        <SignalSettings />
      </div>
    </Dialog>
  );
}

function NewAlert({ instrument }: { readonly instrument: Instrument }) {
  const { alerts } = useTexts();
  return (
    <>
      <h3>{alerts.alertFor(useMarketName(instrument))}</h3>
      <AlertForm key={instrument.symbol} instrument={instrument} />
    </>
  );
}

function AlertList() {
  const { alerts } = useTexts();
  const all = useStore(store);
  if (all.length === 0) return <p className="remark alert-none">{alerts.none}</p>;
  return (
    <ul className="alert-list" aria-label={alerts.list}>
      {all.map((alert) => (
        <AlertRow key={alert.id} alert={alert} />
      ))}
    </ul>
  );
}

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { alerts, trade } = useTexts();
  const { id, symbol, source, direction, price, repeats } = alert;
  const market = marketName(symbol, trade);
  const terms = alerts.terms[direction](trade.sources[source], priceOf(price, symbol) ?? price);
  const remove = (): void => {
    removeAlert(id);
    focusNext('.alert-list button', '.alert-form input');
  };
  return (
    <li>
      <span>
        <strong>{market}</strong> {terms}
        {repeats ? <span className="unit"> {alerts.each}</span> : null}
      </span>
      <Button tone="quiet" aria-label={alerts.remove(`${market} ${terms}`)} onClick={remove}>
        ✕
      </Button>
    </li>
  );
}
