/** Tabs after the WAI-ARIA pattern: arrows, Home and End move, the panel follows at once. */
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

export interface Tab<Name extends string> {
  readonly name: Name;
  readonly title: ReactNode;
  readonly panel: () => ReactNode;
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Name>[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
  /** Stands at the end of the line of tabs. */
  readonly aside?: ReactNode;
}

/** Only the chosen panel exists: the others follow no streams and cost nothing. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, chosen, onChoose, aside } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const current = tabs.find(({ name }) => name === chosen) ?? tabs[0];
  const at = tabs.findIndex(({ name }) => name === current?.name);
  const move = (event: KeyboardEvent): void => {
    const next = nextTab(event.key, at, tabs.length);
    const tab = next === undefined ? undefined : tabs[next];
    if (tab === undefined || next === undefined) return;
    event.preventDefault();
    onChoose(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <section className="tabs" aria-label={label}>
      <div className="tabs-line">
        <div className="tabs-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              className="tab"
              id={`${id}-tab-${name}`}
              aria-selected={name === current?.name}
              aria-controls={`${id}-panel`}
              tabIndex={name === current?.name ? 0 : -1}
              onClick={() => onChoose(name)}
            >
              {title}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div
        className="tabs-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${current?.name}`}
        key={current?.name}
      >
        {current?.panel()}
      </div>
    </section>
  );
}

function nextTab(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
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
