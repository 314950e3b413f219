/** The state of an order form: its fields, the price that was clicked in the book, sending. */
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useStore } from '../../store/store.ts';
import { pickedPrice, tickers } from '../context.ts';
import { placeOrder } from './calls.ts';
import type { OrderRequest } from './draft.ts';
import { failureWords, notifyRefusal } from './notice-words.ts';
import { asksFirst } from './preferences.ts';

/** What became of the last order. */
export type Sent =
  | { readonly kind: 'nothing' | 'sending' }
  | { readonly kind: 'accepted'; readonly order: string }
  | { readonly kind: 'refused'; readonly code: string; readonly text: string };

interface Sending {
  readonly sent: Sent;
  /** Whether empty fields are shown as faults as well: after an attempt to send. */
  readonly isTried: boolean;
  /** Whether the order waits for a second yes. */
  readonly isAsking: boolean;
  submit(event?: SubmitEvent): void;
  /** Answers the question. */
  answer(isYes: boolean): void;
  keyDown(event: KeyboardEvent): void;
}

interface SendingOptions {
  /** Undefined while the order is not complete. */
  readonly request: OrderRequest | undefined;
  /** What to call the order once it is accepted. */
  readonly name: string;
  readonly isAllowed: boolean;
  readonly onSent: () => void;
  readonly onClear: () => void;
}

/** Enter sends, at the second yes where the trader wants to be asked; Esc clears. One at a time. */
export function useSending(options: SendingOptions): Sending {
  const { request, name, isAllowed, onSent, onClear } = options;
  const [sent, setSent] = useState<Sent>({ kind: 'nothing' });
  const [isTried, setTried] = useState(false);
  const [asked, setAsked] = useState<OrderRequest | undefined>();
  const send = async (order: OrderRequest): Promise<void> => {
    setSent({ kind: 'sending' });
    try {
      await placeOrder(order);
      setSent({ kind: 'accepted', order: name });
      setTried(false);
      onSent();
    } catch (error) {
      setSent({ kind: 'refused', ...failureWords(error) });
      notifyRefusal(error);
    }
  };
  return {
    sent,
    isTried,
    isAsking: asked !== undefined,
    submit: (event) => {
      event?.preventDefault();
      if (sent.kind === 'sending' || !isAllowed) return;
      setTried(true);
      // What became of the last order is not what became of this one.
      if (request === undefined || asksFirst.get() === 'yes') setSent({ kind: 'nothing' });
      if (request === undefined) return;
      if (asksFirst.get() === 'yes') setAsked(request);
      else void send(request);
    },
    answer: (isYes) => {
      setAsked(undefined);
      // As it stands now: prices may have moved while it was read.
      const order = request ?? asked;
      if (isYes && order !== undefined) void send(order);
    },
    keyDown: (event) => {
      if (event.key !== 'Escape') return;
      setSent({ kind: 'nothing' });
      setTried(false);
      onClear();
    },
  };
}

/** Calls with every price that is clicked while the form is shown. */
export function usePickedPrice(onPrice: (price: string) => void): void {
  const picked = useStore(pickedPrice);
  const known = useRef(picked);
  const take = useRef(onPrice);
  take.current = onPrice;
  useEffect(() => {
    if (picked === undefined || picked === known.current) return;
    known.current = picked;
    take.current(picked.price);
  }, [picked]);
}

/**
 * The last price as a form starts with it; empty when nothing was ever traded. Calls with the first
 * one that comes where the form is shown before the prices.
 */
export function useStartPrice(symbol: string, onPrice: (price: string) => void): string {
  const [start] = useState(() => lastPrice(symbol));
  const isWaiting = useRef(start === '');
  const isKnown = useStore(tickers, () => lastPrice(symbol) !== '');
  const take = useRef(onPrice);
  take.current = onPrice;
  useEffect(() => {
    if (!isWaiting.current || !isKnown) return;
    isWaiting.current = false;
    take.current(lastPrice(symbol));
  }, [isKnown, symbol]);
  return start;
}

function lastPrice(symbol: string): string {
  const last = tickers.get().get(symbol)?.last ?? '';
  return /^0*\.?0*$/.test(last) ? '' : last;
}
