/** Plays short tones. A browser allows none before the reader has pressed something on the page. */
import {
  readSignals,
  type Signal,
  SOUND_APART_MS,
  SOUNDS,
  type Tone,
} from '../../model/signals.ts';
import { createKeptValue } from '../../store/kept.ts';

export const soundsOn = createKeptValue<readonly Signal[]>('outcry.sounds', readSignals);

const LOUDNESS = 0.12;
/** A tone begins and ends softly, or it clicks. */
const EDGE_S = 0.012;

const playedMs = new Map<Signal, number>();
let audio: AudioContext | undefined;

/** Plays a sound that is switched on; many at once are one. */
export function playIfOn(signal: Signal): void {
  if (soundsOn.get().includes(signal)) play(signal);
}

export function play(signal: Signal): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const nowMs = performance.now();
  if (nowMs - (playedMs.get(signal) ?? Number.NEGATIVE_INFINITY) < SOUND_APART_MS) return;
  playedMs.set(signal, nowMs);
  try {
    audio ??= new AudioContext();
    void audio.resume().catch(() => undefined);
    for (const tone of SOUNDS[signal]) playTone(audio, tone);
  } catch {
    return; // A machine without sound: what is shown says the same.
  }
}

function playTone(context: AudioContext, { hertz, atMs, lastsMs }: Tone): void {
  const from = context.currentTime + atMs / 1_000;
  const to = from + lastsMs / 1_000;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = hertz;
  gain.gain.setValueAtTime(0, from);
  gain.gain.linearRampToValueAtTime(LOUDNESS, from + EDGE_S);
  gain.gain.setValueAtTime(LOUDNESS, to - EDGE_S);
  gain.gain.linearRampToValueAtTime(0, to);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(to);
}
