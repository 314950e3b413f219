/**
 * What is put in place of every parameter, as the text of a JSON value, and what of it a call may
 * take all the same. A parameter that is not in the list of leniencies takes none of the values.
 */

/** Text of a JSON value. */
export type JsonText = string;

/** In front of the names of contract endpoints. */
export const CONTRACTS = 'swap.';

const NINES = '9'.repeat(400);
const LETTERS = 'a'.repeat(400);

/** Words and numbers as text: they go into bodies and into queries. */
export const BAD_WORDS: readonly string[] = [
  '0',
  '-1',
  '-0',
  '+1',
  '1e3',
  '1E-7',
  '1e400',
  '123456789012345678901234567890',
  NINES,
  `0.${NINES}`,
  '0.123456789012345678901',
  '0x10',
  ' 1',
  '1 ',
  '1,000',
  '.5',
  '5.',
  '1..2',
  '--1',
  'NaN',
  'Infinity',
  '-Infinity',
  'undefined',
  'null',
  'true',
  '\u0000',
  'a\u0000b',
  '\n',
  '\u0007',
  '\u007f',
  ' ',
  '日本語',
  '\u{1f600}',
  '\u200b',
  '\u202e',
  '\u0661',
  '\uff11',
  'BTCUSDT\u017f',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  "'; DROP TABLE orders; --",
  '"',
  '$(id)',
  '../../etc/passwd',
  '%00',
  '<script>',
  'XRPUSDT_SPBL',
  '_SPBL',
  '1000000000000000',
  '100000000000000x',
  '999999999999999999',
  LETTERS,
];

/** Values that only a JSON body can hold. */
const BAD_SHAPES: readonly JsonText[] = [
  '{}',
  '{"a":1}',
  '{"__proto__":{"x":1}}',
  '{"toString":"1"}',
  '[]',
  '[[]]',
  '[null]',
  '["x"]',
  '[{}]',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '1e3',
  '1e-7',
  '1e400',
  '-1e400',
  '123456789012345678901234567890',
  NINES,
  `0.${NINES}`,
  '"\\ud800"',
];

/** Every value for a field of a body. */
export const BAD_JSON: readonly JsonText[] = [
  ...BAD_SHAPES,
  ...BAD_WORDS.map((word) => JSON.stringify(word)),
];

/** What "not given" looks like. */
export const NOT_GIVEN: readonly JsonText[] = ['null', '""'];

/** Tells whether an endpoint may take this value: the text of a scalar, or else its shape. */
type Leniency = (text: string, shape: unknown) => boolean;

