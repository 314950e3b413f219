/**
 * Gives every parameter of every endpoint of a table every kind of nonsense. The table says which
 * parameters there are, so a new one is attacked without a line here. Whatever comes: never a fault
 * of the server, a refusal as documented, and after a refusal not a bit of state has changed.
 */
import { strict as assert } from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { IsArray, IsNull, IsUnion } from 'typebox';
import { type Endpoint, readsQuery } from '#api';
import {
  CURRENT_CONTRACT_ENDPOINTS,
  CURRENT_SPOT_ENDPOINTS,
  NATIVE_ENDPOINTS,
  SWAP_ENDPOINTS,
} from '#dialects';
import type { Command } from '#domain';
import { accountSettings, assetSpec } from '../support/terms.ts';
import { ContractSite } from './bad-input-contracts.ts';
import { type Answer, assertRefusal, type Call, promisedData, Site } from './bad-input-site.ts';
import {
  BAD_JSON,
  BAD_WORDS,
  isLenient,
  isRightCode,
  type JsonText,
  NOT_GIVEN,
} from './bad-input-values.ts';

interface Row {
  readonly name: string;
  readonly endpoint: Endpoint;
}

type FieldTexts = Readonly<Record<string, JsonText>>;

/** A call that succeeds, in parts: bad values are put in place of one of them. */
interface Base {
  readonly path: Readonly<Record<string, string>>;
  readonly fields: FieldTexts;
}

let site: Site;
let contracts: ContractSite;
/** Part of every new name; a name is new until a call with it succeeds. */
let fresh = 0;

before(async () => {
  site = await Site.open();
  contracts = new ContractSite(site);
});
// What a test has left unproven is its own fault.
afterEach(() => site.prove());
after(() => site.close());

const { orderDataList } = Object(SWAP_ENDPOINTS.placeBatch.example.request);
const [CONTRACT_ITEM] = orderDataList;
const { orderList } = Object(CURRENT_SPOT_ENDPOINTS.placeBatch.example.request);
const [CURRENT_ITEM] = orderList;
const [OWN_ITEM] = Object(NATIVE_ENDPOINTS.placeOrders.example.request).orders;
const [CAPI_ITEM] = Object(CURRENT_CONTRACT_ENDPOINTS.placeContractBatch.example.request).orderList;

