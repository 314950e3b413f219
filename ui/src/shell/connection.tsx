/** Whether the stream is live, and how far the clock of this machine is from the venue's. */
import { useStore } from '../store/store.ts';
import { useTexts } from '../texts/texts.ts';
import { clockOffsetMs } from '../wire/clock.ts';
import { streamState } from '../wire/stream.ts';

/** Beyond this a reader should know: the venue refuses requests that are 30 s off. */
const SKEW_TOLD_MS = 1_000;

export function Connection() {
  const { shell } = useTexts();
  const state = useStore(streamState);
  const offsetMs = useStore(clockOffsetMs);
  const isSkewed = offsetMs !== undefined && Math.abs(offsetMs) > SKEW_TOLD_MS;
  const seconds = ((offsetMs ?? 0) / 1_000).toFixed(1);
  return (
    <span
      className={`connection connection-${state}`}
      role="status"
      title={isSkewed ? shell.clockSkew(seconds) : undefined}
    >
      <span className="connection-light" aria-hidden="true" />
      <span className="only-read-out">{shell.connection}: </span>
      {shell[state]}
      {isSkewed ? <span className="connection-skew">{shell.clockOff(seconds)}</span> : null}
    </span>
  );
}
