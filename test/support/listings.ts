/** Three coins, three pairs and two contracts, for tests of what is read and written. */
import { detailText } from '#dialects';
import { type Command, Listings, USUAL_FUND_BUDGET } from '#domain';
import { Engine } from '#engine';
import { INVERSE, LINEAR } from './contracts.ts';
import { assetSpec, pairSpec } from './terms.ts';

/** An order of less than five dollars is refused. */
const LEAST = { minNotional: 500_000_000n };

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
    spec: { ...assetSpec(2, 'USDT'), chains: [CHAIN] },
  },
  {
    kind: 'list_asset',
    spec: assetSpec(1, 'BTC'),
  },
  {
    kind: 'list_asset',
    spec: {
      coinId: 3,
      code: 'ETH',
      scale: 10,
      transferable: false,
      chains: [],
      fundBudget: USUAL_FUND_BUDGET,
    },
  },
  { kind: 'list_spot', spec: pairSpec('BTC', 'USDT', LEAST) },
  { kind: 'list_spot', spec: pairSpec('ETH', 'USDT', { ...LEAST, status: 'halt' }) },
  {
    kind: 'list_spot',
    spec: pairSpec('ETH', 'BTC', { priceScale: 4 }),
  },
  { kind: 'list_contract', spec: LINEAR },
  { kind: 'list_contract', spec: INVERSE },
];

/** What the classic interface shows of the first pair. */
export const BTCUSDT_PRODUCT = {
  symbol: 'BTCUSDT_SPBL',
  symbolName: 'BTCUSDT',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  minTradeAmount: '0.0001',
  maxTradeAmount: '10000',
  minTradeUSDT: '5',
  takerFeeRate: '0.001',
  makerFeeRate: '0.001',
  priceScale: '2',
  quantityScale: '4',
  status: 'online',
} as const;

/** The listings alone, without a venue. */
export function testListings(): Listings {
  const engine = Engine.empty();
  const listings = new Listings();
  for (const command of LISTING_COMMANDS) {
    for (const event of engine.apply(command, 1).events) {
      if (event.kind === 'refused') throw new Error(`${command.kind}: ${detailText(event.detail)}`);
      listings.apply(event);
    }
  }
  return listings;
}