/** What the example of an endpoint needs to succeed here, again and again. */
const NEEDED: Readonly<Record<string, () => Promise<object>>> = {
  placeOrder: async () => ({ clientOrderId: `c${fresh}` }),
  cancelOrder: async () => ({ orderId: await site.restingOrder() }),
  moveOrder: async () => ({ orderId: await site.restingOrder() }),
  orderInfo: async () => ({ orderId: await site.restingOrder() }),
  fills: async () => ({ orderId: await site.restingOrder() }),
  cancelBatch: async () => ({ orderIds: [await site.restingOrder()] }),
  'admin.createAccount': async () => ({ name: `account${fresh}` }),
  'admin.listAsset': async () => ({ code: `COIN${fresh}`, coinId: 1_000 + fresh }),
  'admin.setOperatorLimit': async () => ({ coin: await coinWithoutLimit() }),
  'admin.listSpot': async () => ({ base: await newCoin() }),
  'admin.listContract': async () => ({ symbol: `C${fresh}-PERP` }),
  'swap.placeOrder': async () => ({ client_oid: `c${fresh}` }),
  'swap.placeBatch': async () => ({
    orderDataList: [{ ...CONTRACT_ITEM, client_oid: `c${fresh}` }],
  }),
  'swap.cancelOrder': async () => ({ orderId: await contracts.restingOrder() }),
  'swap.moveOrder': async () => ({ orderId: await contracts.restingOrder() }),
  'swap.cancelBatch': async () => ({ ids: [await contracts.restingOrder()] }),
  'swap.orderDetail': async () => ({ orderId: await contracts.restingOrder() }),
  'swap.fills': async () => ({ orderId: await contracts.restingOrder() }),
  'swap.placePlan': async () => ({ client_oid: `p${fresh}` }),
  'swap.cancelPlan': async () => ({ orderId: await contracts.waitingPlan() }),
  'swap.movePlan': async () => ({ orderId: await contracts.waitingPlan() }),
  'swap.placePreset': async () => {
    await contracts.holdNothingWaiting();
    return { client_oid: `t${fresh}` };
  },
  'swap.leverage': () => contracts.clear(),
  'swap.adjustMargin': () => contracts.hold(),
  'sandbox.jumpClock': async () => ({ time: (await venueMs()) + 1_000 }),
  'sandbox.addFault': async () => {
    await run({ kind: 'remove_faults', faultId: 0 });
    return {};
  },
  'swap.autoMargin': () => contracts.hold(),
  'swap.holdModel': () => contracts.hold(),
  'v1.setLeverage': () => contracts.clear(),
  'v1.setMarginMode': () => contracts.hold(),
  'v1.movePositionMargin': () => contracts.hold(),
  'v1.setAutoMargin': () => contracts.hold(),
  'v1.placeOrder': async () => ({ clientId: `n${fresh}` }),
  'v1.placeOrders': async () => ({ orders: [{ ...OWN_ITEM, clientId: `b${fresh}` }] }),
  'v1.placeTrigger': async () => ({ clientId: `t${fresh}` }),
  'v1.reversePosition': () => contracts.holdReversible(),
  'v3.placeOrder': async () => ({ newClientOrderId: `c${fresh}` }),
  'v3.placeBatch': async () => ({
    orderList: [{ ...CURRENT_ITEM, newClientOrderId: `c${fresh}` }],
  }),
  'v3.cancelOrder': async () => ({ orderId: await site.restingOrder() }),
  'v3.cancelBatch': async () => ({ orderIds: [await site.restingOrder()] }),
  'v3.moveOrder': async () => ({
    orderId: await site.restingOrder(),
    price: '100',
    quantity: '1',
  }),
  'v3.order': async () => ({ orderId: await site.restingOrder() }),
  'capi.placeContractOrder': async () => ({ newClientOrderId: `k${fresh}` }),
  'capi.placeContractBatch': async () => ({
    orderList: [{ ...CAPI_ITEM, newClientOrderId: `k${fresh}` }],
  }),
  'capi.moveContractOrder': async () => ({
    orderId: await contracts.restingOrder(),
    price: '20000',
    quantity: '0.1',
  }),
  'capi.cancelContractOrder': async () => ({ orderId: await contracts.restingOrder() }),
  'capi.cancelContractBatch': async () => ({ orderIdList: [await contracts.restingOrder()] }),
  'capi.contractOrder': async () => ({ orderId: await contracts.restingOrder() }),
  'capi.contractLeverage': () => contracts.clear(),
  'capi.marginType': async () => ({ marginType: await contracts.marginType() }),
  'capi.positionMargin': async () => ({ isolatedPositionId: await contracts.isolatedId() }),
  'capi.autoAppendMargin': async () => ({ positionId: await contracts.isolatedId() }),
  'capi.placeAlgoOrder': async () => {
    await contracts.hold();
    return { clientAlgoId: `g${fresh}` };
  },
  'capi.cancelAlgoOrder': async () => ({ orderId: await contracts.waitingPlan() }),
  'capi.placeTpSlOrder': async () => {
    await contracts.holdNothingWaiting();
    return { clientAlgoId: `t${fresh}` };
  },
  'capi.modifyTpSlOrder': async () => ({ orderId: await contracts.takeProfit() }),
  'capi.modifyAlgoOrder': async () => ({
    orderId: await contracts.takeProfit(),
    triggerPrice: '33500',
  }),
};

const made = new Map<string, string>();

/** Makes something once per new name, by a command to the venue. */
async function once(what: string, make: (name: string) => Promise<unknown>): Promise<string> {
  const name = `${what}${fresh}`;
  if (made.get(what) !== name) await make(name);
  made.set(what, name);
  return name;
}

async function run(command: Command): Promise<void> {
  const [first] = await site.submit(command);
  assert.ok(first?.kind !== 'refused', first?.kind === 'refused' ? first.reject : '');
}

let withoutLimit = 0;
async function coinWithoutLimit(): Promise<string> {
  withoutLimit += 1;
  const code = `LIM${withoutLimit}`;
  await run({ kind: 'list_asset', spec: assetSpec(50_000 + withoutLimit, code) });
  return code;
}

function newCoin(): Promise<string> {
  return once('BASE', (code) => {
    return run({ kind: 'list_asset', spec: assetSpec(1_000 + fresh, code) });
  });
}

function newAccount(): Promise<string> {
  return once('owner', (name) => run({ kind: 'create_account', settings: accountSettings(name) }));
}

async function newKey(): Promise<string> {
  const accountId = await site.accountId(await newAccount());
  const sealed = { sealed: 'sealed' };
  return once('key', (key) =>
    run({
      kind: 'create_key',
      record: { key, accountId, label: '', permissions: [], ipAllowList: [], ...sealed },
    }),
  );
}

function venueMs(): Promise<number> {
  return site.server.venue.read(({ timeMs }) => timeMs);
}

