/** The colours of the page's tokens, as a canvas takes them. */

export interface Colours {
  readonly panel: string;
  readonly raised: string;
  readonly edge: string;
  readonly controlEdge: string;
  readonly ink: string;
  readonly inkSoft: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly up: string;
  readonly down: string;
  readonly upWash: string;
  readonly downWash: string;
  readonly warning: string;
  readonly font: string;
  /** Of the lines of indicators, in the order in which they were added. */
  readonly lines: readonly string[];
}

/** How many `--line-n` tokens there are. */
const LINES = 6;

/** What the tokens are now, at this element. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    panel: token('panel'),
    raised: token('raised'),
    edge: token('edge'),
    controlEdge: token('control-edge'),
    ink: token('ink'),
    inkSoft: token('ink-soft'),
    accent: token('accent'),
    onAccent: token('on-accent'),
    up: token('up'),
    down: token('down'),
    upWash: token('up-wash'),
    downWash: token('down-wash'),
    warning: token('warning'),
    font: style.fontFamily,
    lines: Array.from({ length: LINES }, (_, at) => token(`line-${at + 1}`)),
  };
}

/** A colour of six hexadecimal digits that what is behind shines through. */
export function translucent(colour: string, opacity: number): string {
  return (
    colour +
    Math.round(opacity * 255)
      .toString(16)
      .padStart(2, '0')
  );
}
