/** What the page can draw attention to with a sound or a notification of the browser. Pure. */

export const SIGNALS = ['fill', 'cancel', 'alert', 'risk'] as const;
export type Signal = (typeof SIGNALS)[number];

/** Reads which are switched on; all of them while nothing was chosen. */
export function readSignals(kept: string): readonly Signal[] {
  return kept === '' ? SIGNALS : SIGNALS.filter((signal) => kept.includes(`"${signal}"`));
}

/** One tone of a sound. */
export interface Tone {
  readonly hertz: number;
  readonly atMs: number;
  readonly lastsMs: number;
}

/** Short ones: up for what was bought or sold, down for what was cancelled, twice for a warning. */
export const SOUNDS: Readonly<Record<Signal, readonly Tone[]>> = {
  fill: [
    { hertz: 880, atMs: 0, lastsMs: 90 },
    { hertz: 1_319, atMs: 80, lastsMs: 140 },
  ],
  cancel: [
    { hertz: 587, atMs: 0, lastsMs: 110 },
    { hertz: 440, atMs: 100, lastsMs: 160 },
  ],
  alert: [
    { hertz: 1_047, atMs: 0, lastsMs: 100 },
    { hertz: 1_047, atMs: 140, lastsMs: 100 },
    { hertz: 1_568, atMs: 280, lastsMs: 180 },
  ],
  risk: [
    { hertz: 740, atMs: 0, lastsMs: 160 },
    { hertz: 494, atMs: 160, lastsMs: 160 },
    { hertz: 740, atMs: 340, lastsMs: 160 },
    { hertz: 494, atMs: 500, lastsMs: 200 },
  ],
};

/** Many fills within this time make one sound. */
export const SOUND_APART_MS = 400;
