/** Contracts in a configuration file: what a short row means, and what is complained about. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { type ContractSpec, lots, ticks } from '#domain';
import { complaints, load } from '../support/config-file.ts';

/** What must be said and nothing else; the contract is in the lines 7 to 16. */
const SHORT = `assets:
  - { code: BTC, coinId: 1, scale: 8 }
  - { code: USDT, coinId: 2, scale: 8 }
spot: [{ symbol: BTC-USDT, base: BTC, quote: USDT, priceScale: 2, quantityScale: 4,
    minQuantity: "1", maxQuantity: "2", takerFee: "0", makerFee: "0" }]
contracts:
  - symbol: BTC-USDT-PERP
    kind: linear
    base: BTC
    quote: USDT
    contractValue: "0.001"
    priceScale: 1
    referencePrice: "30000"
    tiers:
      - { contracts: "1000", maintenanceRate: "0.005", maxLeverage: 50 }
      - { contracts: "5000", maintenanceRate: "0.01", maxLeverage: 20 }
`;

/** The same with a term more, in line 17. */
function saying(term: string): string {
  return `${SHORT}    ${term}\n`;
}

test('a short row is a whole contract: what it leaves out has a default', (context) => {
  assert.deepEqual(load(context, SHORT).contracts, [
    {
      symbol: 'BTC-USDT-PERP',
      kind: 'linear',
      baseCode: 'BTC',
      quoteCode: 'USDT',
      contractValue: '0.001',
      priceScale: 1,
      priceStepTicks: 1,
      quantityScale: 0,
      referencePriceTicks: 300_000,
      minLots: 1,
      maxLots: 5_000,
      takerFeePpm: 600,
      makerFeePpm: 400,
      status: 'online',
      leverageMin: 1,
      leverageMax: 50,
      tiers: [
        { contractsMax: 1_000, maintenanceRatePpm: 5_000, leverageMax: 50 },
        { contractsMax: 5_000, maintenanceRatePpm: 10_000, leverageMax: 20 },
      ],
      priceBandPpm: 50_000,
      markClampPpm: 30_000,
      openOrdersMax: 1_000,
      triggerOrdersMax: 100,
      tpSlMax: 100,
      fundingMinutes: [420, 900, 1_380],
      fundingInterestPpm: 100,
      fundingClampPpm: 500,
      fundingCapPpm: 3_750,
      impactLots: 1,
      indexSources: [],
      indexStaleMs: 60_000,
      indexOutlierPpm: 50_000,
      indexImpact: 1_000_000_000_000n,
      indexMovePpm: 500,
    },
  ]);
});

interface Term {
  readonly line: string;
  readonly means: Partial<ContractSpec>;
}

const TERMS: readonly Term[] = [
  { line: 'priceStep: "0.5"', means: { priceStepTicks: ticks(5) } },
  {
    line: 'quantityScale: 1',
    means: {
      quantityScale: 1,
      maxLots: lots(50_000),
      tiers: [
        { contractsMax: lots(10_000), maintenanceRatePpm: 5_000, leverageMax: 50 },
        { contractsMax: lots(50_000), maintenanceRatePpm: 10_000, leverageMax: 20 },
      ],
    },
  },
  { line: 'minQuantity: "10"', means: { minLots: lots(10), impactLots: lots(10) } },
  { line: 'maxQuantity: "700"', means: { maxLots: lots(700) } },
  { line: 'impactQuantity: "250"', means: { impactLots: lots(250) } },
  { line: 'takerFee: "0.0005"', means: { takerFeePpm: 500 } },
  { line: 'makerFee: "0"', means: { makerFeePpm: 0 } },
  { line: 'minLeverage: 2', means: { leverageMin: 2 } },
  { line: 'maxLeverage: 40', means: { leverageMax: 40 } },
  { line: 'priceBand: "0.5"', means: { priceBandPpm: 500_000 } },
  {
    line: 'index: { impactNotional: "2.5", maxMove: "0.001" }',
    means: { indexImpact: 250_000_000n, indexMovePpm: 1_000 },
  },
  {
    line: 'index: { impactNotional: "0", maxMove: "0" }',
    means: { indexImpact: 0n, indexMovePpm: 0 },
  },
  { line: 'markClamp: "0.01"', means: { markClampPpm: 10_000 } },
  { line: 'openOrdersMax: 7', means: { openOrdersMax: 7 } },
  { line: 'planOrdersMax: 8', means: { triggerOrdersMax: 8 } },
  { line: 'presetsMax: 9', means: { tpSlMax: 9 } },
  { line: 'fundingTimes: ["00:30", "23:59"]', means: { fundingMinutes: [30, 1_439] } },
  { line: 'fundingInterest: "0.0003"', means: { fundingInterestPpm: 300 } },
  { line: 'fundingClamp: "0.001"', means: { fundingClampPpm: 1_000 } },
  { line: 'fundingCap: "0.0075"', means: { fundingCapPpm: 7_500 } },
  { line: 'status: halt', means: { status: 'halt' } },
  {
    line: 'index: { sources: [{ spot: BTC-USDT, weight: 2 }, { feed: other }] }',
    means: {
      indexSources: [
        { kind: 'spot', symbol: 'BTC-USDT', weight: 2 },
        { kind: 'feed', name: 'other', weight: 1 },
      ],
    },
  },
  { line: 'index: { staleSeconds: 5 }', means: { indexStaleMs: 5_000 } },
  { line: 'index: { outlier: "0.1" }', means: { indexOutlierPpm: 100_000 } },
];

