/** The state of an order form: its fields, the price that was clicked in the book, sending. */
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useAccount } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { type Instrument, pickedPrice, tickers } from '../context.ts';
import { useTicker } from '../market/ticker-feed.ts';
import { placeOrder } from './calls.ts';
import type { OrderRequest } from './draft.ts';
import { begin, change, firstPrice, type KeptDraft, type PricedDraft } from './kept-draft.ts';
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

/** Where the draft of a kind of form is while no form shows it. */
export interface DraftPlace<Draft extends PricedDraft> {
  kept: KeptDraft<Draft> | undefined;
}

interface Typing<Draft> {
  readonly draft: Draft;
  change(part: Partial<Draft>): void;
}

/**
 * What is typed. The price begins as the last one; a form that is shown before the first price has
 * come, or in a market where nothing was ever traded, takes the first one that comes.
 */
export function useTyping<Draft extends PricedDraft>(
  place: DraftPlace<Draft>,
  instrument: Instrument,
  empty: Draft,
): Typing<Draft> {
  const { symbol } = instrument;
  const owner = `${symbol} ${useAccount()?.accountId ?? ''}`;
  const fresh = { owner, draft: empty };
  const [typed, setTyped] = useState(() => begin(place.kept, fresh, tickerPrice(symbol)));
  const listed = useStore(tickers, () => tickerPrice(symbol));
  const live = tradedPrice(useTicker(instrument)?.ticker.last);
  const price = live === '' ? listed : live;
  useEffect(() => {
    if (price !== '') setTyped((now) => firstPrice(now, price));
  }, [price]);
  useEffect(() => {
    place.kept = typed;
  }, [place, typed]);
  return { draft: typed.draft, change: (part) => setTyped((now) => change(now, part)) };
}

function tickerPrice(symbol: string): string {
  return tradedPrice(tickers.get().get(symbol)?.last);
}

/** Empty while nothing was ever traded. */
function tradedPrice(last = ''): string {
  return /^0*\.?0*$/.test(last) ? '' : last;
}