const anything: Leniency = () => true;
const anyText: Leniency = (text) => text !== '';
const clientId: Leniency = (text) => /^[!#-&(-_a-~]{1,40}$/.test(text);
const clientIdOfToday: Leniency = (text) => /^[.A-Z:/a-z0-9_-]{1,40}$/.test(text);
const whole: Leniency = (text) => /^[0-9]+$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
/** More than the maximum counts as the maximum. */
const pageSize: Leniency = (text) => /^[0-9]+$/.test(text) && Number(text) > 0;
const anyId: Leniency = (text) => /^[0-9]{1,64}$/.test(text);
const oneThousand: Leniency = (text) => text === '1000';
/** A coin may be called by the number of an id, and so large a quantity is one. */
const oneAndZeros: Leniency = (text) => /^10{3,15}$/.test(text);
const zero: Leniency = (text) => /^-?0$/.test(text);
/** Up to eight decimals, as every coin here has, and the operator may move any amount of it. */
const amount: Leniency = (text) => /^-?[0-9]{1,56}(\.[0-9]{1,8})?$/.test(text);
const aboveZero: Leniency = (text) => /^[0-9]{1,10}(\.[0-9]{1,8})?$/.test(text) && Number(text) > 0;
const flag: Leniency = (text, shape) => typeof shape === 'boolean' || text === 'true';
const emptyList: Leniency = (_text, shape) => Array.isArray(shape) && shape.length === 0;
const anyList: Leniency = (_text, shape) => Array.isArray(shape) && shape.length > 0;
const emptyObject: Leniency = (_text, shape) => JSON.stringify(shape) === '{}';
const coinCode: Leniency = (text) => /^[A-Za-z0-9]{2,16}$/.test(text);
const label: Leniency = (text) => /^[^\p{C}]{1,64}$/u.test(text);
const passphrase: Leniency = (text) => /^[!-~]{8,128}$/.test(text);
const name: Leniency = (text) => /^[A-Za-z0-9._-]{1,64}$/.test(text);

/** By endpoint and parameter, or by parameter alone. */
const LENIENCIES: Readonly<Record<string, Leniency>> = {
  limit: pageSize,
  clientOrderId: clientId,
  clientOid: clientId,
  'candles.after': whole,
  'candles.before': whole,
  'transferRecords.after': whole,
  'transferRecords.before': whole,
  // Any decimal id is a bound.
  after: anyId,
  before: anyId,
  offset: whole,
  'swap.orderHistory.pageIndex': pageSize,
  'swap.fundingHistory.pageIndex': pageSize,
  // An id that cannot be there has no rows, which is an answer.
  'fills.orderId': anyText,
  // Each item of a batch is answered for itself, and an id that is not there is left out.
  'placeBatch.orderList': anyList,
  'v1.placeOrders.orders': anyList,
  'v1.cancelOrders.ids': anyText,
  'cancelBatch.orderIds': (_text, shape) => Array.isArray(shape) && shape[0] === 'x',
  // Not read: an order id was given, or a spot wallet has no symbol.
  'cancelOrder.clientOrderId': anything,
  'moveOrder.clientOrderId': anything,
  'orderInfo.clientOrderId': anything,
  'transfer.fromSymbol': anything,
  // Text with an exponent is refused; a JSON number with one counts as its value.
  price: oneThousand,
  quantity: oneThousand,
  minQuantity: oneThousand,
  maxQuantity: oneThousand,
  'transfer.amount': aboveZero,
  'admin.accounts.after': whole,
  'admin.deposit.amount': amount,
  'admin.withdraw.amount': amount,
  'admin.transfer.amount': aboveZero,
  'admin.lock.amount': (text) => zero(text, text) || aboveZero(text, text),
  'admin.fundInsurance.coin': oneThousand,
  'admin.setOperatorLimit.coin': oneAndZeros,
  'admin.setOperatorLimit.amount': (text) =>
    zero(text, text) || /^[0-9]{1,40}(\.[0-9]{1,8})?$/.test(text),
  'admin.fundInsurance.amount': amount,
  'admin.reportIndex.price': (text) => zero(text, text) || oneThousand(text, text),
  'admin.liquidations.before': whole,
  // What is looked for in the log of operators may be any text.
  'admin.actions.who': anyText,
  'admin.actions.kind': anyText,
  'admin.actions.account': anyText,
  'admin.actions.text': anyText,
  'admin.actions.from': whole,
  'admin.actions.until': whole,
  'admin.actions.before': whole,
  'admin.actionsCsv.who': anyText,
  'admin.actionsCsv.kind': anyText,
  'admin.actionsCsv.account': anyText,
  'admin.actionsCsv.text': anyText,
  'admin.actionsCsv.from': whole,
  'admin.actionsCsv.until': whole,
  'admin.approvals.before': anyText,
  'sandbox.runClock.speed': oneThousand,
  'sandbox.stepClock.ms': oneThousand,
  'sandbox.jumpToFunding.beforeMs': whole,
  'sandbox.setIndex.price': (text) => zero(text, text) || oneThousand(text, text),
  'sandbox.credit.amount': amount,
  'sandbox.addFault.key': label,
  'sandbox.addFault.target': label,
  'sandbox.addFault.probability': zero,
  'sandbox.addFault.skip': whole,
  'sandbox.addFault.count': whole,
  'sandbox.addFault.seed': whole,
  // Only the coin of the margin is looked up.
  'admin.listContract.base': coinCode,
  // A linear contract may be so small that a tick of it is one unit of its margin coin.
  contractValue: (text) => /^[0-9]{1,40}(\.[0-9]{1,7})?$/.test(text) && Number(text) > 0,
  priceStep: oneThousand,
  quantityScale: zero,
  impactQuantity: oneAndZeros,
  fundingInterest: zero,
  fundingClamp: zero,
  fundingCap: zero,
  // The fund pays nothing: what a liquidation lacks is deleveraged.
  insuranceBudgetHour: zero,
  insuranceBudgetDay: zero,
  planOrdersMax: whole,
  presetsMax: whole,
  index: emptyObject,
  minNotional: amount,
  referencePrice: (text) => zero(text, text) || oneThousand(text, text),
  'admin.listSpot.priceBand': zero,
  'admin.updateSpot.priceBand': zero,
  takerFee: zero,
  makerFee: zero,
  name,
  frozen: flag,
  strictReplay: flag,
  expiresDays: oneThousand,
  openOrdersMax: whole,
  label,
  passphrase,
  ipAllowList: emptyList,
  // A coin may be called 1000, and once it is, pairs and contracts can be made of it.
  code: oneAndZeros,
  base: oneAndZeros,
  quote: oneAndZeros,
  coinId: whole,
  scale: zero,
  priceScale: zero,
  transferable: flag,
  chains: emptyList,
  // Contracts.
  client_oid: clientId,
  size: oneThousand,
  pageSize,
  trigger_price: oneThousand,
  execute_price: oneThousand,
  order_type: zero,
  match_price: zero,
  match_type: zero,
  createDate: zero,
  positionType: zero,
  append_type: zero,
  startTime: whole,
  endTime: whole,
  // Not read, because it has another name that outranks it.
  'swap.candles.start': anything,
  'swap.leverage.side': anything,
  'swap.autoMargin.side': anything,
  'swap.placeBatch.order_data': anything,
  'swap.placeOrder.presetStopLossPrice': oneThousand,
  'swap.placePlan.presetStopLossPrice': oneThousand,
  // Zero is a meaning of its own: at market, and all that is held.
  'swap.movePlan.execute_price': (text) => zero(text, text) || oneThousand(text, text),
  'swap.placePreset.execute_price': (text) => zero(text, text) || oneThousand(text, text),
  'swap.placePreset.size': (text) => zero(text, text) || oneThousand(text, text),
  'swap.openCount.amount': (text) => zero(text, text) || /^[0-9]{1,56}$/.test(text),
  'swap.adjustMargin.amount': aboveZero,
  // Each item of a batch is answered for itself, and so is an id that cannot be there.
  'swap.placeBatch.orderDataList': anyList,
  'swap.cancelBatch.ids': (_text, shape) => Array.isArray(shape) && shape[0] === 'x',
  'swap.cancelOrder.orderId': anyText,
  'swap.cancelPlan.orderId': anyText,
  'swap.fills.orderId': anyText,
  // The house's own.
  clientId,
  'v1.placeTrigger.stopLoss': oneThousand,
  'v1.fills.order': anyText,
  'v1.candles.from': whole,
  'v1.candles.to': whole,
  'v1.funding.from': whole,
  'v1.funding.to': whole,
  'v1.ledger.from': whole,
  'v1.ledger.to': whole,
  'v1.equity.from': whole,
  'v1.equity.to': whole,
  'v1.setMarginMode.separated': flag,
  'v1.setAutoMargin.autoMargin': flag,
  'v1.movePositionMargin.amount': aboveZero,
  'v1.transfer.amount': aboveZero,
  // The current interface.
  newClientOrderId: clientIdOfToday,
  page: pageSize,
  'v3.fundingBills.pageIndex': pageSize,
  beforeId: anyId,
  'v3.myTrades.orderId': anyId,
  'v3.placeBatch.orderList': anyList,
  triggerPrice: oneThousand,
  slTriggerPrice: oneThousand,
  reduceOnly: (text, shape) => typeof shape === 'boolean' || /^(true|false)$/.test(text),
  'capi.income.currency': anything,
  'capi.income.nextKeyId': whole,
  'capi.income.nextKeyTime': whole,
  'capi.autoAppendMargin.autoAppendMargin': flag,
  'capi.positionMargin.amount': aboveZero,
  // An order of the batch names its own contract, or is answered for itself.
  'capi.placeContractBatch.symbol': anyText,
  'capi.placeContractBatch.orderList': anyList,
  'capi.contractOpenOrders.orderId': anyId,
  'capi.contractOpenOrders.page': whole,
  'capi.contractOrderHistory.page': whole,
  'capi.userTrades.orderId': anyId,
  // Not read: at market there is no price.
  'capi.placeAlgoOrder.price': anything,
  'capi.placeTpSlOrder.executePrice': (text) => zero(text, text) || oneThousand(text, text),
  'capi.placeTpSlOrder.quantity': (text) => zero(text, text) || oneThousand(text, text),
  'capi.modifyTpSlOrder.executePrice': (text) => zero(text, text) || oneThousand(text, text),
  'capi.modifyAlgoOrder.price': (text) => zero(text, text) || oneThousand(text, text),
  'capi.modifyAlgoOrder.quantity': (text) => zero(text, text) || oneThousand(text, text),
};

/** Everything a contract parameter may be refused with; 40017 unless it is here. */
const CODES: Readonly<Record<string, RegExp>> = {
  symbol: /^(40017|40102)$/,
  coin: /^(40017|40034)$/,
  client_oid: /^(40017|40305|40500)$/,
  size: /^(40017|40108|43007)$/,
  'placeOrder.price': /^(40017|40706|40748|40749)$/,
  presetTakeProfitPrice: /^(40017|40706|40735)$/,
  presetStopLossPrice: /^(40017|40706)$/,
  trigger_price: /^(40017|40706)$/,
  execute_price: /^(40017|40706)$/,
  pageIndex: /^(40017|40303)$/,
  createDate: /^(40017|40705)$/,
  'candles.endTime': /^(40017|40707)$/,
  leverage: /^(40017|40020)$/,
  'adjustMargin.amount': /^(40017|40203|40711)$/,
  'orderDetail.orderId': /^(40017|40109)$/,
  'moveOrder.orderId': /^(40017|40109)$/,
  'movePlan.orderId': /^(40017|40109)$/,
  'movePlan.trigger_price': /^(40017|40706|40407)$/,
  'placePreset.size': /^(40017|40108|40717|43007)$/,
  'placePreset.trigger_price': /^(40017|40706|40736)$/,
  'moveOrder.price': /^(40017|40706|40748|40749)$/,
};

/** Whether a refusal of this parameter may have this code. Only contracts are this exact. */
export function isRightCode(endpointName: string, parameter: string, code: string): boolean {
  if (!endpointName.startsWith(CONTRACTS)) return true;
  const name = endpointName.slice(CONTRACTS.length);
  const codes = CODES[`${name}.${parameter}`] ?? CODES[parameter] ?? /^40017$/;
  return codes.test(code);
}

/** What a JSON number stands for, written out. */
const WRITTEN_OUT: Readonly<Record<JsonText, string>> = {
  '-0': '0',
  '1e3': '1000',
  '1e-7': '0.0000001',
  '1e400': `1${'0'.repeat(400)}`,
};

/** Whether an endpoint of this name may take the value as this parameter. */
export function isLenient(endpointName: string, parameter: string, value: JsonText): boolean {
  const leniency = LENIENCIES[`${endpointName}.${parameter}`] ?? LENIENCIES[parameter];
  const shape: unknown = JSON.parse(value);
  const text = typeof shape === 'number' ? (WRITTEN_OUT[value] ?? value) : shape;
  return leniency?.(typeof text === 'string' ? text : '', shape) ?? false;
}
