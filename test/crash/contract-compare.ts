/** What was acknowledged about contracts against what a restarted server says is there. */
import assert from 'node:assert/strict';
import { asRow, dataOf, field, type Row, rowsOf, type Trader } from '../support/http-trader.ts';
import { exact } from './account.ts';
import { CONTRACTS } from './contract-load.ts';
import { comparePlans } from './plan-compare.ts';
import type { ContractRecord, ContractTerms, OrderRecord } from './record.ts';

const PAGE_ROWS = 100;
/** Closed orders whose fills are read one by one. */
const FILLS_READ = 20;

/** Checks one account's orders and plan orders; what was unknown is settled afterwards. */
export async function compareContracts(trader: Trader, record: ContractRecord): Promise<void> {
  await comparePlans(trader, record.plans, CONTRACTS);
  const everywhere = (read: (symbol: string) => Promise<Row[]>) =>
    Promise.all(CONTRACTS.map(read)).then((rows) => rows.flat());
  const current = (symbol: string) => trader.swapGet(`/order/current?symbol=${symbol}`);
  const open = await everywhere(async (symbol) => rowsOf(await current(symbol)));
  const closed = await everywhere((symbol) => readHistory(trader, symbol));
  const byId = uniqueOrders([...open, ...closed], record);
  checkFates(record, new Map([...byId.values()].map((row) => [field(row, 'client_oid'), row])));
  for (const orderId of record.cancelled) {
    assert.equal(byId.get(orderId)?.status, '-1', `order ${orderId} is cancelled`);
  }
  for (const orderId of record.shownOrders) assert(byId.has(orderId), `order ${orderId} is lost`);
  for (const order of closed) checkFinal(record, order);
  await checkFills(trader, closed.filter((order) => order.filled_qty !== '0').slice(0, FILLS_READ));
  record.open.length = 0;
  record.open.push(
    ...open.map((order) => field(order, 'order_id')).filter((id) => isAsked(id, byId, record)),
  );
}

function isAsked(
  orderId: string,
  byId: ReadonlyMap<string, Row>,
  record: OrderRecord<ContractTerms>,
): boolean {
  return record.terms.has(byId.get(orderId)?.client_oid ?? '');
}

async function readHistory(trader: Trader, symbol: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const query = `symbol=${symbol}&pageIndex=${page}&pageSize=${PAGE_ROWS}&createDate=90`;
    const found = rowsOf(await trader.swapGet(`/order/history?${query}`));
    rows.push(...found);
    if (found.length < PAGE_ROWS) return rows;
  }
}

function uniqueOrders(rows: readonly Row[], record: OrderRecord<ContractTerms>): Map<string, Row> {
  const byId = new Map<string, Row>();
  const named = new Set<string>();
  for (const row of rows) {
    const orderId = field(row, 'order_id');
    const clientId = field(row, 'client_oid');
    assert(!byId.has(orderId), `order ${orderId} is there twice`);
    assert(!named.has(clientId), `order ${clientId} is there twice`);
    byId.set(orderId, row);
    named.add(clientId);
    // Others are the venue's: fired plan orders have ids that it made up.
    if (clientId.startsWith('c-')) record.termsOf(clientId);
  }
  return byId;
}

/** Every acknowledged order is there as it was sent; no refused one is; unknown ones may be. */
function checkFates(
  record: OrderRecord<ContractTerms>,
  byClientId: ReadonlyMap<string, Row>,
): void {
  for (const [clientId, fate] of record.fates) {
    const order = byClientId.get(clientId);
    if (fate.kind === 'placed') {
      assert(order !== undefined, `order ${clientId} ${fate.orderId} is lost`);
      assert.equal(order.order_id, fate.orderId);
    }
    if (fate.kind === 'absent') assert.equal(order, undefined, 'it was never placed');
    if (order === undefined) record.absent(clientId);
    else {
      const { symbol, type, size, price } = record.termsOf(clientId);
      const asSent = [symbol, type, size, price === '' ? 'null' : price];
      assert.deepEqual([order.symbol, order.type, order.size, order.price], asSent);
      record.found(clientId, field(order, 'order_id'));
    }
  }
}

/** A closed order never changes. */
function checkFinal({ final }: OrderRecord<ContractTerms>, order: Row): void {
  const name = `order ${order.order_id}`;
  const before = final.get(name);
  if (before !== undefined) assert.deepEqual(order, before, name);
  final.set(name, order);
}

async function checkFills(trader: Trader, orders: readonly Row[]): Promise<void> {
  const read = async (order: Row) => {
    const query = `symbol=${order.symbol}&orderId=${order.order_id}`;
    const fills = rowsOf(await trader.swapGet(`/order/fills?${query}`));
    const filled = fills.reduce((sum, fill) => sum + exact(fill, 'order_qty'), 0n);
    assert.equal(filled, exact(order, 'filled_qty'), `fills of ${order.order_id}`);
  };
  await Promise.all(orders.map(read));
}

/** Only these accounts trade: what they hold long together they hold short together. */
export async function compareHoldings(traders: readonly Trader[]): Promise<void> {
  for (const symbol of CONTRACTS) {
    let net = 0n;
    for (const trader of traders) {
      const answer = await trader.swapGet(`/position/singlePosition?symbol=${symbol}`);
      const data = dataOf(answer);
      assert(typeof data === 'object' && data !== null);
      const holding: unknown = Reflect.get(data, 'holding');
      assert(Array.isArray(holding) && holding.length === 2);
      for (const side of holding.map(asRow)) {
        net += side.holdSide === '1' ? exact(side, 'position') : -exact(side, 'position');
      }
    }
    assert.equal(net, 0n, `longs and shorts of ${symbol}`);
  }
}
