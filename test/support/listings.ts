/** Three coins, three pairs and two contracts, for tests of what is read and written. */
import { type Command, Listings, lots, type SpotSpec, ticks } from '#domain';
import { Engine } from '#engine';
import { INVERSE, LINEAR } from './contracts.ts';

function pair(base: string, quote: string, changes: Partial<SpotSpec> = {}): SpotSpec {
  return {
    symbol: `${base}${quote}_SPBL`,
    baseCode: base,
    quoteCode: quote,
    priceScale: 2,
    quantityScale: 4,
    minLots: lots(1),
    maxLots: lots(100_000_000),
    minNotional: 500_000_000n,
    takerFeePpm: 1_000,
    makerFeePpm: 1_000,
    status: 'online',
    referencePriceTicks: ticks(0),
    priceBandPpm: 0,
    ...changes,
  };
}

const CHAIN = {
  chain: 'ERC20',
  needTag: false,
  withdrawable: true,
  rechargeable: true,
  withdrawFee: '1',
  depositConfirm: 12,
  withdrawConfirm: 64,
  minDepositAmount: '1',
  minWithdrawAmount: '5',
  browserUrl: 'https://explorer.example/tx/',
};

/** BTCUSDT takes prices at 2 and sizes at 4 decimals, at least 5 USDT; ETHBTC trades in BTC. */
export const LISTING_COMMANDS: readonly Command[] = [
  {
    kind: 'list_asset',
    spec: { coinId: 2, code: 'USDT', scale: 8, transferable: true, chains: [CHAIN] },
  },
  {
    kind: 'list_asset',
    spec: { coinId: 1, code: 'BTC', scale: 8, transferable: true, chains: [] },
  },
  {
    kind: 'list_asset',
    spec: { coinId: 3, code: 'ETH', scale: 10, transferable: false, chains: [] },
  },
  { kind: 'list_spot', spec: pair('BTC', 'USDT') },
  { kind: 'list_spot', spec: pair('ETH', 'USDT', { status: 'halt' }) },
  {
    kind: 'list_spot',
    spec: pair('ETH', 'BTC', { priceScale: 4, quantityScale: 4, minNotional: 0n }),
  },
  { kind: 'list_contract', spec: LINEAR },
  { kind: 'list_contract', spec: INVERSE },
];

/** The listings alone, without a venue. */
export function testListings(): Listings {
  const engine = Engine.empty();
  const listings = new Listings();
  for (const command of LISTING_COMMANDS) {
    for (const event of engine.apply(command, 1).events) {
      if (event.kind === 'refused') throw new Error(`${command.kind}: ${event.detail}`);
      listings.apply(event);
    }
  }
  return listings;
}
