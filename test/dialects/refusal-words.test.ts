/** What refusals of the current interface say: the words a field takes, its bound, its fault. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import { CURRENT_CONTRACT_ENDPOINTS as CALLS } from '#dialects';
import { closedAtEnd } from '../support/at-end.ts';
import { SYMBOL } from '../support/current-desk.ts';
import { CurrentContractDesk, OPEN_LONG, OPEN_SHORT } from './current-contract-desk.ts';

const desk = await CurrentContractDesk.open();
closedAtEnd(desk.house);
const [ann, bob] = await desk.pair();
await desk.deal([bob, OPEN_SHORT], [ann, OPEN_LONG], '30000', '0.01');

const ORDER = {
  ...OPEN_LONG,
  symbol: SYMBOL,
  type: 'LIMIT',
  newClientOrderId: 'a',
  quantity: '0.001',
  price: '20000',
};
const TP_SL = { symbol: SYMBOL, positionSide: 'LONG', quantity: '0.001' };

const REFUSED: readonly (readonly [keyof typeof CALLS, object, number, RegExp])[] = [
  ['placeContractOrder', { ...ORDER, side: 'UP' }, -1117, /side 'UP', takes BUY, SELL$/],
  ['placeContractOrder', { ...ORDER, type: 'STOP' }, -1116, /type 'STOP', takes LIMIT, MARKET$/],
  [
    'placeContractOrder',
    { ...ORDER, timeInForce: 'GTX' },
    -1115,
    /timeInForce 'GTX', takes GTC, IOC, FOK, POST_ONLY$/,
  ],
  [
    'placeContractOrder',
    { ...ORDER, newClientOrderId: 'x'.repeat(37) },
    -1180,
    /newClientOrderId takes up to 36 of a-z A-Z 0-9 \. : \/ _ -: 'x+'$/,
  ],
  ['marginType', { symbol: SYMBOL, marginType: 'BOTH' }, -1142, /takes CROSSED, ISOLATED$/],
  ['contractLeverage', { symbol: SYMBOL, crossLeverage: 0 }, -3313, /from 1 to 100$/],
  ['contractLeverage', { symbol: SYMBOL, crossLeverage: '-3' }, -3313, /from 1 to 100$/],
  ['contractLeverage', { symbol: SYMBOL, crossLeverage: '9'.repeat(30) }, -3313, /from 1 to 100$/],
  ['contractLeverage', { symbol: SYMBOL, crossLeverage: 1.5 }, -1142, /not a whole number$/],
  [
    'placeTpSlOrder',
    { ...TP_SL, planType: 'STOP_LOSS', triggerPrice: '31000' },
    -1128,
    /[Ss]top-loss.*price/,
  ],
  [
    'placeTpSlOrder',
    { ...TP_SL, planType: 'TAKE_PROFIT', triggerPrice: '29000' },
    -1128,
    /[Tt]ake-profit.*price/,
  ],
  ['income', { startTime: '9999999999999999' }, -1142, /startTime .* time in milliseconds$/],
  ['income', { endTime: '17952356524530000000000' }, -1142, /endTime .* time in milliseconds$/],
  ['income', { limit: '0' }, -1140, /limit must be above zero$/],
];

for (const [name, fields, code, words] of REFUSED) {
  test(`${name} with ${JSON.stringify(fields).slice(0, 120)} says ${words.source}`, async () => {
    const refused = await desk.refusal(ann, CALLS[name], fields);
    assert.deepEqual(refused.slice(0, 2), [400, code], refused.join());
    assert.match(String(refused[2]), words);
  });
}

/** The words of a field that takes one of a list; undefined for any other field. */
function wordsOf(schema: TSchema): readonly string[] | undefined {
  const texts = Object(schema).anyOf?.flatMap((one: { enum?: readonly unknown[] }) =>
    (one.enum ?? []).filter((word) => typeof word === 'string'),
  );
  return texts === undefined || texts.length === 0 ? undefined : texts;
}

const LISTED = Object.entries(CALLS).flatMap(([name, { request, example, permission }]) =>
  Object.entries(request.properties).flatMap(([field, schema]) => {
    const words = permission === 'none' ? undefined : wordsOf(schema);
    return words === undefined ? [] : [{ name, field, words, asked: example.request }];
  }),
);

test('a word that is not taken is answered with the words that are documented', async () => {
  assert.ok(LISTED.length > 10);
  for (const { name, field, words, asked } of LISTED) {
    const call = CALLS[name as keyof typeof CALLS];
    const [, , said] = await desk.refusal(ann, call, { ...asked, [field]: 'nonsense' });
    const isNamed = String(said).endsWith(`takes ${words.join(', ')}`);
    assert.ok(isNamed || String(said).endsWith('is unknown'), `${name}: ${said}`);
  }
});
