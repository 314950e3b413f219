/** The line above the panels while the layout is changed: presets, and which panels are shown. */
import { useEffect } from 'react';
import { Button, focusNext, useIsWide } from '../../look/mod.ts';
import {
  PANELS,
  type Panel,
  PRESETS,
  panelsOf,
  presetPlace,
  shown,
  without,
} from '../../model/panels.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { deskPlace, isArranging } from './desk-store.ts';

/** Opens and closes it. */
export function ArrangeButton() {
  const { arrange } = useTexts();
  const isOn = useStore(isArranging);
  return (
    <Button
      tone="quiet"
      data-opens="layout"
      aria-pressed={isOn}
      title={arrange.title}
      aria-label={arrange.title}
      onClick={() => isArranging.set(!isOn)}
    >
      <svg className="icon" viewBox="0 0 18 18" aria-hidden="true">
        <path d="M2 3h14v12H2zM11 3v12M2 10h9" />
      </svg>
    </Button>
  );
}

function finish(): void {
  isArranging.set(false);
  focusNext('[data-opens="layout"]');
}

export function ArrangeBar() {
  const { arrange } = useTexts();
  const isWide = useIsWide();
  const store = deskPlace(isWide);
  const place = useStore(store);
  const panels = panelsOf(place);
  useEscape(finish);
  const show = (panel: Panel, isShown: boolean): void => {
    const now = store.get();
    store.set(isShown ? shown(now, panel) : (without(now, panel) ?? now));
  };
  return (
    <section className="panel arrange-bar" aria-label={arrange.title}>
      <fieldset className="arrange-group">
        <legend className="only-read-out">{arrange.presets}</legend>
        {PRESETS.map((preset) => (
          <Button
            key={preset}
            aria-pressed={isSame(place, presetPlace(preset, isWide))}
            onClick={() => store.set(presetPlace(preset, isWide))}
          >
            {arrange.preset[preset]}
          </Button>
        ))}
      </fieldset>
      <fieldset className="arrange-group arrange-panels">
        <legend className="only-read-out">{arrange.shownPanels}</legend>
        {PANELS.map((panel) => (
          <label key={panel} className="check">
            <input
              type="checkbox"
              value={panel}
              checked={panels.includes(panel)}
              disabled={panels.length === 1 && panels.includes(panel)}
              onChange={(event) => show(panel, event.target.checked)}
            />
            <span>{arrange.panels[panel]}</span>
          </label>
        ))}
      </fieldset>
      <span className="arrange-help remark">{arrange.help}</span>
      <div className="arrange-group">
        <Button onClick={() => store.set(presetPlace('standard', isWide))}>{arrange.reset}</Button>
        <Button tone="main" onClick={finish}>
          {arrange.done}
        </Button>
      </div>
    </section>
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Outside of dialogs, which have an Esc of their own. */
function useEscape(onEscape: () => void): void {
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape' && document.querySelector('dialog[open]') === null) onEscape();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [onEscape]);
}