for (const { line, means } of TERMS) {
  test(`a term that is said: ${line}`, (context) => {
    const [short] = load(context, SHORT).contracts;
    const [contract] = load(context, saying(line)).contracts;
    assert.deepEqual(contract, { ...short, ...means });
  });
}

test('an inverse contract has its margin in the base coin: its quote is not listed', (context) => {
  const inverse = SHORT.replace('linear', 'inverse').replace('"0.001"', '"1"');
  const text = inverse.replace('quote: USDT\n    contr', 'quote: USD\n    contr');
  const [contract] = load(context, text).contracts;
  const { kind, baseCode, quoteCode } = contract ?? {};
  assert.deepEqual([kind, baseCode, quoteCode], ['inverse', 'BTC', 'USD']);
});

interface Wrong {
  readonly name: string;
  readonly text: string;
  readonly told: readonly string[];
}

const WRONG: readonly Wrong[] = [
  {
    name: 'a row that says too little',
    text: 'contracts:\n  - symbol: BTC-USDT-PERP\n',
    told: [
      '2: contracts[0]: missing kind, base, quote, contractValue, priceScale, tiers, ' +
        'referencePrice',
    ],
  },
  {
    name: 'a word nobody knows',
    text: saying('leverage: 20'),
    told: ['17: contracts[0].leverage: unknown key'],
  },
  {
    name: 'a word nobody knows inside a tier',
    text: SHORT.replace('maxLeverage: 20', 'maxLeverage: 20, fee: "1"'),
    told: ['16: contracts[0].tiers[1].fee: unknown key'],
  },
  {
    name: 'a symbol that clients would not take for a contract',
    text: SHORT.replace('BTC-USDT-PERP', 'BTCUSDT'),
    told: ['7: contracts[0].symbol: must match pattern "^[A-Z0-9-]{2,32}-PERP$"'],
  },
  {
    name: 'the same contract twice',
    text: `${SHORT}${SHORT.slice(SHORT.indexOf('  - symbol'))}`,
    told: ['17: contracts[1].symbol: BTC-USDT-PERP is there twice'],
  },
  {
    name: 'a kind that does not exist',
    text: SHORT.replace('linear', 'quanto'),
    told: ['8: contracts[0].kind: must be one of linear, inverse'],
  },
  {
    name: 'margin in a coin that is not listed',
    text: SHORT.replace('quote: USDT\n    c', 'quote: EUR\n    c'),
    told: ['10: contracts[0].quote: EUR is its margin coin and not among the assets'],
  },
  {
    name: 'margin of an inverse contract in a coin that is not listed',
    text: SHORT.replace('linear', 'inverse').replace('base: BTC\n    q', 'base: SOL\n    q'),
    told: ['9: contracts[0].base: SOL is its margin coin and not among the assets'],
  },
  {
    name: 'a coin priced in itself',
    text: SHORT.replace('base: BTC\n    quote: USDT', 'base: USDT\n    quote: USDT'),
    told: ['10: contracts[0].quote: is also the base'],
  },
  {
    name: 'a value that the margin coin cannot hold for every price',
    text: SHORT.replace('"0.001"', '"0.00000001"'),
    told: [
      '11: contracts[0].contractValue: is too fine for priceScale, quantityScale and the scale ' +
        'of its margin coin',
    ],
  },
  {
    name: 'a contract worth nothing',
    text: SHORT.replace('"0.001"', '"0"'),
    told: ['11: contracts[0].contractValue: must be above zero'],
  },
  {
    name: 'no price to begin with',
    text: SHORT.replace('"30000"', '"0"'),
    told: ['13: contracts[0].referencePrice: must be above zero'],
  },
  {
    name: 'a reference price finer than the contract',
    text: SHORT.replace('"30000"', '"30000.25"'),
    told: [
      '13: contracts[0].referencePrice: takes at most 1 decimal places',
      '13: contracts[0].referencePrice: must be above zero',
    ],
  },
  {
    name: 'a reference price around which no band is exact',
    text: SHORT.replace('"30000"', '"900719925474099.1"'),
    told: ['13: contracts[0].referencePrice: is too large'],
  },
  {
    name: 'a price step without quotes',
    text: saying('priceStep: 0.5'),
    told: ['17: contracts[0].priceStep: must be text: put the number in quotes'],
  },
  {
    name: 'a first price below the price step',
    text: saying('priceStep: "30000.5"'),
    told: ['13: contracts[0].referencePrice: is below priceStep'],
  },
  {
    name: 'a price step of nothing',
    text: saying('priceStep: "0"'),
    told: ['17: contracts[0].priceStep: must be above zero'],
  },
  {
    name: 'a smallest order above what the last tier lets a position hold',
    text: saying('minQuantity: "5001"'),
    told: ['17: contracts[0].minQuantity: is above maxQuantity'],
  },
  {
    name: 'an order of more than can be counted over all accounts',
    text: saying('maxQuantity: "9000000001"'),
    told: ['17: contracts[0].maxQuantity: must be at most 9000000000'],
  },
  {
    name: 'a tier of more than can be counted over all accounts',
    text: saying('quantityScale: 1').replace('contracts: "5000"', 'contracts: "900000000.1"'),
    told: ['16: contracts[0].tiers[1].contracts: must be at most 900000000'],
  },
  {
    name: 'a highest leverage that no tier allows',
    text: SHORT.concat('    maxLeverage: 60\n'),
    told: ['17: contracts[0].maxLeverage: is above what any tier allows'],
  },
  {
    name: 'an impact size of nothing',
    text: saying('impactQuantity: "0"'),
    told: ['17: contracts[0].impactQuantity: must be above zero'],
  },
  {
    name: 'no tier at all',
    text: `${SHORT.slice(0, SHORT.indexOf('tiers'))}tiers: []\n`,
    told: ['14: contracts[0].tiers: must not have fewer than 1 items'],
  },
  {
    name: 'tiers that do not climb',
    text: SHORT.replace(
      '{ contracts: "5000", maintenanceRate: "0.01", maxLeverage: 20 }',
      '{ contracts: "1000", maintenanceRate: "0.004", maxLeverage: 60 }',
    ),
    told: [
      '16: contracts[0].tiers[1].contracts: must be above the tier before it',
      '16: contracts[0].tiers[1].maintenanceRate: is below the tier before it',
      '16: contracts[0].tiers[1].maxLeverage: is above the tier before it',
    ],
  },
  {
    name: 'a tier that leaves nothing',
    text: SHORT.replace('"0.005"', '"0"'),
    told: ['15: contracts[0].tiers[0].maintenanceRate: must be above zero'],
  },
  {
    name: 'a tier whose positions would be liquidated as they open',
    text: SHORT.replace('"0.01"', '"0.0494"'),
    told: [
      '16: contracts[0].tiers[1].maxLeverage: 1 / maxLeverage must be above ' +
        'maintenanceRate + takerFee',
    ],
  },
  {
    name: 'a leverage that no client may ask for',
    text: saying('maxLeverage: 101'),
    told: ['17: contracts[0].maxLeverage: must be <= 100'],
  },
  {
    name: 'bounds of leverage that cross',
    text: saying('minLeverage: 51'),
    told: ['17: contracts[0].minLeverage: is above maxLeverage'],
  },
  {
    name: 'a band of everything',
    text: saying('priceBand: "1"'),
    told: ['17: contracts[0].priceBand: must be below 1 (1 is 100 %)'],
  },
  {
    name: 'bounds of nothing',
    text: `${saying('priceBand: "0"')}    markClamp: "0"\n    index: { outlier: "0" }\n`,
    told: [
      '17: contracts[0].priceBand: must be above zero',
      '18: contracts[0].markClamp: must be above zero',
      '19: contracts[0].index.outlier: must be above zero',
    ],
  },
  {
    name: 'a time that no clock shows',
    text: saying('fundingTimes: ["24:00"]'),
    told: [
      '17: contracts[0].fundingTimes[0]: must match pattern ' + '"^([01][0-9]|2[0-3]):[0-5][0-9]$"',
    ],
  },
  {
    name: 'a funding time twice',
    text: saying('fundingTimes: ["07:00", "07:00"]'),
    told: ['17: contracts[0].fundingTimes: must be in order, each once'],
  },
  {
    name: 'funding times out of order',
    text: saying('fundingTimes: ["15:00", "07:00"]'),
    told: ['17: contracts[0].fundingTimes: must be in order, each once'],
  },
  {
    name: 'an index from a pair that is not listed',
    text: saying('index: { sources: [{ spot: ETH-USDT }] }'),
    told: ['17: contracts[0].index.sources[0]: ETH-USDT is not a listed pair'],
  },
  {
    name: 'index sources that are no source, two at once, and there twice',
    text: saying('index: { sources: [{}, { spot: BTC-USDT, feed: a }, { feed: b }, { feed: b }] }'),
    told: [
      '17: contracts[0].index.sources[0]: takes either spot or feed',
      '17: contracts[0].index.sources[1]: takes either spot or feed',
      '17: contracts[0].index.sources[3]: b is there twice',
    ],
  },
  {
    name: "a feed under the operator's own name",
    text: saying('index: { sources: [{ feed: operator }] }'),
    told: ['17: contracts[0].index.sources[0]: operator is reserved'],
  },
  {
    name: 'a deposit into a wallet that takes another coin',
    text:
      `${SHORT}accounts:\n  - name: desk\n    deposits:\n` +
      '      - { wallet: BTC-USDT-PERP, coin: BTC, amount: "1" }\n' +
      '      - { wallet: savings, coin: BTC, amount: "1" }\n',
    told: [
      '20: accounts[0].deposits[0].wallet: takes USDT only',
      '21: accounts[0].deposits[1].wallet: is neither spot nor a contract',
    ],
  },
  {
    name: 'wallets of a kind that there is none of',
    text: `${SHORT}accounts: [{ name: desk, wallets: shared }]\n`,
    told: ['17: accounts[0].wallets: must be one of contract, coin'],
  },
  {
    name: 'the wallet of a coin in an account with a wallet per contract',
    text:
      `${SHORT}accounts:\n  - name: desk\n    wallets: contract\n    deposits:\n` +
      '      - { wallet: margin, coin: USDT, amount: "1" }\n',
    told: ['21: accounts[0].deposits[0].wallet: there is no such wallet of USDT here'],
  },
  {
    name: 'the wallet of a coin that no linear contract has its margin in',
    text:
      `${SHORT}accounts:\n  - name: desk\n    deposits:\n` +
      '      - { wallet: margin, coin: BTC, amount: "1" }\n',
    told: ['20: accounts[0].deposits[0].wallet: there is no such wallet of BTC here'],
  },
  {
    name: 'a ladder in parts of a contract',
    text:
      `${SHORT}accounts: [{ name: desk }]\nliquidity:\n  account: desk\n  ladders:\n` +
      '    - { symbol: BTC-USDT-PERP, levels: 3, spacing: "0.001", quantity: "1.5" }\n',
    told: ['21: liquidity.ladders[0].quantity: takes at most 0 decimal places'],
  },
];

