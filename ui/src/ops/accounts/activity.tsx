/** What an account holds, does and has done: one table at a time, the past in pages. */
import { type ReactNode, useState } from 'react';
import type {
  ShownEntryRow,
  ShownFillRow,
  ShownOrderRow,
  ShownPositionRow,
  ShownTriggerRow,
} from '#dialects';
import { Button, type Column, Refusal, Select, Table, Tabs, Time } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useLoaded } from '../use-loaded.ts';

const EVERY_MS = 3_000;
const ROWS = 50;
const PRODUCTS = ['spot', 'contract'] as const;
type Product = (typeof PRODUCTS)[number];

type Kind = 'positions' | 'open' | 'triggers' | 'closed' | 'fills' | 'bills';
const KINDS: readonly Kind[] = ['positions', 'open', 'triggers', 'closed', 'fills', 'bills'];

interface OfAccount {
  /** The path of the account. */
  readonly path: string;
}

export function Activity({ path }: OfAccount) {
  const { activity } = useDeskTexts();
  const [chosen, setChosen] = useState<Kind>('positions');
  const panels: Readonly<Record<Kind, () => ReactNode>> = {
    positions: () => <Positions path={path} />,
    open: () => <Orders path={`${path}/open-orders`} />,
    triggers: () => <Triggers path={path} />,
    closed: () => <ClosedOrders path={path} />,
    fills: () => <Fills path={path} />,
    bills: () => <Bills path={path} />,
  };
  const tabs = KINDS.map((name) => ({ name, title: activity.tabs[name], panel: panels[name] }));
  return (
    <section className="panel section ops-activity">
      <Tabs label={activity.title} tabs={tabs} chosen={chosen} onChoose={setChosen} />
    </section>
  );
}

function number<Row>(name: string, title: string, cell: (row: Row) => string): Column<Row> {
  return { name, title, cell: (row) => grouped(cell(row)), isNumber: true };
}

function word<Row>(name: string, title: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { name, title, cell };
}

function time<Row extends { readonly cTime: string }>(title: string): Column<Row> {
  return word('time', title, ({ cTime }) => <Time at={Number(cTime)} />);
}

function Positions({ path }: OfAccount) {
  const { activity } = useDeskTexts();
  const { data, failure } = useLoaded<readonly ShownPositionRow[]>(`${path}/positions`, EVERY_MS);
  const columns: readonly Column<ShownPositionRow>[] = [
    word('market', activity.market, ({ contract }) => <strong>{contract}</strong>),
    word('side', activity.action, ({ side }) => activity.sides[side]),
    word('mode', activity.mode, ({ mode }) => activity.modes[mode]),
    number('size', activity.size, ({ size }) => size),
    number('entry', activity.entry, ({ entry }) => entry),
    number('liquidation', activity.liquidation, ({ liquidation }) => liquidation),
    number('leverage', activity.leverage, ({ leverage }) => String(leverage)),
    number('margin', activity.margin, ({ margin }) => margin),
    number('unrealized', activity.unrealized, ({ unrealizedPnl }) => unrealizedPnl),
    number('realized', activity.realized, ({ realizedPnl }) => realizedPnl),
    word('coin', activity.coin, ({ coin }) => coin),
  ];
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.positions}
        columns={columns}
        rows={data}
        keyOf={({ contract, side }) => `${contract} ${side}`}
        empty={activity.none}
      />
    </>
  );
}

function Triggers({ path }: OfAccount) {
  const { activity } = useDeskTexts();
  const { data, failure } = useLoaded<readonly ShownTriggerRow[]>(`${path}/triggers`, EVERY_MS);
  const columns: readonly Column<ShownTriggerRow>[] = [
    word('market', activity.market, ({ contract }) => <strong>{contract}</strong>),
    word('purpose', activity.purpose, ({ purpose }) => activity.purposes[purpose]),
    word('action', activity.action, ({ action }) => activity.actions[action]),
    number('trigger', activity.triggerPrice, ({ triggerPrice }) => triggerPrice),
    word('price', activity.price, ({ price }) => (price === '0' ? activity.atMarket : price)),
    word('size', activity.size, ({ size }) => (size === '0' ? activity.wholePosition : size)),
    time(activity.time),
  ];
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.triggers}
        columns={columns}
        rows={data}
        keyOf={({ orderId }) => orderId}
        empty={activity.none}
      />
    </>
  );
}

/** Open ones follow the venue; a page of the past is read once. */
function Orders({ path, isPast = false }: OfAccount & { readonly isPast?: boolean }) {
  const { activity } = useDeskTexts();
  const every = isPast ? 0 : EVERY_MS;
  const { data, failure } = useLoaded<readonly ShownOrderRow[]>(path, every);
  const columns: readonly Column<ShownOrderRow>[] = [
    word('market', activity.market, ({ market }) => <strong>{market}</strong>),
    word('action', activity.action, ({ action }) => activity.actions[action]),
    word('type', activity.type, ({ type }) => activity.types[type]),
    word('price', activity.price, ({ type, price }) =>
      type === 'market' ? activity.atMarket : grouped(price),
    ),
    number('size', activity.size, ({ size }) => size),
    number('filled', activity.filled, ({ filled }) => filled),
    number('average', activity.average, ({ average }) => average),
    word('status', activity.status, ({ status }) => activity.statuses[status]),
    time(activity.time),
    word('order', activity.order, ({ orderId }) => orderId),
  ];
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={isPast ? activity.tabs.closed : activity.tabs.open}
        columns={columns}
        rows={data?.slice(0, ROWS)}
        keyOf={({ orderId }) => orderId}
        empty={activity.none}
      />
    </>
  );
}

