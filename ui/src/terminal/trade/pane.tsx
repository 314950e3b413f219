/** The frame of a list of the account: a line of controls above, the table, more rows below. */
import type { ReactNode } from 'react';
import { Button, Skeleton } from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { loginFault } from '../../wire/stream.ts';
import { spotStream, swapStream } from '../../wire/streams.ts';
import type { Pages } from './use-pages.ts';

interface PaneProps {
  /** Stands on the left of the line above the table. */
  readonly controls?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Pane({ controls, aside, children }: PaneProps) {
  const { trade } = useTexts();
  const faults = [
    useStore(loginFault),
    useStore(spotStream.loginFault),
    useStore(swapStream.loginFault),
  ];
  const fault = faults.find((found) => found !== undefined);
  const hasLine = controls !== undefined || aside !== undefined;
  return (
    <div className="pane">
      {hasLine ? (
        <div className="pane-line">
          <div className="pane-controls">{controls}</div>
          <div className="pane-controls">{aside}</div>
        </div>
      ) : null}
      {fault === undefined ? null : (
        <p className="pane-fault fault" role="alert">
          {trade.streamRefused}: {fault}
        </p>
      )}
      <div className="pane-body">{children}</div>
    </div>
  );
}

interface PagedProps {
  readonly pages: Pages<unknown>;
  readonly children: ReactNode;
}

/** A table whose rows are read page by page. */
export function Paged({ pages, children }: PagedProps) {
  const { look, shell } = useTexts();
  const { rows, isBusy, hasMore, fault, more } = pages;
  return (
    <div className="paged">
      {rows === undefined && fault !== undefined ? null : children}
      {rows === undefined && fault === undefined && !isBusy ? <Skeleton lines={4} /> : null}
      {fault === undefined ? null : (
        <p className="pane-fault fault" role="alert">
          {fault} <Button onClick={more}>{shell.retry}</Button>
        </p>
      )}
      {hasMore && fault === undefined ? (
        <p className="paged-more">
          <Button isBusy={isBusy} onClick={more}>
            {look.loadMore}
          </Button>
        </p>
      ) : null}
    </div>
  );
}
