/** Positions of every contract, with their profit at the mark price and what to do to them. */
import { useMemo, useState } from 'react';
import { Button, type Column, directionOf, Figure, Table } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { type RiskLevel, riskOf } from '../../model/notices.ts';
import { type Position, returnOf } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { instruments } from '../context.ts';
import { account } from './account-state.ts';
import { CloseDialog } from './close-dialog.tsx';
import { ExitsDialog } from './exits-dialog.tsx';
import { moneyOf, priceOf, ratioText, sizeOf } from './formats.ts';
import type { Held } from './held.ts';
import { MarginDialog } from './margin-dialog.tsx';
import { MarketLink } from './order-columns.tsx';
import { Pane } from './pane.tsx';
import { usePermissions } from './permissions.ts';
import { CloseAll, ReverseQuestion } from './position-questions.tsx';
import { terms } from './terms.ts';

export function Positions() {
  const { layout, trade } = useTexts();
  const held = useHeld();
  const count = useStore(account.positions)?.length ?? 0;
  return (
    <Pane aside={<CloseAll count={count} />}>
      <Table
        label={layout.positions}
        columns={positionColumns(trade)}
        rows={held}
        keyOf={({ position: { symbol, side } }) => `${symbol}.${side}`}
        empty={trade.noPositions}
      />
    </Pane>
  );
}

/** Undefined until positions, markets and terms are known. */
function useHeld(): readonly Held[] | undefined {
  const positions = useStore(account.positions);
  const { contracts } = useStore(terms);
  const all = useStore(instruments);
  return useMemo(() => {
    if (positions === undefined || contracts.size === 0) return undefined;
    const bySymbol = new Map(all.map((each) => [each.symbol, each]));
    return positions.flatMap((position) => {
      const contract = contracts.get(position.symbol);
      const instrument = bySymbol.get(position.symbol);
      if (contract === undefined || instrument === undefined) return [];
      return [{ position, contract, instrument }];
    });
  }, [positions, contracts, all]);
}

function positionColumns(trade: Texts['trade']): readonly Column<Held>[] {
  return [
    {
      name: 'market',
      title: trade.market,
      cell: ({ position }) => <MarketLink symbol={position.symbol} trade={trade} />,
    },
    {
      name: 'side',
      title: trade.action,
      cell: ({ position }) => <SideWord position={position} trade={trade} />,
    },
    {
      name: 'size',
      title: trade.size,
      isNumber: true,
      cell: ({ position: { size, symbol } }) => sizeOf(size, symbol),
    },
    {
      name: 'entry',
      title: trade.entry,
      isNumber: true,
      cell: ({ position: { entry, symbol } }) => <Figure text={priceOf(entry, symbol)} />,
    },
    {
      name: 'mark',
      title: trade.mark,
      isNumber: true,
      cell: ({ position: { mark, symbol } }) => <Figure text={priceOf(mark, symbol)} />,
    },
    {
      name: 'liquidation',
      title: trade.liquidation,
      isNumber: true,
      cell: ({ position }) => <Figure text={priceOf(position.liquidation, position.symbol)} />,
    },
    {
      name: 'margin',
      title: trade.margin,
      isNumber: true,
      cell: ({ position: { margin }, contract: { marginCode } }) => (
        <Figure text={moneyOf(margin, marginCode)} unit={marginCode} />
      ),
    },
    {
      name: 'ratio',
      title: trade.marginRatio,
      isNumber: true,
      cell: ({ position }) => <Ratio position={position} trade={trade} />,
    },
    {
      name: 'unrealised',
      title: trade.unrealisedReturn,
      isNumber: true,
      cell: ({ position, contract }) => <Unrealised position={position} contract={contract} />,
    },
    {
      name: 'realised',
      title: trade.realisedShort,
      isNumber: true,
      cell: ({ position, contract }) => <Profit text={position.realizedPnl} of={contract} />,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{trade.closePosition}</span>,
      cell: (held) => <PositionActions held={held} />,
    },
  ];
}

interface WordProps {
  readonly position: Position;
  readonly trade: Texts['trade'];
}

function SideWord({ position, trade }: WordProps) {
  const { side, leverage, marginMode } = position;
  const tone = side === 'long' ? 'up' : 'down';
  return (
    <span>
      <span className={`direction-${tone}`}>{trade[side]}</span>{' '}
      <span className="unit">
        {trade.modes[marginMode]} {leverage}x
      </span>
    </span>
  );
}

const RISK_SIGNS: Readonly<Record<RiskLevel, string>> = { calm: '', watch: '▲ ', danger: '⚠ ' };

/** The ratio with a sign beside the colour when it is low. */
function Ratio({ position, trade }: WordProps) {
  const level = riskOf(position);
  const title = level === 'calm' ? undefined : trade.noticeRisk[level];
  return (
    <span className={`risk-${level}`} title={title}>
      {RISK_SIGNS[level]}
      {title === undefined ? null : <span className="only-read-out">{title} </span>}
      {ratioText(position.marginRatio)}
    </span>
  );
}

interface ProfitProps {
  readonly text: string;
  readonly of: TradedContract;
}

function Profit({ text, of: { marginCode } }: ProfitProps) {
  const shown = moneyOf(text, marginCode);
  return <Figure text={shown} direction={directionOf(shown)} />;
}

/** In money, and in per cent of the margin in use. */
function Unrealised({ position, contract }: Pick<Held, 'position' | 'contract'>) {
  const shown = moneyOf(position.unrealizedPnl, contract.marginCode);
  const share = returnOf(position);
  const percent = share === undefined ? '' : ` (${withSign(ratioText(share))})`;
  return <Figure text={`${shown}${percent}`} direction={directionOf(shown)} />;
}

/** A percentage with a plus in front of what is above zero. */
function withSign(percent: string): string {
  return directionOf(percent.slice(0, -1)) === 'up' ? `+${percent}` : percent;
}

function PositionActions({ held }: { readonly held: Held }) {
  const { trade } = useTexts();
  const { mayTrade } = usePermissions();
  const [open, setOpen] = useState<'close' | 'margin' | 'exits' | 'reverse' | undefined>();
  const shut = (): void => setOpen(undefined);
  return (
    <span className="row-actions">
      <Button tone="quiet" disabled={!mayTrade} onClick={() => setOpen('exits')}>
        {trade.tpSl}
      </Button>
      <Button tone="quiet" disabled={!mayTrade} onClick={() => setOpen('reverse')}>
        {trade.reverse}
      </Button>
      <Button tone="quiet" disabled={!mayTrade} onClick={() => setOpen('margin')}>
        {trade.adjustMargin}
      </Button>
      <Button tone="quiet" disabled={!mayTrade} onClick={() => setOpen('close')}>
        {trade.close}
      </Button>
      {open === 'close' ? <CloseDialog held={held} onClose={shut} /> : null}
      {open === 'margin' ? <MarginDialog held={held} onClose={shut} /> : null}
      {open === 'exits' ? <ExitsDialog held={held} onClose={shut} /> : null}
      {open === 'reverse' ? <ReverseQuestion held={held} onClose={shut} /> : null}
    </span>
  );
}
