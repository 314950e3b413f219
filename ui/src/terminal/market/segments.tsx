/** A row of choices of which one holds: radio buttons in dress, one stop of the Tab key. */
import { type ReactNode, useId } from 'react';

export interface Segment<Choice extends string> {
  readonly choice: Choice;
  readonly title: ReactNode;
  /** Read out where the title is a picture. */
  readonly label?: string;
}

interface SegmentsProps<Choice extends string> {
  readonly label: string;
  readonly segments: readonly Segment<Choice>[];
  readonly value: Choice;
  readonly onValue: (choice: Choice) => void;
}

export function Segments<Choice extends string>(props: SegmentsProps<Choice>) {
  const { label, segments, value, onValue } = props;
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="only-read-out">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.choice} className="segment" title={segment.label}>
          <input
            type="radio"
            className="segment-input"
            name={name}
            checked={segment.choice === value}
            aria-label={segment.label}
            onChange={() => onValue(segment.choice)}
          />
          <span className="segment-title">{segment.title}</span>
        </label>
      ))}
    </fieldset>
  );
}
