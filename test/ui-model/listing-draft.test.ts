/** New listings as they are typed: what may be sent, the request of it, and what a change does. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import {
  coinChangeLines,
  coinChanges,
  draftOfCoin,
  hasCoinFault,
  networkFault,
  withNetwork,
} from '../../ui/src/ops/instruments/coin-draft.ts';
import {
  changeLines,
  faultOf,
  firstDraft,
  LISTING_FIELDS,
  requestOf,
  tierFault,
} from '../../ui/src/ops/instruments/listing-draft.ts';

test('each field takes its kind and nothing else', () => {
  const rows = [
    ['coin', 'code', ['SOL', 'sol', 'A1'], ['', 'S', 'SO L', 'S'.repeat(17)]],
    ['coin', 'coinId', ['0', '42'], ['', '-1', '1.5', 'x']],
    ['pair', 'takerFee', ['0', '0.001', '0.000001'], ['', '1', '.1', '0.0000001', '-0.1']],
    ['pair', 'minQuantity', ['1', '0.0001'], ['', '1,5', '1e3', '-1']],
    ['pair', 'minNotional', ['', '5'], ['x']],
    ['contract', 'symbol', ['SOL-USDT-PERP', 'SOLUSDT-PERP'], ['', 'a b', 'SOL-USDT', '-PERP']],
  ] as const;
  for (const [listing, name, good, bad] of rows) {
    const field = LISTING_FIELDS[listing].find((one) => one.name === name);
    assert.ok(field !== undefined);
    for (const text of good) assert.equal(faultOf(field, { [name]: ` ${text} ` }), undefined, text);
    for (const text of bad) assert.equal(faultOf(field, { [name]: text }), field.kind, text);
  }
});

test('tiers are needed, and each is whole', () => {
  assert.equal(tierFault([['1000', '0.005', '50']]), false);
  for (const tiers of [[], [['1000', '', '50']], [['1000', '1', '50']], [['1000', '0.1', 'x']]]) {
    assert.equal(tierFault(tiers), true, JSON.stringify(tiers));
  }
});

test('a request has what was typed, trimmed, and leaves the rest to the venue', () => {
  const coin = { ...firstDraft('coin'), code: 'sol', coinId: ' 9 ' };
  assert.deepEqual(requestOf('coin', coin), { code: 'SOL', coinId: '9', scale: '8' });
  const contract = { symbol: 'SOL-USDT-PERP', kind: 'linear', takerFee: '' };
  assert.deepEqual(requestOf('contract', contract, [[' 10', '0.01', '20']]), {
    symbol: 'SOL-USDT-PERP',
    kind: 'linear',
    tiers: [{ contracts: '10', maintenanceRate: '0.01', maxLeverage: 20 }],
  });
});

test('a preview names every term that changes, as it is and as it will be', () => {
  const now = {
    takerFee: '0.001',
    tiers: [{ contracts: '10', maintenanceRate: '0.01', maxLeverage: 20 }],
    index: { staleSeconds: 60, sources: [{ spot: 'BTC-USDT', weight: 1 }] },
  };
  const changes = {
    takerFee: '0.0008',
    tiers: [{ contracts: '20', maintenanceRate: '0.02', maxLeverage: '10' }],
    index: { staleSeconds: '30', sources: [] },
  };
  const nameOf = (term: string) => (term === 'takerFee' ? 'Taker fee' : term);
  assert.deepEqual(changeLines(now, changes, nameOf), [
    'Taker fee: 0.001 → 0.0008',
    'tiers: 10 / 0.01 / 20 → 20 / 0.02 / 10',
    'staleSeconds: 60 → 30',
    'sources: BTC-USDT / 1 → –',
  ]);
  assert.deepEqual(changeLines(now, {}), []);
});

const ARB = {
  ...{ chain: 'ARB', needTag: false, withdrawable: true, rechargeable: true },
  ...{ withdrawFee: '1', minDepositAmount: '0', minWithdrawAmount: '5', browserUrl: '' },
  ...{ depositConfirm: 12, withdrawConfirm: 12 },
};
const BUDGET = { insuranceBudgetHour: '0.05', insuranceBudgetDay: '0.1' };
const USDT = { ...BUDGET, code: 'USDT', coinId: 2, scale: 4, transferable: true, chains: [ARB] };
const SAID = { added: (name: string) => `+${name}`, removed: (name: string) => `-${name}` };

test('only what was changed of a coin is sent, and is shown network by network', () => {
  const draft = draftOfCoin(USDT);
  assert.deepEqual(coinChanges(USDT, draft), {});
  const [first] = draft.networks;
  assert.ok(first !== undefined);
  const changed = { ...draft, transferable: false, networks: [{ ...first, withdrawFee: ' 0.8 ' }] };
  const changes = coinChanges(USDT, changed);
  assert.deepEqual(changes, { transferable: false, chains: [{ ...ARB, withdrawFee: '0.8' }] });
  assert.deepEqual(
    coinChangeLines(USDT, changes, (name) => name, SAID),
    ['transferable: true → false', 'ARB: withdrawFee: 1 → 0.8'],
  );
  const budget = coinChanges(USDT, { ...draft, insuranceBudgetDay: '0.2 ' });
  assert.deepEqual(budget, { insuranceBudgetDay: '0.2' });
  assert.deepEqual(
    coinChangeLines(USDT, budget, (name) => name, SAID),
    ['insuranceBudgetDay: 0.1 → 0.2'],
  );
  const renamed = coinChanges(USDT, { ...draft, networks: [{ ...first, chain: 'OP' }] });
  assert.deepEqual(coinChangeLines(USDT, renamed, (name) => name, SAID).slice(0, 2), [
    '-ARB',
    '+OP',
  ]);
});

test('a network has a name of its own, and no figure finer than the coin', () => {
  const two = withNetwork(draftOfCoin(USDT));
  const [first, second] = two.networks;
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(networkFault(USDT, two, second, 'chain'), 'network');
  const twice = { ...two, networks: [first, { ...second, chain: 'arb' }] };
  assert.equal(networkFault(USDT, twice, first, 'chain'), 'twice');
  const fine = { ...first, withdrawFee: '0.12345' };
  assert.equal(networkFault(USDT, two, fine, 'withdrawFee'), 'decimal');
  assert.equal(
    networkFault({ scale: 0 }, two, { ...first, withdrawFee: '0.1' }, 'withdrawFee'),
    'decimal',
  );
  assert.equal(
    networkFault(USDT, two, { ...first, depositConfirm: '' }, 'depositConfirm'),
    'whole',
  );
  assert.ok(hasCoinFault(USDT, two));
  assert.ok(hasCoinFault(USDT, { ...draftOfCoin(USDT), insuranceBudgetHour: '5' }));
  assert.ok(!hasCoinFault(USDT, draftOfCoin(USDT)));
});