/** The only one, so that there is always room, and of this moment, so that nothing gets lost. */
async function newCheckpoint(): Promise<string> {
  const names = await site.server.venue.read(({ sandbox }) =>
    [...sandbox.checkpoints()].map(({ name }) => name),
  );
  for (const name of names) await run({ kind: 'drop_checkpoint', name });
  await run({ kind: 'save_checkpoint', name: 'kept' });
  return 'kept';
}

async function newFault(): Promise<string> {
  await run({ kind: 'remove_faults', faultId: 0 });
  const once = { skipCount: 0, hitsMax: 1, probabilityPpm: 0, seed: 0 };
  const everything = { label: '', key: '', target: '', effect: { kind: 'no_answer' } } as const;
  const [added] = await site.submit({
    kind: 'add_fault',
    rule: { ...everything, ...once },
  });
  assert.equal(added?.kind, 'fault_added');
  return added.kind === 'fault_added' ? String(added.rule.faultId) : '';
}

/** The parts of the path. What is changed there is nothing that the other endpoints need. */
async function pathOf({ name, endpoint }: Row): Promise<Record<string, string>> {
  const parts: Record<string, string> = {};
  for (const [, part = ''] of endpoint.path.matchAll(/:([a-zA-Z]+)/g)) {
    const isOwn = name === 'admin.createKey' || name === 'admin.updateAccount';
    const isContract = endpoint.path.includes('/contracts/');
    if (part === 'symbol') parts[part] = isContract ? 'BTC-USD-PERP' : 'ETH-BTC';
    else if (part === 'key') parts[part] = await newKey();
    else if (part === 'id' && endpoint.path.includes('/triggers/')) {
      parts[part] = await contracts.takeProfit();
    } else if (part === 'id') parts[part] = await site.restingOrder();
    else if (part === 'name') parts[part] = await newCheckpoint();
    else if (part === 'faultId') parts[part] = await newFault();
    else if (part === 'scenario') parts[part] = 'fat-finger';
    else if (part === 'coin') parts[part] = await newCoin();
    else parts[part] = isOwn ? await newAccount() : 'liquidity';
  }
  return parts;
}

async function baseOf(row: Row): Promise<Base> {
  const needed = (await NEEDED[row.name]?.()) ?? {};
  const fields = Object.entries({ ...row.endpoint.example.request, ...needed });
  return {
    path: await pathOf(row),
    fields: Object.fromEntries(fields.map(([name, value]) => [name, JSON.stringify(value)])),
  };
}

