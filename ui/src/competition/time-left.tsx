/** How long until a round starts or ends, by the venue's clock, counted on between two answers. */

import { useEffect, useState } from 'react';
import type { competition } from '#client';
import { Fact } from '../look/mod.ts';
import { useCompetitionTexts } from '../texts/competition.ts';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

export function TimeLeft({ board }: { readonly board: competition.LeaderboardAnswer }) {
  const texts = useCompetitionTexts();
  const { state, startTime, endTime } = board.round;
  const nowMs = useVenueMs(Number(board.time));
  if (state === 'running') {
    return <Fact label={texts.timeLeft} text={lengthText(Number(endTime) - nowMs)} />;
  }
  if (state === 'scheduled' || state === 'preparing') {
    return <Fact label={texts.startsIn} text={lengthText(Number(startTime) - nowMs)} />;
  }
  return null;
}

/** The time of the venue, from what it was when the answer came. */
function useVenueMs(saidMs: number): number {
  const [nowMs, setNow] = useState(saidMs);
  useEffect(() => {
    const since = performance.now();
    setNow(saidMs);
    const count = (): void => setNow(saidMs + performance.now() - since);
    const timer = setInterval(count, SECOND_MS / 4);
    return () => clearInterval(timer);
  }, [saidMs]);
  return nowMs;
}

/** "1:02:03", "2:03", and days in front where there are any. */
function lengthText(ms: number): string {
  const all = Math.max(0, Math.ceil(ms / SECOND_MS));
  const days = Math.floor(all / DAY_S);
  const hours = Math.floor((all % DAY_S) / HOUR_S);
  const minutes = Math.floor((all % HOUR_S) / MINUTE_S);
  const seconds = String(all % MINUTE_S).padStart(2, '0');
  if (days === 0 && hours === 0) return `${minutes}:${seconds}`;
  const clock = `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
  return days === 0 ? clock : `${days} d ${clock}`;
}
