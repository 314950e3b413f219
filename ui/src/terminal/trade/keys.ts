/**
 * Keyboard trading: which key does what. Off until it is switched on in the order settings; a key
 * does nothing while something is typed, while a dialog is open, or with Ctrl, Alt or Cmd held.
 */
import { useEffect, useRef } from 'react';
import { useStore } from '../../store/store.ts';
import { tradesByKey } from './preferences.ts';

export const TRADING_KEYS = [
  { key: 'B', does: 'buy' },
  { key: 'S', does: 'sell' },
  { key: 'L', does: 'limit' },
  { key: 'M', does: 'market' },
  { key: '1', does: 'quarter' },
  { key: '2', does: 'half' },
  { key: '3', does: 'threeQuarters' },
  { key: '4', does: 'all' },
  { key: 'P', does: 'price' },
  { key: 'Q', does: 'quantity' },
  { key: 'Enter', does: 'send' },
  { key: 'X', does: 'cancelMarket' },
  { key: '?', does: 'help' },
] as const;

export type TradingKey = (typeof TRADING_KEYS)[number]['does'];

const TYPED_IN = 'input:not([type="radio"], [type="checkbox"], [type="range"]), select, textarea';
/** What Enter and arrows press or move by themselves. */
const ANSWERS_ENTER = `${TYPED_IN}, button, a, input, summary, [role="tab"], [role="row"]`;

/** What a key that was pressed is to do; undefined when it is not meant for trading. */
function meaningOf(event: KeyboardEvent): TradingKey | undefined {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return undefined;
  if (document.querySelector('dialog[open]') !== null) return undefined;
  const { target } = event;
  const isAt = (places: string) => target instanceof Element && target.matches(places);
  if (isAt(event.key === 'Enter' ? ANSWERS_ENTER : TYPED_IN)) return undefined;
  const pressed = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return TRADING_KEYS.find(({ key }) => key === pressed)?.does;
}

/** Calls with every trading key while keyboard trading is on. */
export function useTradingKeys(onKey: (does: TradingKey) => void): void {
  const isOn = useStore(tradesByKey) === 'yes';
  const take = useRef(onKey);
  take.current = onKey;
  useEffect(() => {
    if (!isOn) return undefined;
    const pressed = (event: KeyboardEvent): void => {
      const does = meaningOf(event);
      if (does === undefined) return;
      event.preventDefault();
      take.current(does);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [isOn]);
}
