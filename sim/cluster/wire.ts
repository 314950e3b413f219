/**
 * Connections: messages in order and none lost, as long as the connection lasts. Where the network
 * is cut they wait, and after a while the connection breaks.
 */
import type { Network } from './network.ts';
import type { Life } from './world.ts';

export type Word = { readonly text: string } | { readonly close: number };

export interface EndHandlers {
  onText(text: string): void;
  /** The other side has closed, or is gone. */
  onClose(code: number): void;
}

const BROKEN = 1006;
const RETRY_MS = 40;
/** So long nothing gets through, and the connection is given up. */
const GIVEN_UP_MS = 8_000;

/** One end of a connection, in one life of a process. */
export class End {
  readonly life: Life;
  readonly #network: Network;
  #peer: End | undefined;
  #handlers: EndHandlers | undefined;
  /** On the way to the other end, in order. */
  readonly #sent: { readonly word: Word; readonly arriveMs: number }[] = [];
  #isPumping = false;
  #blockedSinceMs: number | undefined;
  #isOver = false;
  #isReading = true;

  constructor(life: Life, network: Network) {
    this.life = life;
    this.#network = network;
    // The machine says so where the process cannot.
    life.onEnd(() => this.send({ close: BROKEN }));
  }

  static join(one: End, other: End): void {
    one.#peer = other;
    other.#peer = one;
  }

  handle(handlers: EndHandlers): void {
    this.#handlers = handlers;
  }

  send(word: Word): void {
    if (this.#isOver) return;
    if ('close' in word) this.#isOver = true;
    const { world } = this.#network;
    const last = this.#sent.at(-1)?.arriveMs ?? 0;
    const arriveMs = Math.max(last, world.nowMs + this.#network.delayMs());
    this.#sent.push({ word, arriveMs });
    if (this.#network.isLost() && !('close' in word)) {
      world.coverage.count('connection broken');
      this.#break();
    }
    this.#pump();
  }

  #break(): void {
    this.#isOver = true;
    this.#sent.splice(0, this.#sent.length, { word: { close: BROKEN }, arriveMs: 0 });
    const { life } = this;
    this.#network.world.at(0, () => this.#handlers?.onClose(BROKEN), life);
  }

  /** What was said and has not arrived. */
  get unsentBytes(): number {
    return this.#sent.reduce((sum, { word }) => sum + ('text' in word ? word.text.length : 0), 0);
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  /** One that does not read leaves what it is sent with the sender. */
  set isReading(isReading: boolean) {
    this.#isReading = isReading;
    if (isReading) this.#peer?.begin();
  }

  /** A goodbye is heard by those, too, who do not read. */
  get #isEnding(): boolean {
    return this.#sent.some(({ word }) => 'close' in word);
  }

  /** The other side has joined: what was said before reaches it. */
  begin(): void {
    this.#pump();
  }

  #pump(): void {
    const [first] = this.#sent;
    if (this.#isPumping || first === undefined || this.#peer === undefined) return;
    this.#isPumping = true;
    const { world } = this.#network;
    world.at(first.arriveMs - world.nowMs, () => {
      this.#isPumping = false;
      this.#arrive();
    });
  }

  #arrive(): void {
    const { world } = this.#network;
    const peer = this.#peer;
    if (peer === undefined) return;
    if (this.#network.isCut(this.life.host, peer.life.host)) {
      this.#blockedSinceMs ??= world.nowMs;
      if (world.nowMs - this.#blockedSinceMs > GIVEN_UP_MS && !this.#isOver) this.#break();
      this.#isPumping = true;
      world.at(RETRY_MS, () => {
        this.#isPumping = false;
        this.#arrive();
      });
      return;
    }
    this.#blockedSinceMs = undefined;
    if (!peer.isReading && !this.#isEnding) return;
    while (this.#sent[0] !== undefined && this.#sent[0].arriveMs <= world.nowMs) {
      const word = this.#sent.shift()?.word;
      if (word !== undefined) world.at(0, () => peer.#hear(word), peer.life);
    }
    this.#pump();
  }

  #hear(word: Word): void {
    if ('text' in word) {
      this.#handlers?.onText(word.text);
      // At once: what a refusal was judged by must not change between the two.
      if (word.text.startsWith('["do"') && this.#network.comesTwice()) {
        this.#network.world.coverage.count('commands handed over twice');
        this.#handlers?.onText(word.text);
      }
      return;
    }
    // The answer to a close lets the other side end, too.
    this.send({ close: word.close });
    this.#handlers?.onClose(word.close);
  }
}
