/** Positions of every contract, with their profit at the mark price and what to do to them. */
import { useState } from 'react';
import { Button, type Column, directionOf, Figure, Table } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { type RiskLevel, riskOf } from '../../model/notices.ts';
import { heldSides, marginRatioOf, returnOf } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import type { Texts } from '../../texts/en.ts';
import { useTexts } from '../../texts/texts.ts';
import { type Instrument, instruments } from '../context.ts';
import { account } from './account-state.ts';
import { CloseDialog } from './close-dialog.tsx';
import { ExitsDialog } from './exits-dialog.tsx';
import { moneyOf, priceOf, ratioText, sizeOf } from './formats.ts';
import type { Held } from './held.ts';
import { MarginDialog } from './margin-dialog.tsx';
import { useMark } from './mark-feed.ts';
import { MarketLink } from './order-columns.tsx';
import { Pane } from './pane.tsx';
import { usePermissions } from './permissions.ts';
import { CloseAll, ReverseQuestion } from './position-questions.tsx';
import { terms } from './terms.ts';

export function Positions() {
  const { layout, trade } = useTexts();
  const held = useHeld();
  return (
    <Pane aside={<CloseAll held={held ?? []} />}>
      <Table
        label={layout.positions}
        columns={positionColumns(trade)}
        rows={held}
        keyOf={({ holding }) => `${holding.symbol}.${holding.side}`}
        empty={trade.noPositions}
      />
    </Pane>
  );
}

/** Undefined until positions, accounts and terms are known. */
function useHeld(): readonly Held[] | undefined {
  const pairs = useStore(account.positions);
  const rows = useStore(account.contracts);
  const { contracts } = useStore(terms);
  const all = useStore(instruments);
  if (pairs === undefined || rows === undefined) return undefined;
  return heldSides(pairs).flatMap((holding) => {
    const { symbol } = holding;
    const pair = pairs.find((each) => each.symbol === symbol);
    const row = rows.find((each) => each.symbol === symbol);
    const contract = contracts.get(symbol);
    const instrument = all.find((each) => each.symbol === symbol);
    if (pair === undefined || row === undefined) return [];
    if (contract === undefined || instrument === undefined) return [];
    return [{ holding, pair, row, contract, instrument }];
  });
}

function Mark({ instrument }: { readonly instrument: Instrument }) {
  return <Figure text={priceOf(useMark(instrument), instrument.symbol)} />;
}

function positionColumns(trade: Texts['trade']): readonly Column<Held>[] {
  return [
    {
      name: 'market',
      title: trade.market,
      cell: ({ holding }) => <MarketLink symbol={holding.symbol} trade={trade} />,
    },
    { name: 'side', title: trade.action, cell: (held) => <SideWord held={held} trade={trade} /> },
    {
      name: 'size',
      title: trade.size,
      isNumber: true,
      cell: ({ holding }) => sizeOf(holding.position, holding.symbol),
    },
    {
      name: 'entry',
      title: trade.entry,
      isNumber: true,
      cell: ({ holding }) => <Figure text={priceOf(holding.avg_cost, holding.symbol)} />,
    },
    {
      name: 'mark',
      title: trade.mark,
      isNumber: true,
      cell: ({ instrument }) => <Mark instrument={instrument} />,
    },
    {
      name: 'liquidation',
      title: trade.liquidation,
      isNumber: true,
      cell: ({ holding: { liquidation_price: price, symbol } }) => (
        <Figure text={priceOf(price, symbol)} />
      ),
    },
    {
      name: 'margin',
      title: trade.margin,
      isNumber: true,
      cell: ({ holding, contract: { marginCode } }) => (
        <Figure text={moneyOf(holding.margin, marginCode)} unit={marginCode} />
      ),
    },
    {
      name: 'ratio',
      title: trade.marginRatio,
      isNumber: true,
      cell: (held) => <Ratio held={held} trade={trade} />,
    },
    {
      name: 'unrealised',
      title: trade.unrealisedReturn,
      isNumber: true,
      cell: ({ holding, contract }) => <Unrealised holding={holding} contract={contract} />,
    },
    {
      name: 'realised',
      title: trade.realisedShort,
      isNumber: true,
      cell: ({ holding, contract }) => <Profit text={holding.realized_pnl} of={contract} />,
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{trade.closePosition}</span>,
      cell: (held) => <PositionActions held={held} />,
    },
  ];
}

interface WordProps {
  readonly held: Held;
  readonly trade: Texts['trade'];
}

function SideWord({ held: { holding, pair }, trade }: WordProps) {
  const { side, leverage } = holding;
  const tone = side === 'long' ? 'up' : 'down';
  return (
    <span>
      <span className={`direction-${tone}`}>{trade[side]}</span>{' '}
      <span className="unit">
        {trade.modes[pair.mode]} {leverage}x
      </span>
    </span>
  );
}

const RISK_SIGNS: Readonly<Record<RiskLevel, string>> = { calm: '', watch: '▲ ', danger: '⚠ ' };

/** The ratio with a sign beside the colour when it is low. */
function Ratio({ held: { holding, row, contract }, trade }: WordProps) {
  const level = riskOf(row, holding, contract.takerFeePpm);
  const title = level === 'calm' ? undefined : trade.noticeRisk[level];
  return (
    <span className={`risk-${level}`} title={title}>
      {RISK_SIGNS[level]}
      {title === undefined ? null : <span className="only-read-out">{title} </span>}
      {ratioText(marginRatioOf(row, holding.side))}
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
function Unrealised({ holding, contract }: Pick<Held, 'holding' | 'contract'>) {
  const shown = moneyOf(holding.unrealized_pnl, contract.marginCode);
  const share = returnOf(holding);
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
