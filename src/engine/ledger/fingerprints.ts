/**
 * Texts remembered as 53 bits each, with a number: a hash table without text or objects, because
 * it is read and added to with every order. Two texts of one table that share their bits would
 * count as one; only an owner who makes such texts is refused by them.
 */

const SLOTS_MIN = 8;
/** At most so much of the table is filled. */
const FILL_MAX = 0.6;
const LOW_VALUES = 2 ** 32;
const HIGH_BITS_DROPPED = 11;

let lastText = '';
let lastMark = hash(lastText);

/** The bits of a text, a whole number below 2^53. One command asks for the same several times. */
export function fingerprint(text: string): number {
  if (text !== lastText) {
    lastMark = hash(text);
    lastText = text;
  }
  return lastMark;
}

function hash(text: string): number {
  let low = 0x9747b28c;
  let high = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    low = Math.imul(low ^ unit, 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ unit, 0xc2b2ae35);
    high ^= high >>> 13;
  }
  low = Math.imul(low ^ (low >>> 16), 0x27d4eb2f);
  high = Math.imul(high ^ (high >>> 16), 0x165667b1);
  return (high >>> HIGH_BITS_DROPPED) * LOW_VALUES + (low >>> 0);
}

export class Fingerprints {
  size = 0;
  /** Of each slot the fingerprint and its number, which is zero in a slot that is free. */
  #slots = new Float64Array(SLOTS_MIN * 2);

  /** The number of a fingerprint; zero when it is not there. */
  get(mark: number): number {
    return this.#slots[this.#find(mark) + 1] ?? 0;
  }

  /** The number is above zero. */
  set(mark: number, number: number): void {
    const at = this.#find(mark);
    if (this.#slots[at + 1] === 0) this.size += 1;
    this.#slots[at] = mark;
    this.#slots[at + 1] = number;
    if (this.size * 2 > this.#slots.length * FILL_MAX) this.#grow();
  }

  /** All of them by their bits: the order depends on nothing but what is there. */
  entries(): [mark: number, number: number][] {
    const found: [number, number][] = [];
    const slots = this.#slots;
    for (let at = 0; at < slots.length; at += 2) {
      const number = slots[at + 1] ?? 0;
      if (number !== 0) found.push([slots[at] ?? 0, number]);
    }
    return found.sort(([mark], [other]) => mark - other);
  }

  /** Where the fingerprint stands, or the free slot where it belongs. */
  #find(mark: number): number {
    const slots = this.#slots;
    const last = slots.length - 1;
    let at = ((mark | 0) << 1) & last;
    while (slots[at + 1] !== 0 && slots[at] !== mark) at = (at + 2) & last;
    return at;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Float64Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const number = old[at + 1] ?? 0;
      if (number === 0) continue;
      const mark = old[at] ?? 0;
      const to = this.#find(mark);
      this.#slots[to] = mark;
      this.#slots[to + 1] = number;
    }
  }
}
