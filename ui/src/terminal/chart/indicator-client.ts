/** The worker of the indicators as the chart sees it: given bars and choices, it tells values. */
import type { Bar, CandleChange } from '../../model/candles.ts';
import type { SettledRate } from '../../model/funding-line.ts';
import type { IndicatorChoice } from '../../model/indicators.ts';
import { type FromWorker, packed, type ToWorker } from './indicator-messages.ts';

export class IndicatorClient {
  readonly #hear: (message: FromWorker) => void;
  #worker: Worker | undefined;
  #choices: readonly IndicatorChoice[] = [];
  #bars: readonly Bar[] = [];
  #epoch = 0;

  constructor(hear: (message: FromWorker) => void) {
    this.#hear = hear;
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** The worker begins with the first indicator: who wants none does not load it. */
  choose(choices: readonly IndicatorChoice[]): void {
    this.#choices = choices;
    if (this.#worker === undefined) {
      if (choices.length > 0) this.#begin();
      return;
    }
    this.#say({ kind: 'choices', choices });
  }

  takeBars(bars: readonly Bar[], change: CandleChange): void {
    this.#bars = bars;
    if (change.kind === 'none') return;
    this.#sayBars(change.kind === 'all' ? 0 : change.from);
  }

  takeRates(rates: readonly SettledRate[]): void {
    this.#say({ kind: 'rates', rates });
  }

  see(from: number, to: number): void {
    this.#say({ kind: 'seen', from, to });
  }

  #begin(): void {
    const worker = new Worker(new URL('./indicator-worker.ts', import.meta.url), {
      type: 'module',
    });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      // Of bars that have been replaced meanwhile, values are of other bars now.
      if (data.kind === 'profile' || data.epoch === this.#epoch) this.#hear(data);
    });
    this.#worker = worker;
    this.#sayBars(0);
    this.#say({ kind: 'choices', choices: this.#choices });
  }

  #sayBars(from: number): void {
    if (this.#worker === undefined) return;
    if (from === 0) this.#epoch += 1;
    const columns = packed(this.#bars, from);
    this.#say({ kind: 'bars', from, columns, epoch: this.#epoch }, [columns.buffer]);
  }

  #say(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker?.postMessage(message, transfer);
  }
}