interface ProductProps {
  readonly product: Product;
  readonly onProduct: (product: Product) => void;
}

function ProductChoice({ product, onProduct }: ProductProps) {
  const { activity } = useDeskTexts();
  const choices = PRODUCTS.map((one) => [one, activity.products[one]] as const);
  return (
    <div className="ops-line">
      <Select label={activity.product} value={product} choices={choices} onValue={onProduct} />
    </div>
  );
}

interface PagerProps {
  readonly isFirst: boolean;
  readonly onNewest: () => void;
  /** Undefined when there is nothing older. */
  readonly onOlder: (() => void) | undefined;
}

function Pager({ isFirst, onNewest, onOlder }: PagerProps) {
  const { activity } = useDeskTexts();
  return (
    <nav className="pager" aria-label={activity.title}>
      <Button disabled={isFirst} onClick={onNewest}>
        {activity.newest}
      </Button>
      <Button disabled={onOlder === undefined} onClick={onOlder}>
        {activity.older}
      </Button>
    </nav>
  );
}

function ClosedOrders({ path }: OfAccount) {
  const [product, setProduct] = useState<Product>('spot');
  const [offset, setOffset] = useState(0);
  const query = `product=${product}&offset=${offset}&limit=${ROWS}`;
  const choose = (chosen: Product): void => {
    setProduct(chosen);
    setOffset(0);
  };
  return (
    <>
      <ProductChoice product={product} onProduct={choose} />
      <Orders path={`${path}/closed-orders?${query}`} isPast />
      <Pager
        isFirst={offset === 0}
        onNewest={() => setOffset(0)}
        onOlder={() => setOffset(offset + ROWS)}
      />
    </>
  );
}

function Fills({ path }: OfAccount) {
  const { activity } = useDeskTexts();
  const [before, setBefore] = useState('');
  const query = before === '' ? '' : `&before=${before}`;
  const { data, failure } = useLoaded<readonly ShownFillRow[]>(
    `${path}/fills?limit=${ROWS}${query}`,
    before === '' ? EVERY_MS : 0,
  );
  const columns: readonly Column<ShownFillRow>[] = [
    word('market', activity.market, ({ market }) => <strong>{market}</strong>),
    word('action', activity.action, ({ action }) => activity.actions[action]),
    word('role', activity.role, ({ role }) => activity.roles[role]),
    number('price', activity.price, ({ price }) => price),
    number('size', activity.size, ({ size }) => size),
    number('value', activity.value, ({ value }) => value),
    word('fee', activity.fee, ({ fee, feeCoin }) => `${grouped(fee)} ${feeCoin}`),
    time(activity.time),
    word('order', activity.order, ({ orderId }) => orderId),
  ];
  const last = data?.at(-1)?.tradeId;
  const hasMore = (data?.length ?? 0) >= ROWS && last !== undefined;
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.fills}
        columns={columns}
        rows={data}
        keyOf={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
        empty={activity.none}
      />
      <Pager
        isFirst={before === ''}
        onNewest={() => setBefore('')}
        onOlder={hasMore ? () => setBefore(last) : undefined}
      />
    </>
  );
}

function Bills({ path }: OfAccount) {
  const { activity } = useDeskTexts();
  const [product, setProduct] = useState<Product>('spot');
  const [before, setBefore] = useState<number>();
  const query = before === undefined ? '' : `&before=${before}`;
  const { data, failure } = useLoaded<readonly ShownEntryRow[]>(
    `${path}/bills?product=${product}&limit=${ROWS}${query}`,
    before === undefined ? EVERY_MS : 0,
  );
  const columns: readonly Column<ShownEntryRow>[] = [
    time(activity.time),
    word('wallet', activity.wallet, ({ wallet }) => wallet),
    word('coin', activity.coin, ({ coin }) => coin),
    word('kind', activity.kind, ({ kind }) => kind),
    word('market', activity.market, ({ market }) => market),
    number('amount', activity.amount, ({ amount }) => amount),
    number('fee', activity.fee, ({ fee }) => fee),
    number('balance', activity.balance, ({ balance }) => balance),
  ];
  const last = data?.at(-1)?.entryId;
  const hasMore = (data?.length ?? 0) >= ROWS && last !== undefined;
  const choose = (chosen: Product): void => {
    setProduct(chosen);
    setBefore(undefined);
  };
  return (
    <>
      <ProductChoice product={product} onProduct={choose} />
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.bills}
        columns={columns}
        rows={data}
        keyOf={({ entryId }) => String(entryId)}
        empty={activity.none}
      />
      <Pager
        isFirst={before === undefined}
        onNewest={() => setBefore(undefined)}
        onOlder={hasMore ? () => setBefore(last) : undefined}
      />
    </>
  );
}
