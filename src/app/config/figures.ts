/**
 * Decimal text of a configuration as whole numbers of ticks, lots, units or ppm. What cannot be
 * read is complained about at its place and counts as zero, so that one run finds every fault.
 */
import { type Amount, PPM } from '#domain';
import { type DecimalFault, parseDecimal, parseScaled } from '#kernel';
import type { ConfigDocument, Path } from './document.ts';

const PPM_SCALE = 6;

export class Figures {
  readonly #document: ConfigDocument;

  constructor(document: ConfigDocument) {
    this.#document = document;
  }

  complain(path: Path, message: string): void {
    this.#document.complain(path, message);
  }

  /** A fraction below one, in parts per million; the fallback when nothing is said. */
  rate(path: Path, text: string | undefined, fallbackPpm = 0): number {
    const ratePpm = this.scaled(path, text, PPM_SCALE, fallbackPpm);
    if (ratePpm >= PPM) this.complain(path, 'must be below 1 (1 is 100 %)');
    return ratePpm;
  }

  /** As rate, and complained about when it is zero. */
  positiveRate(path: Path, text: string | undefined, fallbackPpm = 0): number {
    const ratePpm = this.rate(path, text, fallbackPpm);
    if (ratePpm < 1) this.complain(path, 'must be above zero');
    return ratePpm;
  }

  /** Whole units of 10^-scale; the fallback when nothing is said. */
  scaled(path: Path, text: string | undefined, scale: number, fallback = 0): number {
    if (text === undefined) return fallback;
    return this.#notNegative(path, parseScaled(text, scale), scale) ?? 0;
  }

  /** As scaled, and complained about when it is zero. */
  positive(path: Path, text: string | undefined, scale: number, fallback = 0): number {
    const value = this.scaled(path, text, scale, fallback);
    if (value < 1) this.complain(path, 'must be above zero');
    return value;
  }

  /** Units of a coin with this scale; zero when nothing is said. */
  amount(path: Path, text: string | undefined, scale: number): Amount {
    if (text === undefined) return 0n;
    return this.#notNegative(path, parseDecimal(text, scale), scale) ?? 0n;
  }

  #notNegative<N extends number | bigint>(
    path: Path,
    value: N | DecimalFault,
    scale: number,
  ): N | undefined {
    if (typeof value === 'string') {
      this.complain(path, faultText(value, scale));
      return undefined;
    }
    if (value >= 0) return value;
    this.complain(path, 'must not be negative');
    return undefined;
  }
}

function faultText(fault: DecimalFault, scale: number): string {
  if (fault === 'too_precise') return `takes at most ${scale} decimal places`;
  if (fault === 'too_large') return 'is too large';
  return 'must be a plain decimal such as "0.001"';
}
