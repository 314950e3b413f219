/** From when until when, in the time zone of the page. */
import { Field, FieldRow, type Times } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';

export interface Span {
  readonly from: string;
  readonly until: string;
}

interface SpanFieldsProps {
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

function fieldText(times: Times, timeMs: number): string {
  return times.dateTime(timeMs).slice(0, 16).replace(' ', 'T');
}

/** Begins with now and ends so much later, to the minute. */
export function spanFromNow(times: Times, lengthMs: number): Span {
  const nowMs = Date.now();
  return { from: fieldText(times, nowMs), until: fieldText(times, nowMs + lengthMs) };
}

/** A span that is kept, to the minute. */
export function spanOf(
  times: Times,
  kept: { readonly from: string; readonly until: string },
): Span {
  return { from: fieldText(times, Number(kept.from)), until: fieldText(times, Number(kept.until)) };
}

/** As the venue takes it; undefined when a field holds no time. */
export function spanIn(times: Times, { from, until }: Span) {
  const span = { from: times.parse(from), until: times.parse(until) };
  return Number.isNaN(span.from) || Number.isNaN(span.until) ? undefined : span;
}

export function SpanFields({ span, onSpan }: SpanFieldsProps) {
  const { notices } = useDeskTexts();
  return (
    <FieldRow>
      <Field
        label={notices.from}
        type="datetime-local"
        value={span.from}
        onValue={(from) => onSpan({ ...span, from })}
        required
      />
      <Field
        label={notices.until}
        type="datetime-local"
        value={span.until}
        onValue={(until) => onSpan({ ...span, until })}
        required
      />
    </FieldRow>
  );
}
