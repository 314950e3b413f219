/** Chooses the instrument: a button that opens the list of markets, as does the key "/". */
import { useEffect, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { MarketDialog } from './market-dialog.tsx';

export function MarketSelector() {
  const { market } = useTexts();
  const instrument = useInstrument();
  const [isOpen, setOpen] = useState(false);
  useSlash(() => setOpen(true));
  if (instrument === undefined) return null;
  const kind = instrument.kind === 'spot' ? market.spot : market.contract;
  return (
    <>
      <button
        type="button"
        className="selector"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="/"
        title={market.pick}
        onClick={() => setOpen(true)}
      >
        <span className="selector-title">{instrument.title}</span>
        <span className="selector-kind">{kind}</span>
        <span className="selector-arrow" aria-hidden="true">
          ▾
        </span>
      </button>
      {isOpen ? <MarketDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** Calls when "/" is pressed outside text fields and dialogs. */
function useSlash(onSlash: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      onSlash();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}
