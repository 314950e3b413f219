/** The tools to draw with: a toolbar beside the chart, one stop of the Tab key. */
import { type KeyboardEvent, useState } from 'react';
import { redo, undo } from '../../model/drawing-board.ts';
import { DRAWING_TOOLS, type DrawingTool } from '../../model/drawings.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { DrawingHand } from './drawing-hand.ts';
import { DrawingList } from './drawing-list.tsx';

type IconName = DrawingTool | 'select' | 'undo' | 'redo' | 'remove' | 'list';

/** Strokes on a ground of 18 by 18. */
const ICONS: Readonly<Record<IconName, string>> = {
  select: 'M4 3l10 6-4.5 1.2L7 15z',
  trend: 'M3 14L15 4M3 14h.01M15 4h.01',
  ray: 'M3 14L16 3M3 14h.01M8 9.8h.01',
  horizontal: 'M2 9h14M9 9h.01',
  channel: 'M2 10L13 3M5 15L16 8',
  fibonacci: 'M2 3h14M2 7h14M2 10.5h14M2 15h14',
  rectangle: 'M3 5h12v8H3z',
  text: 'M4 4h10M9 4v11',
  measure: 'M3 5h12v8H3zM6 5v3M9 5v4M12 5v3',
  undo: 'M6 4L3 7l3 3M3 7h8a4 4 0 0 1 0 8H7',
  redo: 'M12 4l3 3-3 3M15 7H7a4 4 0 0 0 0 8h4',
  remove: 'M4 5h10M7 5V3h4v2M5 5l1 10h6l1-10',
  list: 'M6 4h9M6 9h9M6 14h9M3 4h.01M3 9h.01M3 14h.01',
};

interface Item {
  readonly name: IconName;
  readonly label: string;
  readonly isPressed?: boolean;
  readonly isOff?: boolean;
  press(): void;
}

export function DrawingTools({ hand }: { readonly hand: DrawingHand }) {
  const { chart } = useTexts();
  const [isListed, setListed] = useState(false);
  const [at, setAt] = useState(0);
  const items = useItems(hand, () => setListed(true));
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    const next = nextItem(event.key, at, items.length);
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div
      className="drawing-tools"
      role="toolbar"
      aria-label={chart.drawingTools}
      aria-orientation="vertical"
      onKeyDown={move}
    >
      {items.map(({ name, label, isPressed, isOff, press }, index) => (
        <button
          key={name}
          type="button"
          className="drawing-tool"
          title={label}
          aria-label={label}
          aria-pressed={isPressed}
          aria-disabled={isOff}
          tabIndex={index === at ? 0 : -1}
          onFocus={() => setAt(index)}
          onClick={() => (isOff === true ? undefined : press())}
        >
          <svg viewBox="0 0 18 18" aria-hidden="true">
            <path d={ICONS[name]} />
          </svg>
        </button>
      ))}
      {isListed ? <DrawingList hand={hand} onClose={() => setListed(false)} /> : null}
    </div>
  );
}

function useItems(hand: DrawingHand, list: () => void): readonly Item[] {
  const { chart } = useTexts();
  const { tool, selected } = useStore(hand.state);
  const { past, future, drawings } = useStore(hand.board);
  const tools = DRAWING_TOOLS.map((name) => ({
    name,
    label: chart.tools[name],
    isPressed: tool === name,
    press: () => hand.choose(tool === name ? undefined : name),
  }));
  return [
    {
      name: 'select',
      label: chart.selectTool,
      isPressed: tool === undefined,
      press: () => hand.choose(undefined),
    },
    ...tools,
    {
      name: 'undo',
      label: chart.undo,
      isOff: past.length === 0,
      press: () => hand.board.set(undo),
    },
    {
      name: 'redo',
      label: chart.redo,
      isOff: future.length === 0,
      press: () => hand.board.set(redo),
    },
    {
      name: 'remove',
      label: chart.removeDrawing,
      isOff: selected === undefined,
      press: () => hand.removeSelected(),
    },
    { name: 'list', label: chart.drawings, isOff: drawings.length === 0, press: list },
  ];
}

function nextItem(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