for (const { name, text, told } of WRONG) {
  test(`refused with its place: ${name}`, (context) => {
    assert.deepEqual(complaints(context, text), told);
  });
}

/** Linear: a tick of a lot in margin units. Inverse: margin units times ticks of a lot. */
const EXACT: readonly (readonly [string, string, number, number, boolean])[] = [
  ['linear', '0.0000001', 1, 0, true],
  ['linear', '0.00000001', 1, 0, false],
  ['linear', '0.0000001', 1, 1, false],
  ['linear', '0.000001', 1, 1, true],
  ['linear', '0.0000001', 2, 0, false],
  ['linear', '1', 8, 0, true],
  ['linear', '1', 9, 0, false],
  ['linear', '10', 9, 0, true],
  ['inverse', '0.000000001', 1, 0, true],
  ['inverse', '0.0000000001', 1, 0, false],
  ['inverse', '0.000000001', 1, 1, false],
  ['inverse', '0.000000000000000001', 10, 0, true],
  ['inverse', '0.000000000000000001', 9, 0, false],
];

for (const [kind, value, priceScale, quantityScale, isExact] of EXACT) {
  const row = `${kind} ${value} at ${priceScale} and ${quantityScale} decimals`;
  test(`${row} is ${isExact ? 'exact' : 'too fine'}`, (context) => {
    const priced = SHORT.replace('priceScale: 1', `priceScale: ${priceScale}`);
    const text = priced.replace('linear', kind).replace('"0.001"', `"${value}"`);
    const told = complaints(context, `${text}    quantityScale: ${quantityScale}\n`);
    assert.equal(told.length, isExact ? 0 : 1, told.join());
    assert.match(told.join(), isExact ? /^$/ : /contractValue: is too fine/);
  });
}

