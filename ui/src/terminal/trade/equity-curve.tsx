/** The equity of the last thirty days in one coin: a curve, its figures, and a row for each day. */
import { type ReactNode, useEffect, useState } from 'react';
import {
  type Column,
  directionOf,
  Fact,
  Figure,
  Skeleton,
  Table,
  useTimes,
} from '../../look/mod.ts';
import { drawnCurve, type EquityPoint, equityCurve, profitOf } from '../../model/equity.ts';
import { withSign } from '../../model/numbers.ts';
import { type PricedMarket, rateOf, valuationOf } from '../../model/valuation.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { venueNowMs } from '../../wire/clock.ts';
import { describeFailure } from '../../wire/failure.ts';
import { account } from './account-state.ts';
import { type EquityPast, readEquityPast } from './equity-source.ts';
import { moneyOf } from './formats.ts';
import { Pane } from './pane.tsx';
import { CoinChoice } from './total-value.tsx';
import { useMarkets, useOwned, useValueCoin } from './worth.ts';

interface ChoiceProps {
  readonly choice: ReactNode;
}

export function EquityCurve({ choice }: ChoiceProps) {
  const coin = useValueCoin();
  const { past, fault } = usePast(coin);
  return (
    <Pane controls={choice} aside={<CoinChoice />}>
      {fault === undefined ? null : (
        <p className="pane-fault fault" role="alert">
          {fault}
        </p>
      )}
      {past === undefined && fault === undefined ? <Skeleton lines={6} /> : null}
      {past === undefined ? null : <Curve past={past} coin={coin} />}
    </Pane>
  );
}

interface PastState {
  readonly past: EquityPast | undefined;
  readonly fault: string | undefined;
}

const NOTHING: PastState = { past: undefined, fault: undefined };

/** Read again for another coin, and after something may have been missed. */
function usePast(coin: string): PastState {
  const gaps = useStore(account.gaps);
  const [state, setState] = useState(NOTHING);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a gap changes what the venue answers
  useEffect(() => {
    let isOver = false;
    setState(NOTHING);
    readEquityPast(coin).then(
      (past) => (isOver ? undefined : setState({ past, fault: undefined })),
      (error: unknown) => {
        const { code, text } = describeFailure(error);
        if (!isOver) setState({ past: undefined, fault: `${code} ${text}` });
      },
    );
    return () => {
      isOver = true;
    };
  }, [coin, gaps]);
  return state;
}

/** The days, and what is owned at this moment as the last point. */
function usePoints({ rows, prices }: EquityPast, coin: string): readonly EquityPoint[] {
  const owned = useOwned();
  const markets: readonly PricedMarket[] = useMarkets();
  const days = equityCurve(rows, coin, prices);
  if (owned === undefined || days.length === 0) return days;
  const now = valuationOf(owned, (of) => rateOf(of, coin, markets));
  return [...days, { timeMs: venueNowMs(), ...now }];
}

interface CurveProps {
  readonly past: EquityPast;
  readonly coin: string;
}

function Curve({ past, coin }: CurveProps) {
  const { records } = useTexts();
  const points = usePoints(past, coin);
  if (points.length === 0) return <p className="empty">{records.noCurve}</p>;
  const { flows, prices } = past;
  const profit = flows && profitOf(points, flows, coin, prices);
  const unpriced = [...new Set(points.flatMap((point) => point.unpriced))];
  return (
    <div className="equity">
      <div className="equity-head">
        <Drawing points={points} coin={coin} />
        <Figures points={points} coin={coin} profit={profit} />
      </div>
      {unpriced.length === 0 ? null : (
        <p className="total-remark">{records.unpriced(unpriced.join(', '))}</p>
      )}
      <Days points={points} coin={coin} />
    </div>
  );
}

interface PointsProps {
  readonly points: readonly EquityPoint[];
  readonly coin: string;
}

const WIDTH = 600;
const HEIGHT = 120;
const EDGE = 4;

/** A curve without an axis: the figures beside it say what its ends are. */
function Drawing({ points, coin }: PointsProps) {
  const { records } = useTexts();
  const times = useTimes();
  const dateOf = (point: EquityPoint | undefined): string =>
    point === undefined ? '' : times.dateTime(point.timeMs).slice(0, 'yyyy-mm-dd'.length);
  const last = points.at(-1);
  const drawn = drawnCurve(points).map(({ x, y }) => {
    const at = {
      left: EDGE + x * (WIDTH - 2 * EDGE),
      top: HEIGHT - EDGE - y * (HEIGHT - 2 * EDGE),
    };
    return `${at.left.toFixed(1)},${at.top.toFixed(1)}`;
  });
  const total = `${moneyOf(last?.total ?? '0', coin)} ${coin}`;
  const isUp = Number(last?.total ?? 0) >= Number(points[0]?.total ?? 0);
  return (
    <svg
      className={`equity-drawing direction-${isUp ? 'up' : 'down'}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={records.equityOf(dateOf(points[0]), dateOf(last), total)}
    >
      <polyline points={drawn.join(' ')} />
    </svg>
  );
}

interface FiguresProps extends PointsProps {
  readonly profit: string | undefined;
}

function Figures({ points, coin, profit }: FiguresProps) {
  const { records, trade } = useTexts();
  const sorted = points.map(({ total }) => total).sort((one, other) => Number(one) - Number(other));
  const money = (text: string | undefined) => text && moneyOf(text, coin);
  return (
    <div className="equity-figures">
      <Fact label={trade.equity} text={money(points.at(-1)?.total)} unit={coin} />
      <Fact label={records.highest} text={money(sorted.at(-1))} unit={coin} />
      <Fact label={records.lowest} text={money(sorted[0])} unit={coin} />
      <div title={profit === undefined ? records.gainedUnknown : undefined}>
        <Fact
          label={records.gained}
          text={profit && withSign(moneyOf(profit, coin))}
          direction={directionOf(profit)}
          unit={coin}
        />
      </div>
    </div>
  );
}

function Days({ points, coin }: PointsProps) {
  const { records, trade } = useTexts();
  const times = useTimes();
  const now = points.at(-1);
  const columns: readonly Column<EquityPoint>[] = [
    {
      name: 'time',
      title: trade.time,
      cell: (point) => (point === now ? records.equityNow : times.dateTime(point.timeMs)),
    },
    {
      name: 'equity',
      title: trade.equity,
      isNumber: true,
      cell: ({ total }) => <Figure text={moneyOf(total, coin)} unit={coin} />,
    },
  ];
  return (
    <Table
      label={records.equityCurve}
      columns={columns}
      rows={[...points].reverse()}
      keyOf={({ timeMs }) => String(timeMs)}
    />
  );
}
