/** When a follower takes its leader for gone, by what that says and what the log says of it. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Suspicion } from '#cluster/testing';
import type { Heartbeat } from '#log';

/** How a leader is heard of, each of it at a time since it began. */
interface Seen {
  /** Whether it speaks to this process, and how long ago it has heard from the log then. */
  readonly contactAgeMs: (ms: number) => number | undefined;
  /** Which of its heartbeats the log holds; undefined while the log does not answer. */
  readonly heartbeat: (ms: number) => number | undefined;
  /** How long this process sleeps first; what it is told meanwhile it hears after its look. */
  readonly sleepsMs?: number;
}

const BEAT_MS = 100;
const LOOK_MS = 25;
/** Longer than any suspicion takes. */
const WATCHED_MS = 2_500;

/** After how long it is suspected; undefined when it is not. */
async function suspected({
  contactAgeMs,
  heartbeat,
  sleepsMs = 0,
}: Seen): Promise<number | undefined> {
  const startMs = performance.now();
  const elapsedMs = (): number => performance.now() - startMs;
  const lastHeartbeat = async (): Promise<Heartbeat> => {
    let timeMs = heartbeat(elapsedMs());
    while (timeMs === undefined && elapsedMs() < WATCHED_MS) {
      await pause(LOOK_MS);
      timeMs = heartbeat(elapsedMs());
    }
    if (timeMs === undefined) throw new Error('no quorum');
    return { member: 'member-1', claim: 1, timeMs, lastSeq: 0 };
  };
  const suspicion = new Suspicion({ lastHeartbeat });
  suspicion.heard();
  let beats = 0;
  await pause(sleepsMs);
  if (sleepsMs > 0 && (await suspicion.isDue())) return elapsedMs();
  while (elapsedMs() < WATCHED_MS) {
    if (elapsedMs() >= beats * BEAT_MS) {
      beats += 1;
      const ageMs = contactAgeMs(elapsedMs());
      if (ageMs !== undefined) suspicion.heard(ageMs);
    }
    if (await suspicion.isDue()) return elapsedMs();
    await pause(LOOK_MS);
  }
  return undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('a leader is suspected', { concurrency: true }, () => {
  for (const [name, seen] of [
    ['that is silent', { contactAgeMs: () => undefined, heartbeat: () => 0 }],
    ['that speaks, cut off from the log', { contactAgeMs: (ms) => ms, heartbeat: () => 0 }],
  ] as const satisfies readonly (readonly [string, Seen])[]) {
    test(name, async () => {
      const afterMs = await suspected(seen);
      assert.ok(afterMs !== undefined && afterMs >= 500, `suspected after ${afterMs} ms`);
    });
  }
});

describe('a leader is left in place', { concurrency: true }, () => {
  for (const [name, seen] of [
    ['that speaks and hears from the log', { contactAgeMs: () => 150, heartbeat: () => 0 }],
    ['that writes, and only this process does not hear it', silentHere()],
    ['by a process that slept', { contactAgeMs: () => 50, heartbeat: () => 0, sleepsMs: 700 }],
    [
      'that writes, and does not hear the answers',
      { contactAgeMs: (ms) => ms, heartbeat: (ms) => ms },
    ],
    ['whose log nobody reaches', { contactAgeMs: (ms) => ms, heartbeat: () => undefined }],
    [
      'whose log answers again',
      { contactAgeMs: untilMs(1_900), heartbeat: (ms) => (ms < 1_600 ? undefined : 0) },
    ],
  ] as const satisfies readonly (readonly [string, Seen])[]) {
    test(name, async () => assert.equal(await suspected(seen), undefined));
  }
});

function silentHere(): Seen {
  return { contactAgeMs: () => undefined, heartbeat: (ms) => ms };
}

/** Cut off from the start on until then. */
function untilMs(endMs: number): Seen['contactAgeMs'] {
  return (ms) => (ms < endMs ? ms : 50);
}