test('terms at the very edge are taken', (context) => {
  const edge = SHORT.replace('"0.01"', '"0.049399"').replace('"0.001"', '"0.0000001"');
  assert.deepEqual(complaints(context, `${edge}    maxLeverage: 50\n`), []);
});

test('an account has a wallet per coin unless its row says otherwise', (context) => {
  const deposits = '[{ wallet: BTC-USDT-PERP, coin: USDT, amount: "1" }]';
  const { accounts } = load(
    context,
    `${SHORT}accounts:\n  - { name: new, deposits: ${deposits} }\n` +
      `  - { name: pooled, wallets: coin }\n  - { name: classic, wallets: contract }\n`,
  );
  assert.deepEqual(
    accounts.map(({ settings }) => [settings.name, settings.wallets]),
    [
      ['new', 'coin'],
      ['pooled', 'coin'],
      ['classic', 'contract'],
    ],
  );
});

test('names from before markets had symbols are read, with one warning each', (context) => {
  const old = (text: string) =>
    text.replaceAll('BTC-USDT-PERP', 'cmt_btcusdt').replaceAll('BTC-USDT', 'BTCUSDT_SPBL');
  const text =
    `${saying('index: { sources: [{ spot: BTC-USDT }] }')}accounts:\n` +
    '  - name: cmt_btcusdt\n' +
    '    deposits: [{ wallet: BTC-USDT-PERP, coin: USDT, amount: "1" }]\n';
  const { warnings, file, contracts, spot, accounts } = load(context, old(text));
  const now = load(context, text.replace('name: BTC-USDT-PERP', 'name: cmt_btcusdt'));
  assert.deepEqual(
    { contracts, spot, accounts },
    {
      contracts: now.contracts,
      spot: now.spot,
      accounts: now.accounts,
    },
  );
  assert.deepEqual(now.warnings, []);
  assert.deepEqual(warnings, [
    `${file}: market \`BTCUSDT_SPBL\` is the old spelling; write BTC-USDT`,
    `${file}: market \`cmt_btcusdt\` is the old spelling; write BTC-USDT-PERP`,
  ]);
});
