/** Covers a panel while the layout is changed: dragged, or by its choices, it goes elsewhere. */
import { type PointerEvent, useState } from 'react';
import { Button, focusNext, Select } from '../../look/mod.ts';
import {
  type Aim,
  aimAt,
  moved,
  PANELS,
  type Panel,
  type Place,
  panelsOf,
  SIDES,
  swapped,
  without,
} from '../../model/panels.ts';
import { createStore, type Store, useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';

/** What a panel that is being dragged would do if it were dropped now. */
interface Target {
  readonly panel: Panel;
  readonly aim: Aim;
}

const target = createStore<Target | undefined>(undefined);
const AIMS: readonly Aim[] = [...SIDES, 'swap'];

interface HandleProps {
  readonly store: Store<Place>;
  readonly panel: Panel;
}

export function Handle({ store, panel }: HandleProps) {
  const { arrange } = useTexts();
  const aim = useStore(target, (now) => (now?.panel === panel ? now.aim : undefined));
  const drag = useDrag(store, panel);
  const isAlone = useStore(store) === panel;
  const hide = (): void => {
    store.set(without(store.get(), panel) ?? panel);
    focusNext(checkOf(panel));
  };
  return (
    <section
      className={aim === undefined ? 'handle' : `handle handle-${aim}`}
      data-panel={panel}
      aria-label={arrange.panels[panel]}
      {...drag}
    >
      <strong>{arrange.panels[panel]}</strong>
      {isAlone ? null : (
        <>
          <Mover store={store} panel={panel} />
          <Button onClick={hide}>{arrange.hide}</Button>
        </>
      )}
    </section>
  );
}

/** The check box that shows a panel again. */
function checkOf(panel: Panel): string {
  return `.arrange-panels [value="${panel}"]`;
}

function useDrag(store: Store<Place>, panel: Panel) {
  const [isHeld, setHeld] = useState(false);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target instanceof Element && event.target.closest('button, select') !== null)
        return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setHeld(true);
    },
    onPointerMove: (event: PointerEvent) => {
      if (isHeld) target.set(targetAt(event, panel));
    },
    onPointerUp: () => {
      const dropped = target.get();
      if (isHeld && dropped !== undefined) put(store, panel, dropped);
    },
    onLostPointerCapture: () => {
      setHeld(false);
      target.set(undefined);
    },
  };
}

/** The other panel below the pointer, and what a drop there would do. */
function targetAt({ clientX, clientY }: PointerEvent, held: Panel): Target | undefined {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    if (!(element instanceof HTMLElement) || !element.matches('.handle')) continue;
    const panel = PANELS.find((one) => one === element.dataset.panel);
    if (panel === undefined || panel === held) return undefined;
    return { panel, aim: aimAt(element.getBoundingClientRect(), clientX, clientY) };
  }
  return undefined;
}

function put(store: Store<Place>, panel: Panel, { panel: other, aim }: Target): void {
  const place = store.get();
  store.set(aim === 'swap' ? swapped(place, panel, other) : moved(place, panel, other, aim));
}

/** Moves a panel without a mouse: beside which other one, at which side. */
function Mover({ store, panel }: HandleProps) {
  const { arrange } = useTexts();
  const others = panelsOf(useStore(store)).filter((one) => one !== panel);
  const choices = others.flatMap((other) => AIMS.map((aim) => ({ panel: other, aim })));
  const [chosen, choose] = useState('');
  const found = choices.find((choice) => nameOf(choice) === chosen) ?? choices[0];
  if (found === undefined) return null;
  const move = (): void => {
    put(store, panel, found);
    focusNext(`.handle[data-panel="${panel}"] select`);
  };
  return (
    <div className="handle-mover">
      <Select
        label={arrange.moveTo(arrange.panels[panel])}
        isLabelHidden
        value={nameOf(found)}
        choices={choices.map((choice) => [nameOf(choice), wordsOf(choice, arrange)] as const)}
        onValue={choose}
      />
      <Button onClick={move}>{arrange.move}</Button>
    </div>
  );
}

function nameOf({ panel, aim }: Target): string {
  return `${aim} ${panel}`;
}

function wordsOf({ panel, aim }: Target, arrange: Texts['arrange']): string {
  return arrange.aims[aim](arrange.panels[panel]);
}
