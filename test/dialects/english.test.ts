/** What a refusal is about, in English: every shape, with exact figures and neutral symbols. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classicDialect, detailText, failureText } from '#dialects';
import {
  byFigure,
  coinFigure,
  contractsFigure,
  countFigure,
  type Detail,
  dueTo,
  inField,
  inRange,
  NO_DETAIL,
  needsCoin,
  ofCoin,
  ofId,
  ofMarket,
  priceFigure,
  type RejectKind,
  refuse,
} from '#domain';

const USDT = { code: 'USDT', scale: 8 };
const CONTRACT = { priceScale: 1, quantityScale: 3 };

const WORDED: readonly [detail: Detail, text: string][] = [
  [NO_DETAIL, ''],
  [byFigure('at_most', coinFigure({ code: 'BTC', scale: 4 }, 50_000)), 'at most 5 BTC'],
  [byFigure('at_least', contractsFigure(CONTRACT, 1)), 'at least 0.001'],
  [byFigure('at_most_of_account', countFigure(500)), 'at most 500 for this account'],
  [byFigure('at_most_of_position', countFigure(20)), 'the position allows at most 20'],
  [byFigure('at', priceFigure(CONTRACT, 290_005)), 'at 29000.5'],
  [byFigure('against', priceFigure(CONTRACT, 290_000)), '29000'],
  [byFigure('price_step', priceFigure(CONTRACT, 5)), 'prices go in steps of 0.5'],
  [byFigure('closable', contractsFigure(CONTRACT, 60_000)), '60 can be closed'],
  [needsCoin(USDT, 9_007_199_254_740_993n, 1n), 'needs 90071992.54740993 USDT, has 0.00000001'],
  [inRange('fault_probability', 0, 1_000_000, 6), 'probability must be from 0 to 1'],
  [inRange('leverage', 1, 125), 'from 1 to 125'],
  [
    { is: 'tier', size: contractsFigure(CONTRACT, 1_500), leverageMax: 20 },
    '1.5 contracts allow a leverage of 20',
  ],
  [inField('trigger_orders_max'), 'planOrdersMax'],
  [dueTo('venue_full'), 'venue full'],
  [ofMarket('BTC-USDT-PERP'), 'BTC-USDT-PERP'],
  [{ is: 'wallet_coin', wallet: 'BTC-USD-PERP', code: 'BTC' }, 'BTC-USD-PERP takes BTC'],
  [ofCoin('USDT'), 'USDT'],
  [ofId('ABC-PERP'), 'ABC-PERP'],
  [{ is: 'missing', parameter: 'price' }, 'price is required'],
  [{ is: 'text', text: "'x' is no id" }, "'x' is no id"],
];

for (const [detail, text] of WORDED) {
  test(`${detail.is}: ${text}`, () => assert.equal(detailText(detail), text));
}

const SPELLED: readonly [reject: RejectKind, detail: Detail, end: string][] = [
  ['market_halted', ofMarket('BTC-USDT'), ': BTCUSDT_SPBL'],
  ['contract_unknown', ofMarket('SHORT-PERP'), ': cmt_short'],
  [
    'transfer_route_invalid',
    { is: 'wallet_coin', wallet: 'BTC-USD-PERP', code: 'BTC' },
    ': cmt_btcusd takes BTC',
  ],
  ['client_order_id_in_use', ofId('BTC-USDT-PERP'), ': BTC-USDT-PERP'],
];

for (const [reject, detail, end] of SPELLED) {
  test(`${reject} in the classic spelling ends in ${end}`, () => {
    const { body } = classicDialect.frame.refusal(refuse(reject, detail), 0);
    assert.ok(JSON.parse(body).msg.endsWith(end), body);
  });
}

test('a suspension is worded for the operator', () => {
  const failure = { command: 'tick', failuresCount: 2, message: 'no balance falls below zero' };
  const text = 'tick has failed, 2 failures here in all: no balance falls below zero';
  assert.equal(failureText(failure), text);
});
