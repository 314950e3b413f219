/** Draws attention to what happened, beside the notice on the page. */
import type { Signal } from '../../model/signals.ts';
import { notifyBrowser } from './browser-notices.ts';
import { playIfOn } from './sound.ts';

/** A sound and a notification of the browser, as far as the reader wants them. */
export function signal(kind: Signal, title: string, text: string, tag = `${title} ${text}`): void {
  playIfOn(kind);
  notifyBrowser(kind, title, text, tag);
}