function callOf(endpoint: Endpoint, base: Base): Call {
  const { method, path } = endpoint;
  const filled = path.replace(/:([a-zA-Z]+)/g, (_all, part: string) => base.path[part] ?? '');
  const fields = Object.entries(base.fields);
  if (readsQuery(endpoint)) {
    const query = fields.map(([name, value]) => `${name}=${queryText(value)}`).join('&');
    return { method, target: query === '' ? filled : `${filled}?${query}` };
  }
  const body = `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
  return { method, target: filled, body, headers: { 'content-type': 'application/json' } };
}

function queryText(value: JsonText): string {
  return encodeURIComponent(String(JSON.parse(value)));
}

async function attack(row: Row, base: Base, what: string, mayBeTaken = true): Promise<Answer> {
  const { endpoint } = row;
  const call = callOf(endpoint, base);
  const answer = await site.attack(endpoint.permission, call, what, mayBeTaken);
  if (answer.status !== 200) return answer;
  promisedData(endpoint, answer, what);
  fresh += 1;
  return answer;
}

async function attackWith(row: Row, parameter: string, value: JsonText): Promise<void> {
  const base = await baseOf(row);
  const what = `${row.name} with ${parameter}=${value.slice(0, 60)}`;
  const fields = { ...base.fields, [parameter]: value };
  const mayBeTaken = isLenient(row.name, parameter, value);
  const answer = await attack(row, { ...base, fields }, what, mayBeTaken);
  if (answer.status === 200) assert.ok(mayBeTaken, `${what} was taken: ${answer.text}`);
  else assertRightCode(row, parameter, answer, what);
}

function assertRightCode(row: Row, parameter: string, answer: Answer, what: string): void {
  const code = assertRefusal(answer, what, row.endpoint.path);
  assert.ok(isRightCode(row.name, parameter, code), `${what}: ${answer.text}`);
}

/** Optional in the table, because another field decides whether it is needed. */
const NEEDED_HERE = [
  'placeOrder.price',
  'cancelOrder.orderId',
  'moveOrder.orderId',
  'orderInfo.orderId',
  'swap.placeOrder.price',
  'swap.placeBatch.orderDataList',
  'swap.placePlan.holdSide',
  'swap.placePlan.execute_price',
  'swap.placePreset.holdSide',
  'swap.autoMargin.holdSide',
  'v1.setLeverage.crossLeverage',
  'v1.placeOrder.price',
  'v1.placeOrder.size',
  'v1.placeTrigger.price',
  'v1.placeTrigger.size',
  'v3.placeOrder.price',
  'v3.cancelOrder.orderId',
  'v3.cancelBatch.orderIds',
  'v3.order.orderId',
  'v3.moveOrder.orderId',
  'capi.placeContractOrder.price',
  'capi.moveContractOrder.orderId',
  'capi.cancelContractOrder.orderId',
  'capi.cancelContractBatch.orderIdList',
  'capi.contractOrder.orderId',
  'capi.contractLeverage.crossLeverage',
  'capi.cancelAlgoOrder.orderId',
  'capi.modifyTpSlOrder.orderId',
  'capi.modifyAlgoOrder.orderId',
];

/** Whether a value that means "not given" must be fine. */
function mayBeLeftOut({ name, endpoint }: Row, parameter: string, value?: JsonText): boolean {
  const { request } = endpoint;
  if (NEEDED_HERE.includes(`${name}.${parameter}`)) return false;
  // A list is no scalar: an empty text is not an empty list.
  if (value === '""' && isList(request.properties[parameter])) return false;
  return !(request.required ?? []).includes(parameter);
}

async function attackWithout(row: Row, parameter: string, value?: JsonText): Promise<void> {
  const base = await baseOf(row);
  const { [parameter]: _, ...others } = base.fields;
  const fields = value === undefined ? others : { ...others, [parameter]: value };
  const what = `${row.name} with ${parameter}=${value}`;
  const mayBeTaken = mayBeLeftOut(row, parameter, value);
  const answer = await attack(row, { ...base, fields }, what, mayBeTaken);
  const shown = `${what}: ${answer.text.slice(0, 200)}`;
  assert.equal(answer.status === 200, mayBeTaken, shown);
  if (answer.status !== 200) assertRightCode(row, parameter, answer, what);
}

/**
 * Adds the tests of a table. Tables share names, so those of the operator's and of the contracts'
 * rows have a prefix.
 */
export function attackEvery(endpoints: Readonly<Record<string, Endpoint>>, prefix = ''): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const row = { name: `${prefix}${name}`, endpoint };
    describe(`${row.name}: ${endpoint.method} ${endpoint.path}`, () => attackRow(row));
  }
}

function attackRow(row: Row): void {
  const { endpoint } = row;
  test('its example succeeds', async () => {
    const answer = await attack(row, await baseOf(row), 'its example');
    promisedData(endpoint, answer, row.name);
  });
  for (const parameter of Object.keys(endpoint.request.properties)) {
    attackParameter(row, parameter);
    if (endpoint.method === 'PATCH') leaveAlone(row, parameter);
  }
  if (endpoint.permission !== 'operator') return;
  test('refuses a field it does not know, which may be a misspelt one that matters', async () => {
    const base = await baseOf(row);
    const fields = { ...base.fields, amuont: '"1"' };
    assert.equal((await attack(row, { ...base, fields }, 'a stranger')).status, 400);
  });
}

function attackParameter(row: Row, parameter: string): void {
  const isQuery = readsQuery(row.endpoint);
  test(`takes no nonsense as ${parameter}`, async () => {
    const values = isQuery ? BAD_WORDS.map((word) => JSON.stringify(word)) : BAD_JSON;
    for (const value of values) await attackWith(row, parameter, value);
  });

  test(`knows whether it needs ${parameter}`, async () => {
    for (const value of isQuery ? ['""'] : NOT_GIVEN) {
      await attackWithout(row, parameter, value);
    }
    await attackWithout(row, parameter);
  });
}

/** A list, or a list that may be null. */
function isList(schema: unknown): boolean {
  if (IsArray(schema)) return true;
  return IsUnion(schema) && schema.anyOf.every((one) => IsArray(one) || IsNull(one));
}

function leaveAlone(row: Row, parameter: string): void {
  test(`leaves ${parameter} as it is when it is empty`, async () => {
    const base = await baseOf(row);
    await attack(row, base, 'its example');
    const before = await site.fingerprint();
    const value = isList(row.endpoint.request.properties[parameter]) ? 'null' : '""';
    const empty = { path: base.path, fields: { [parameter]: value } };
    const answer = await attack(row, empty, `empty ${parameter}`);
    promisedData(row.endpoint, answer, parameter);
    assert.equal(await site.fingerprint(), before);
  });
}
