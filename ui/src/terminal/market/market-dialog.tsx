/**
 * The list of markets: what is typed filters it, the arrows move in it, Enter chooses, Esc closes.
 * The focus stays in the search field; the row that Enter would take is the active one.
 */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { directionOf, Figure } from '../../look/mod.ts';
import { createKept } from '../../store/kept.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { instruments, select, tickers, useInstrument } from '../context.ts';
import { favourites } from './favourites.ts';
import {
  GROUPS,
  type Group,
  type MarketRow,
  marketRows,
  type Sorting,
  turnoverText,
} from './market-list.ts';
import { MarketStar } from './market-star.tsx';
import { MarketTitles, type TitlesProps } from './market-titles.tsx';
import { changeText, priceText } from './price-text.ts';
import { Segments } from './segments.tsx';
import { emptyText } from './watchlist.tsx';

const COLUMNS = ['name', 'last', 'change', 'turnover'] as const;
const chosenGroup = createKept<Group>('outcry.markets', GROUPS, 'all');

interface MarketDialogProps {
  readonly onClose: () => void;
}

export function MarketDialog({ onClose }: MarketDialogProps) {
  const { market } = useTexts();
  const dialog = useModal();
  const id = useId();
  const [search, setSearch] = useState('');
  const [sorting, setSorting] = useState<Sorting | undefined>();
  const group = useStore(chosenGroup);
  const rows = marketRows(useStore(instruments), useStore(tickers), useStore(favourites), {
    ...{ group, search, sorting },
  });
  const empty = emptyText(group, search, market);
  const choose = ({ instrument }: MarketRow): void => {
    select(instrument.symbol);
    onClose();
  };
  const { active, onKeyDown } = useActiveRow(rows, choose);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Esc
    <dialog
      className="markets"
      ref={dialog}
      aria-label={market.pick}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="markets-box">
        <input
          className="field-box markets-search"
          type="search"
          role="combobox"
          aria-label={market.search}
          aria-expanded="true"
          aria-haspopup="grid"
          aria-controls={`${id}-grid`}
          aria-activedescendant={active === undefined ? undefined : rowId(id, active)}
          placeholder={market.search}
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <Segments
          label={market.groups}
          value={group}
          onValue={chosenGroup.set}
          segments={GROUPS.map((choice) => ({ choice, title: market.group[choice] }))}
        />
        <Grid {...{ id, rows, active, sorting, empty }} onSorting={setSorting} onChoose={choose} />
      </div>
    </dialog>
  );
}

interface GridProps extends Omit<TitlesProps, 'columns'> {
  readonly id: string;
  readonly rows: readonly MarketRow[];
  readonly active: MarketRow | undefined;
  readonly empty: string;
  readonly onChoose: (row: MarketRow) => void;
}

function Grid({ id, rows, active, empty, sorting, onSorting, onChoose }: GridProps) {
  const { market } = useTexts();
  return (
    <div className="markets-rows">
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows are chosen */}
      <table className="table" role="grid" id={`${id}-grid`} aria-label={market.pick}>
        <MarketTitles columns={COLUMNS} sorting={sorting} onSorting={onSorting} />
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.instrument.symbol}
              id={rowId(id, row)}
              row={row}
              isActive={row === active}
              onChoose={() => onChoose(row)}
            />
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? <p className="empty">{empty}</p> : null}
    </div>
  );
}

function rowId(id: string, { instrument }: MarketRow): string {
  return `${id}-${instrument.symbol}`;
}

function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector('input')?.focus();
    return () => shown?.close();
  }, []);
  return dialog;
}

/** The row that Enter takes: what the arrows reached, else what is looked at, else the first. */
function useActiveRow(rows: readonly MarketRow[], choose: (row: MarketRow) => void) {
  const current = useInstrument()?.symbol;
  const [reached, reach] = useState(current);
  const found = rows.findIndex(({ instrument }) => instrument.symbol === reached);
  const at = Math.max(0, found);
  const active = rows[at];
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Enter' && active !== undefined) choose(active);
    else if (step !== 0) reach(rows[(at + step + rows.length) % rows.length]?.instrument.symbol);
    else return;
    event.preventDefault();
  };
  return { active, onKeyDown };
}

interface RowProps {
  readonly id: string;
  readonly row: MarketRow;
  readonly isActive: boolean;
  readonly onChoose: () => void;
}

function Row({ id, row, isActive, onChoose }: RowProps) {
  const { market } = useTexts();
  const { instrument, ticker } = row;
  const { title, kind, priceScale, quote } = instrument;
  return (
    <tr
      id={id}
      className={isActive ? 'markets-row markets-row-active' : 'markets-row'}
      aria-selected={isActive}
      onClick={onChoose}
    >
      <td className="markets-star">
        <MarketStar instrument={instrument} />
      </td>
      <td>
        {title} <span className="unit">{kind === 'spot' ? market.spot : market.contract}</span>
      </td>
      <td className="figure">
        <Figure text={ticker && priceText(ticker.last, priceScale)} />
      </td>
      <td className="figure">
        <Figure
          text={ticker && changeText(ticker.change, 2)}
          direction={directionOf(ticker?.change)}
        />
      </td>
      <td className="figure">
        <Figure text={ticker && turnoverText(ticker, instrument)} unit={quote} />
      </td>
    </tr>
  );
}
