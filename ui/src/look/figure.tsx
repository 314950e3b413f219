/** Numbers as they are shown: tabular, and coloured by direction only. */

export type Direction = 'up' | 'down' | 'none';

interface FigureProps {
  /** Ready text, as in 30000.50; undefined while it is not known. */
  readonly text: string | undefined;
  readonly direction?: Direction;
  readonly unit?: string;
}

export function Figure({ text, direction = 'none', unit }: FigureProps) {
  return (
    <span className={`figure direction-${direction}`}>
      {text ?? '–'}
      {unit === undefined || text === undefined ? null : <span className="unit"> {unit}</span>}
    </span>
  );
}

/** Up for a positive number text, down for a negative one. */
export function directionOf(text: string | undefined): Direction {
  if (text === undefined || /^-?[0.]*$/.test(text)) return 'none';
  return text.startsWith('-') ? 'down' : 'up';
}

interface FactProps extends FigureProps {
  readonly label: string;
}

/** A small label with a number below it, as in a line of market facts. */
export function Fact({ label, ...figure }: FactProps) {
  return (
    <div className="fact">
      <span className="fact-label">{label}</span>
      <Figure {...figure} />
    </div>
  );
}
