/** The drawings of a market as a list, set by numbers, and the question for the words of a text. */
import { type SubmitEvent, useState } from 'react';
import { Button, Dialog, Field, focusNext } from '../../look/mod.ts';
import { anchored, put, remove, removeAll, TEXT_MAX } from '../../model/drawing-board.ts';
import type { Drawing } from '../../model/drawings.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { DrawingHand } from './drawing-hand.ts';

interface DrawingListProps {
  readonly hand: DrawingHand;
  readonly onClose: () => void;
}

export function DrawingList({ hand, onClose }: DrawingListProps) {
  const { chart, look } = useTexts();
  const { drawings } = useStore(hand.board);
  return (
    <Dialog title={chart.drawings} onClose={onClose}>
      <div className="stack indicator-dialog">
        {drawings.length === 0 ? <p className="remark">{look.nothing}</p> : null}
        {drawings.map((drawing) => (
          <ListedDrawing key={drawing.id} {...{ hand, drawing, onClose }} />
        ))}
        {drawings.length === 0 ? null : (
          <Button onClick={() => hand.board.set(removeAll)}>{chart.removeAll}</Button>
        )}
      </div>
    </Dialog>
  );
}

interface ListedDrawingProps extends DrawingListProps {
  readonly drawing: Drawing;
}

function ListedDrawing({ hand, drawing, onClose }: ListedDrawingProps) {
  const { chart } = useTexts();
  const name = drawing.text === '' ? chart.tools[drawing.tool] : drawing.text;
  const select = (): void => {
    hand.select(drawing.id);
    onClose();
    focusNext('.chart-canvas');
  };
  return (
    <fieldset className="indicator-chosen">
      <legend className="only-read-out">{name}</legend>
      <span className="indicator-name">{name}</span>
      {drawing.anchors.map((anchor, at) => {
        const label = chart.pointPrice(at + 1);
        const move = (price: number): void =>
          hand.board.set((board) => put(board, anchored(drawing, at, { ...anchor, price })));
        return (
          <PriceField
            key={`${label} ${anchor.price}`}
            label={label}
            price={anchor.price}
            onPrice={move}
          />
        );
      })}
      <Button tone="quiet" onClick={select}>
        {chart.select}
      </Button>
      <Button
        tone="quiet"
        aria-label={chart.removeNamed(name)}
        onClick={() => hand.board.set((board) => remove(board, drawing.id))}
      >
        ✕
      </Button>
    </fieldset>
  );
}

interface PriceFieldProps {
  readonly label: string;
  readonly price: number;
  readonly onPrice: (price: number) => void;
}

/** Takes effect with Enter. */
function PriceField({ label, price, onPrice }: PriceFieldProps) {
  const [typed, setTyped] = useState(String(price));
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const value = Number(typed);
    if (typed.trim() !== '' && Number.isFinite(value)) onPrice(value);
  };
  return (
    <form onSubmit={submit}>
      <Field label={label} value={typed} isNumber onValue={setTyped} />
    </form>
  );
}

/** Asks for the words of a text that was put on the chart. */
export function TextQuestion({ hand }: { readonly hand: DrawingHand }) {
  const { asked } = useStore(hand.state);
  return asked === undefined ? null : <TextDialog key={asked.id} hand={hand} />;
}

function TextDialog({ hand }: { readonly hand: DrawingHand }) {
  const { chart, look } = useTexts();
  const [text, setText] = useState('');
  const answer = (words: string | undefined): void => {
    hand.answer(words);
    focusNext('.chart-canvas');
  };
  return (
    <Dialog title={chart.tools.text} onClose={() => answer(undefined)}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          answer(text.slice(0, TEXT_MAX));
        }}
      >
        <Field label={chart.textLabel} value={text} onValue={setText} />
        <Button type="submit" tone="main" isWide>
          {look.confirm}
        </Button>
      </form>
    </Dialog>
  );
}
