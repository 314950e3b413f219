/** What was acknowledged against what a restarted server says is there. */
import assert from 'node:assert/strict';
import { ask, asRow, dataOf, field, type Row } from '../support/http-trader.ts';
import { type AccountState, exact, readAccount } from './account.ts';
import { compareContracts, compareHoldings } from './contract-compare.ts';
import type { Side } from './load.ts';
import type { AccountRecord } from './record.ts';

/** Checks both accounts and the whole venue; what was unknown is settled afterwards. */
export async function compare(url: string, sides: readonly Side[]): Promise<void> {
  await Promise.all(
    sides.flatMap(({ trader, record }) => [
      readAccount(trader).then((state) => checkAccount(record, state)),
      compareContracts(trader, record.contracts),
    ]),
  );
  await compareHoldings(sides.map(({ trader }) => trader));
  const audit = asRow(dataOf(await ask(url, '/admin/v1/audit')));
  assert.equal(audit.balanced, 'true', JSON.stringify(audit));
}

function checkAccount(record: AccountRecord, state: AccountState): void {
  const orders = [...state.open, ...state.closed];
  const byId = uniqueBy(orders, 'orderId');
  const byClientId = uniqueBy(orders, 'clientOrderId');
  checkOrders(record, byClientId);
  checkCancels(record, state);
  checkFills(state, byId);
  checkShown(record, state, byId);
  checkFinal(record, state);
  checkTransfers(record, state);
  checkBalances(state);
  record.open.length = 0;
  record.open.push(...state.open.map((order) => field(order, 'orderId')));
}

function uniqueBy(rows: readonly Row[], name: string): Map<string, Row> {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const id = field(row, name);
    assert(!found.has(id), `${name} ${id} is there twice`);
    found.set(id, row);
  }
  return found;
}

/** Every acknowledged order is there as it was sent; no refused one is; unknown ones may be. */
function checkOrders(record: AccountRecord, byClientId: ReadonlyMap<string, Row>): void {
  for (const clientOrderId of byClientId.keys()) record.termsOf(clientOrderId);
  for (const [clientOrderId, fate] of record.fates) {
    const order = byClientId.get(clientOrderId);
    if (fate.kind === 'placed') {
      assert(order !== undefined, `order ${clientOrderId} ${fate.orderId} is lost`);
      assert.equal(order.orderId, fate.orderId);
    }
    if (fate.kind === 'absent') assert.equal(order, undefined, 'it was never placed');
    if (order === undefined) record.absent(clientOrderId);
    else {
      checkTerms(record, order);
      record.found(clientOrderId, field(order, 'orderId'));
    }
  }
}

function checkTerms(record: AccountRecord, order: Row): void {
  const { symbol, side, orderType, price, quantity } = record.termsOf(
    field(order, 'clientOrderId'),
  );
  const asked = { symbol, side, orderType, price, quantity };
  const found = Object.fromEntries(Object.keys(asked).map((name) => [name, order[name]]));
  assert.deepEqual(found, asked);
}

function checkCancels({ cancelled }: AccountRecord, { closed }: AccountState): void {
  const byId = uniqueBy(closed, 'orderId');
  for (const orderId of cancelled) {
    assert.equal(byId.get(orderId)?.status, 'cancelled', `cancel of ${orderId} is lost`);
  }
}

function checkFills({ fills }: AccountState, byId: ReadonlyMap<string, Row>): void {
  uniqueBy(fills, 'fillId');
  const filled = new Map<string, { quantity: bigint; total: bigint }>();
  for (const fill of fills) {
    const orderId = field(fill, 'orderId');
    assert(byId.has(orderId), `fill of an order that is not there: ${orderId}`);
    const sum = filled.get(orderId) ?? { quantity: 0n, total: 0n };
    sum.quantity += exact(fill, 'fillQuantity');
    sum.total += exact(fill, 'fillTotalAmount');
    filled.set(orderId, sum);
  }
  for (const [orderId, order] of byId) {
    const { quantity, total } = filled.get(orderId) ?? { quantity: 0n, total: 0n };
    assert.equal(exact(order, 'fillQuantity'), quantity, `fills of ${JSON.stringify(order)}`);
    assert.equal(exact(order, 'fillTotalAmount'), total, `fills of ${JSON.stringify(order)}`);
    if (order.orderType === 'limit' && order.status === 'full_fill') {
      assert.equal(quantity, exact(order, 'quantity'));
    }
  }
}

/** Nobody has seen what a crash then undid. */
function checkShown(
  record: AccountRecord,
  { fills }: AccountState,
  byId: ReadonlyMap<string, Row>,
): void {
  const fillIds = uniqueBy(fills, 'fillId');
  for (const orderId of record.shownOrders) assert(byId.has(orderId), `order ${orderId} is lost`);
  for (const fillId of record.shownFills) assert(fillIds.has(fillId), `fill ${fillId} is lost`);
}

function checkFinal({ final }: AccountRecord, { closed, fills }: AccountState): void {
  const rows = [
    ...closed.map((order) => [`order ${order.orderId}`, order] as const),
    ...fills.map((fill) => [`fill ${fill.fillId}`, fill] as const),
  ];
  const found = new Map<string, Row>(rows);
  for (const [name, before] of final) assert.deepEqual(found.get(name), before, name);
  for (const [name, row] of found) final.set(name, row);
}

function checkTransfers({ transfers: asked }: AccountRecord, { transfers }: AccountState): void {
  const byAmount = uniqueBy(transfers, 'amount');
  for (const amount of byAmount.keys()) assert(asked.has(amount), `nobody moved ${amount}`);
  for (const [amount, fate] of asked) {
    const isThere = byAmount.has(amount);
    if (fate === 'made') assert(isThere, `transfer of ${amount} is lost`);
    if (fate === 'absent') assert(!isThere, `transfer of ${amount} appeared later`);
    asked.set(amount, isThere ? 'made' : 'absent');
  }
}

/** Each bill starts where the one before it ended, and the last one ends at today's balance. */
function checkBalances({ bills, assets }: AccountState): void {
  uniqueBy(bills, 'billId');
  const balances = new Map<string, bigint>();
  for (const bill of bills.toReversed()) {
    const coin = field(bill, 'coinName');
    const before = exact(bill, 'balance');
    assert.equal(before, balances.get(coin) ?? 0n, `chain of ${JSON.stringify(bill)}`);
    balances.set(coin, before + exact(bill, 'quantity') - exact(bill, 'fees'));
  }
  for (const asset of assets) {
    const owned = exact(asset, 'available') + exact(asset, 'frozen') + exact(asset, 'lock');
    assert.equal(owned, balances.get(field(asset, 'coinName')) ?? 0n, JSON.stringify(asset));
    balances.delete(field(asset, 'coinName'));
  }
  assert.deepEqual([...balances], [], 'every coin with bills is an asset');
}
