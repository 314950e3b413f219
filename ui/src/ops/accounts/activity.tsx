/** What an account holds, does and has done: one table at a time, the past in pages. */

import { type ReactNode, useState } from 'react';
import { admin, type Endpoint } from '#client';
import { Button, type Column, Refusal, Select, Table, Tabs, Time } from '../../look/mod.ts';
import { grouped } from '../../model/numbers.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { type Failure, useLoaded } from '../use-loaded.ts';

const EVERY_MS = 3_000;
const ROWS = 50;
const PRODUCTS = ['spot', 'contract'] as const;
type Product = (typeof PRODUCTS)[number];

type Kind = 'positions' | 'open' | 'triggers' | 'closed' | 'fills' | 'bills';
const KINDS: readonly Kind[] = ['positions', 'open', 'triggers', 'closed', 'fills', 'bills'];

interface OfAccount {
  readonly accountId: string;
}

export function Activity({ accountId }: OfAccount) {
  const { activity } = useDeskTexts();
  const [chosen, setChosen] = useState<Kind>('positions');
  const panels: Readonly<Record<Kind, () => ReactNode>> = {
    positions: () => <Positions accountId={accountId} />,
    open: () => <OpenOrders accountId={accountId} />,
    triggers: () => <Triggers accountId={accountId} />,
    closed: () => <ClosedOrders accountId={accountId} />,
    fills: () => <Fills accountId={accountId} />,
    bills: () => <Bills accountId={accountId} />,
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

function Positions({ accountId }: OfAccount) {
  const { activity } = useDeskTexts();
  const { data, failure } = useLoaded(admin.positions, { account: accountId }, EVERY_MS);
  const columns: readonly Column<admin.PositionsRow>[] = [
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

function Triggers({ accountId }: OfAccount) {
  const { activity } = useDeskTexts();
  const { data, failure } = useLoaded(admin.triggers, { account: accountId }, EVERY_MS);
  const columns: readonly Column<admin.TriggersRow>[] = [
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

/** The newest open ones follow the venue. */
function OpenOrders({ accountId }: OfAccount) {
  const { activity } = useDeskTexts();
  const pages = usePages(
    admin.openOrders,
    { account: accountId, limit: ROWS },
    ({ orderId }) => orderId,
    EVERY_MS,
  );
  return <Orders label={activity.tabs.open} {...pages} />;
}

interface OrdersProps extends PagerProps {
  readonly label: string;
  readonly rows: readonly admin.OpenOrdersRow[] | undefined;
  readonly failure: Failure | undefined;
}

function Orders({ label, rows, failure, ...pager }: OrdersProps) {
  const { activity } = useDeskTexts();
  const columns: readonly Column<admin.OpenOrdersRow>[] = [
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
        label={label}
        columns={columns}
        rows={rows}
        keyOf={({ orderId }) => orderId}
        empty={activity.none}
      />
      <Pager {...pager} />
    </>
  );
}

interface OfProduct extends OfAccount {
  readonly product: Product;
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

/** A list whose pages lie before one of its rows: the newest is read again, older ones once. */
function usePages<Input, Row>(
  endpoint: Endpoint<Input, readonly Row[]>,
  input: NoInfer<Input>,
  idOf: (row: NoInfer<Row>) => string,
  everyMs = 0,
) {
  const [before, onBefore] = useState('');
  const { data: rows, failure } = useLoaded(
    endpoint,
    before === '' ? input : { ...input, before },
    before === '' ? everyMs : 0,
  );
  const last = rows?.at(-1);
  const older = rows === undefined || rows.length < ROWS ? undefined : last && idOf(last);
  return { before, onBefore, older, rows, failure };
}

interface PagerProps {
  /** Empty on the newest page. */
  readonly before: string;
  /** Undefined when there is nothing older. */
  readonly older: string | undefined;
  readonly onBefore: (before: string) => void;
}

function Pager({ before, older, onBefore }: PagerProps) {
  const { activity } = useDeskTexts();
  return (
    <nav className="pager" aria-label={activity.title}>
      <Button disabled={before === ''} onClick={() => onBefore('')}>
        {activity.newest}
      </Button>
      <Button disabled={older === undefined} onClick={() => onBefore(older ?? '')}>
        {activity.older}
      </Button>
    </nav>
  );
}

function ClosedOrders({ accountId }: OfAccount) {
  const [product, setProduct] = useState<Product>('spot');
  return (
    <>
      <ProductChoice product={product} onProduct={setProduct} />
      <ClosedOrdersOf key={product} {...{ accountId, product }} />
    </>
  );
}

/** A page of the past is read once. */
function ClosedOrdersOf({ accountId, product }: OfProduct) {
  const { activity } = useDeskTexts();
  const asked = { account: accountId, product, limit: ROWS };
  const pages = usePages(admin.closedOrders, asked, ({ orderId }) => orderId);
  return <Orders label={activity.tabs.closed} {...pages} />;
}

function Fills({ accountId }: OfAccount) {
  const { activity } = useDeskTexts();
  const asked = { account: accountId, limit: ROWS };
  const { rows, failure, ...pager } = usePages(
    admin.fills,
    asked,
    ({ tradeId }) => tradeId,
    EVERY_MS,
  );
  const columns: readonly Column<admin.FillsRow>[] = [
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
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.fills}
        columns={columns}
        rows={rows}
        keyOf={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
        empty={activity.none}
      />
      <Pager {...pager} />
    </>
  );
}

function Bills({ accountId }: OfAccount) {
  const [product, setProduct] = useState<Product>('spot');
  return (
    <>
      <ProductChoice product={product} onProduct={setProduct} />
      <BillsOf key={product} {...{ accountId, product }} />
    </>
  );
}

function BillsOf({ accountId, product }: OfProduct) {
  const { activity } = useDeskTexts();
  const asked = { account: accountId, product, limit: ROWS };
  const { rows, failure, ...pager } = usePages(
    admin.bills,
    asked,
    ({ entryId }) => String(entryId),
    EVERY_MS,
  );
  const columns: readonly Column<admin.BillsRow>[] = [
    time(activity.time),
    word('wallet', activity.wallet, ({ wallet }) => wallet),
    word('coin', activity.coin, ({ coin }) => coin),
    word('kind', activity.kind, ({ kind }) => kind),
    word('market', activity.market, ({ market }) => market),
    number('amount', activity.amount, ({ amount }) => amount),
    number('fee', activity.fee, ({ fee }) => fee),
    number('balance', activity.balance, ({ balance }) => balance),
  ];
  return (
    <>
      <Refusal failure={failure} />
      <Table
        label={activity.tabs.bills}
        columns={columns}
        rows={rows}
        keyOf={({ entryId }) => String(entryId)}
        empty={activity.none}
      />
      <Pager {...pager} />
    </>
  );
}
