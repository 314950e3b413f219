/** What was acknowledged about plan orders against what a restarted server says is there. */
import assert from 'node:assert/strict';
import { field, type Row, rowsOf, type Trader } from '../support/http-trader.ts';
import type { OrderRecord, PlanTerms } from './record.ts';

const PAGE_ROWS = 100;
const WAITING = '1';
const CANCELLED = '4';

/** Checks one account's plan orders; what was unknown is settled afterwards. */
export async function comparePlans(
  trader: Trader,
  record: OrderRecord<PlanTerms>,
  symbols: readonly string[],
): Promise<void> {
  const byClientId = new Map<string, Row>();
  const ids = new Set<string>();
  for (const symbol of symbols) {
    const waiting = await readPlans(trader, symbol, 'currentPlan');
    const ended = await readPlans(trader, symbol, 'historyPlan');
    assert(waiting.every(({ status }) => status === WAITING));
    assert(ended.every(({ status }) => status !== WAITING));
    for (const plan of [...waiting, ...ended]) {
      const orderId = field(plan, 'order_id');
      assert(!ids.has(orderId), `plan ${orderId} is there twice`);
      ids.add(orderId);
      const clientId = field(plan, 'client_oid');
      // Others are take-profits and stop-losses, which the venue names.
      if (!clientId.startsWith('p-')) continue;
      assert(!byClientId.has(clientId), `plan ${clientId} is there twice`);
      record.termsOf(clientId);
      byClientId.set(clientId, plan);
    }
    for (const plan of ended) checkFinal(record, plan);
  }
  checkFates(record, byClientId);
  for (const orderId of record.shownOrders) assert(ids.has(orderId), `plan ${orderId} is lost`);
  for (const orderId of ids) record.shownOrders.add(orderId);
}

async function readPlans(trader: Trader, symbol: string, list: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const query = `symbol=${symbol}&pageIndex=${page}&pageSize=${PAGE_ROWS}`;
    const found = rowsOf(await trader.swapGet(`/order/${list}?${query}`));
    rows.push(...found);
    if (found.at(-1)?.nextPage !== 'true') return rows;
  }
}

/** Every acknowledged plan is there as it was sent; no refused one is; unknown ones may be. */
function checkFates(record: OrderRecord<PlanTerms>, byClientId: ReadonlyMap<string, Row>): void {
  record.open.length = 0;
  for (const [clientId, fate] of record.fates) {
    const plan = byClientId.get(clientId);
    if (fate.kind === 'placed') {
      assert(plan !== undefined, `plan ${clientId} ${fate.orderId} is lost`);
      assert.equal(plan.order_id, fate.orderId);
      if (record.cancelled.has(fate.orderId)) assert.equal(plan.status, CANCELLED, clientId);
    }
    if (fate.kind === 'absent') assert.equal(plan, undefined, 'it was never placed');
    if (plan === undefined) {
      record.absent(clientId);
      continue;
    }
    const { symbol, holdSide, size, trigger_price } = record.termsOf(clientId);
    const found = [plan.symbol, plan.direction, plan.delegate_count, plan.trigger_price];
    assert.deepEqual(found, [symbol, holdSide, size, trigger_price], clientId);
    record.found(clientId, field(plan, 'order_id'));
    if (plan.status === WAITING) record.open.push(field(plan, 'order_id'));
  }
}

/** A plan order that has fired, failed or been cancelled never changes. */
function checkFinal({ final }: OrderRecord<PlanTerms>, { nextPage: _page, ...plan }: Row): void {
  const name = `plan ${plan.order_id}`;
  const before = final.get(name);
  if (before !== undefined) assert.deepEqual(plan, before, name);
  final.set(name, plan);
}
