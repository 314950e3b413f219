/** What everybody may know of contracts: settled funding, liquidations and insurance funds. */
import type { Services } from '#api';
import { type Coin, type Contract, HOLD_SIDES, isRefused, LIMITS } from '#domain';
import type { FundingRate, LiquidationRecord } from '#history';
import { formatTrimmed, present } from '#kernel';
import { priceText } from '../kit/amounts.ts';
import { COIN, marginCoins } from '../kit/coins.ts';
import { formatFundingRate } from '../kit/contract-figures.ts';
import { type PublicEndpoint, publicEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { beforeOrder } from '../kit/request.ts';
import { decimal, id, jsonList, listedName, listOf, oneOf, row, whole } from '../kit/row.ts';
import { BEFORE_TIME, NEXT_TIME, pageOf, ROWS, SPAN, spanOf, writePage } from './pages.ts';
import { BASE, CONTRACT, CONTRACT_OR_ALL, sizeText } from './terms.ts';

/** By address. */
const RATE = { limit: 20, windowMs: 1_000 };
const READING = { method: 'GET', rate: RATE, permission: 'none' } as const;
const SETTLED_MS = 1_795_215_600_000;
const DAY_MS = 1_795_219_200_000;

interface Settled {
  readonly contract: Contract;
  readonly rate: FundingRate;
}

const FUNDING = row<Settled>()({
  time: whole('When it was settled', SETTLED_MS, ({ rate }) => rate.fundingTimeMs),
  rate: decimal('Above zero the long side paid, as a fraction', '0.0001', ({ rate }) =>
    formatFundingRate(rate.ratePpb),
  ),
  mark: decimal('Mark price then', '30002.0', ({ contract, rate }) =>
    priceText(rate.markTicks, contract),
  ),
});

interface Liquidation {
  readonly contract: Contract;
  readonly liquidation: LiquidationRecord;
}

const LIQUIDATION = row<Liquidation>()({
  id: id('Liquidation', formatId(17), ({ liquidation }) => formatId(liquidation.liquidationId)),
  time: whole('When, in Unix milliseconds', TIME_MS, ({ liquidation }) => liquidation.timeMs),
  symbol: listedName('Contract', 'BTC-USDT-PERP', ({ contract }) => contract.symbol),
  side: oneOf(HOLD_SIDES, 'Side of the position', 'long', ({ liquidation }) => liquidation.side),
  size: decimal('Contracts that were closed', '100', ({ contract, liquidation }) =>
    sizeText(liquidation.sizeLots, contract),
  ),
  deleveraged: decimal(
    'Of them against profitable positions and not in the book',
    '0',
    ({ contract, liquidation }) => sizeText(liquidation.deleveragedLots, contract),
  ),
  bankruptcy: decimal(
    'Price at which nothing of its margin was left; 0 for none',
    '28517.5',
    ({ contract, liquidation }) => priceText(liquidation.bankruptcyTicks, contract),
  ),
  mark: decimal('Mark price that liquidated it', '28650.0', ({ contract, liquidation }) =>
    priceText(liquidation.markTicks, contract),
  ),
});

interface Fund {
  readonly coin: Coin;
  readonly fund: bigint;
  readonly timeMs: number;
}

const FUND = row<Fund>()({
  coin: listedName('Margin coin that it insures', 'USDT', ({ coin }) => coin.code),
  fund: decimal('What is in it', '10000', ({ coin, fund }) => formatTrimmed(fund, coin.scale)),
});

const PAST_FUND = row<Fund>()({
  time: whole('When the day began, at 00:00 UTC', DAY_MS, ({ timeMs }) => timeMs),
  fund: decimal('What was in it', '10000', ({ coin, fund }) => formatTrimmed(fund, coin.scale)),
});

export const CONTRACT_PAST = {
  funding: publicEndpoint({
    ...READING,
    path: `${BASE}/funding`,
    summary: 'Funding rates of a contract that were settled, newest first',
    request: { symbol: CONTRACT, ...SPAN, before: BEFORE_TIME, limit: ROWS },
    response: pageOf(FUNDING, NEXT_TIME),
    example: { request: { symbol: 'BTC-USDT-PERP' } },
    answer: async ({ history, historyReady }: Services, asked) => {
      const { symbol: contract, from, to, before, limit } = asked;
      const span = spanOf(from, to, before);
      if (isRefused(span)) return span;
      await historyReady();
      const { instrumentId } = contract;
      const found = await history.fundingRates({ instrumentId, ...span, offset: 0, limit });
      const rows = found.map((rate) => ({ contract, rate }));
      return writePage(rows, FUNDING, ({ rate }) => String(rate.fundingTimeMs), limit);
    },
  }),
  liquidations: publicEndpoint({
    ...READING,
    path: `${BASE}/liquidations`,
    summary: 'Positions that were liquidated, in one contract or in all, newest first',
    request: {
      symbol: CONTRACT_OR_ALL,
      before: beforeOrder('Only liquidations before this one'),
      limit: ROWS,
    },
    response: pageOf(LIQUIDATION),
    answer: async ({ live, history, historyReady }: Services, { symbol, before, limit }) => {
      await historyReady();
      const query = { instrumentId: symbol?.instrumentId, before, limit };
      const rows = (await history.liquidations(query)).map((liquidation) => {
        const contract = live.listings.contractById(liquidation.instrumentId);
        return { contract: present(contract, 'contract'), liquidation };
      });
      const idOf = ({ liquidation }: Liquidation) => formatId(liquidation.liquidationId);
      return writePage(rows, LIQUIDATION, idOf, limit);
    },
  }),
  insurance: publicEndpoint({
    ...READING,
    path: `${BASE}/insurance`,
    summary: 'What is in the insurance fund of each margin coin',
    request: {},
    response: listOf(FUND),
    answer: ({ venue }: Services) =>
      venue.read((state) =>
        jsonList(marginCoins(state.listings), (coin) =>
          FUND.write({ coin, fund: state.insuranceFund(coin.assetId), timeMs: state.timeMs }),
        ),
      ),
  }),
  insuranceDays: publicEndpoint({
    ...READING,
    path: `${BASE}/insurance-days`,
    summary:
      'What was in the insurance fund of a coin when the last days began, newest first ' +
      `(up to ${LIMITS.openingDaysMax} days)`,
    request: { coin: COIN, before: BEFORE_TIME, limit: ROWS },
    response: pageOf(PAST_FUND, NEXT_TIME),
    example: { request: { coin: 'USDT' } },
    answer: async ({ history, historyReady }: Services, { coin, before, limit }) => {
      const span = spanOf(undefined, undefined, before);
      if (isRefused(span)) return span;
      await historyReady();
      const days = await history.funds({ assetId: coin.assetId, ...span });
      const rows = days.slice(0, limit).map(({ dayMs, fund }) => ({ coin, fund, timeMs: dayMs }));
      return writePage(rows, PAST_FUND, ({ timeMs }) => String(timeMs), limit);
    },
  }),
} as const satisfies Record<string, PublicEndpoint<Services>>;
