/** The panels of a desk, in the rows and columns that the reader has chosen. */
import { type ComponentType, memo } from 'react';
import { Skeleton, useIsWide } from '../../look/mod.ts';
import {
  fillerOf,
  leastPixels,
  type Panel,
  type Path,
  type Place,
  panelsOf,
  type Split,
} from '../../model/panels.ts';
import { type Store, useStore } from '../../store/store.ts';
import { ArrangeBar } from './arrange-bar.tsx';
import { deskPlace, isArranging } from './desk-store.ts';
import { Divider } from './divider.tsx';
import { Handle } from './handle.tsx';

export type Contents = Readonly<Record<Panel, ComponentType>>;

interface DeskProps {
  readonly contents: Contents;
  /** The same panels in the same places while the markets are loaded: nothing moves after it. */
  readonly isWaiting: boolean;
}

export function Desk({ contents, isWaiting }: DeskProps) {
  const store = deskPlace(useIsWide());
  const place = useStore(store);
  const isChanging = useStore(isArranging);
  return (
    <>
      {isChanging ? <ArrangeBar /> : null}
      <div className="desk" aria-busy={isWaiting}>
        <PlaceView {...{ store, contents, isWaiting, isChanging, place }} path={[]} />
      </div>
    </>
  );
}

interface PlaceProps extends DeskProps {
  readonly store: Store<Place>;
  readonly isChanging: boolean;
  readonly place: Place;
  readonly path: Path;
}

function PlaceView({ place, path, ...rest }: PlaceProps) {
  if (typeof place === 'string') {
    const { contents, ...box } = rest;
    return <PanelBox {...box} panel={place} Content={contents[place]} />;
  }
  const filler = fillerOf(place);
  return (
    <div className={`split split-${place.axis}`}>
      {place.parts.map((part, at) => (
        <PartView
          key={panelsOf(part.place)[0]}
          {...{ ...rest, split: place, path, at }}
          isFiller={at === filler}
        />
      ))}
    </div>
  );
}

interface PartProps extends Omit<PlaceProps, 'place'> {
  readonly split: Split;
  readonly at: number;
  readonly isFiller: boolean;
}

function PartView({ split, at, isFiller, path, ...rest }: PartProps) {
  const part = split.parts[at];
  if (part === undefined) return null;
  const least = leastPixels(part.place, split.axis);
  const length = split.axis === 'row' ? { minWidth: least } : { minHeight: least };
  return (
    <>
      {at === 0 ? null : (
        <Divider store={rest.store} split={split} path={[...path, at - 1]} at={at - 1} />
      )}
      <div
        className={isFiller ? 'split-part split-filler' : 'split-part'}
        style={isFiller ? length : { ...length, flexBasis: part.pixels }}
      >
        <PlaceView {...rest} place={part.place} path={[...path, at]} />
      </div>
    </>
  );
}

interface PanelProps {
  readonly store: Store<Place>;
  readonly panel: Panel;
  readonly Content: ComponentType;
  readonly isWaiting: boolean;
  readonly isChanging: boolean;
}

const PanelBox = memo(function PanelBox(props: PanelProps) {
  const { store, panel, Content, isWaiting, isChanging } = props;
  return (
    <div className={`panel desk-panel desk-${panel}`}>
      <div className="desk-content" inert={isChanging}>
        {isWaiting ? <Skeleton lines={panel === 'account' ? 4 : 12} /> : <Content />}
      </div>
      {isChanging ? <Handle store={store} panel={panel} /> : null}
    </div>
  );
});
