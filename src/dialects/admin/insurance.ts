/** Insurance funds, and the liquidations that they pay for or earn from. */
import {
  type Asset,
  type Contract,
  type FundPayment,
  HOLD_SIDES,
  type InsuranceFunded,
  isRefused,
  LIMITS,
  type Refused,
} from '#domain';
import type { LiquidationRecord } from '#history';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import { formatSize } from '../kit/contract-figures.ts';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { CONTRACT_SYMBOL } from '../kit/markets.ts';
import { type Named, optionalText, pageLimit, wholeNumber } from '../kit/request.ts';
import {
  type Column,
  decimal,
  jsonList,
  listOf,
  oneOf,
  row,
  rows,
  text,
  timeMs,
} from '../kit/row.ts';
import { movedByOperator } from './approvals.ts';
import { type AdminContext, BASE } from './context.ts';
import { findContract } from './contracts.ts';
import { CLIENT_OID, COIN, coinAmount, MONEY, moneyOf, type OfCoin } from './money.ts';
import { resultBefore, submitOnce } from './money-once.ts';

const FUND = row<OfCoin<bigint>>()({
  coin: COIN,
  fund: coinAmount('What is in its insurance fund', '10000.00000000', (fund: bigint) => fund),
});

const FUNDED = row<OfCoin<InsuranceFunded>>()({
  coin: COIN,
  amount: coinAmount('What was added', '10000.00000000', ({ amount }: InsuranceFunded) => amount),
});

interface LiquidationOf {
  readonly contract: Contract;
  readonly liquidated: LiquidationRecord;
}

function price(
  description: string,
  example: string,
  of: (liquidated: LiquidationOf['liquidated']) => number,
): Column<LiquidationOf, string> {
  return decimal(description, example, ({ contract, liquidated }) =>
    formatTrimmed(of(liquidated), contract.priceScale),
  );
}

const PAYMENT = row<{ readonly contract: Contract; readonly payment: FundPayment }>()({
  accountId: text('Account id', '9', ({ payment }) => String(payment.accountId)),
  amount: decimal('Value between the fills and the bankruptcy price', '12.50000000', (of) =>
    formatDecimal(of.payment.amount, of.contract.margin.scale),
  ),
});

const LIQUIDATION = row<LiquidationOf>()({
  liquidationId: decimal('Rises with time', '17', ({ liquidated }) => liquidated.liquidationId),
  symbol: text('Contract', CONTRACT_SYMBOL, ({ contract }) => contract.symbol),
  accountId: text('Account id', '7', ({ liquidated }) => String(liquidated.accountId)),
  marginMode: oneOf(
    ['isolated', 'cross'],
    'isolated: one side; cross: the whole account',
    'isolated',
    ({ liquidated }) => liquidated.mode,
  ),
  side: oneOf(HOLD_SIDES, 'Position that was closed', 'long', ({ liquidated }) => liquidated.side),
  mark: price('Mark price that did it', '28650', ({ markTicks }) => markTicks),
  bankruptcy: price(
    'Price at which nothing was left; 0 for none',
    '28517.5',
    ({ bankruptcyTicks }) => bankruptcyTicks,
  ),
  contracts: decimal('Contracts closed', '100', ({ contract, liquidated }) =>
    formatSize(contract, liquidated.sizeLots),
  ),
  deleveraged: decimal(
    'Of them against profitable positions of others',
    '0',
    ({ contract, liquidated }) => formatSize(contract, liquidated.deleveragedLots),
  ),
  fundDelta: decimal(
    'What the insurance fund received; below zero what it paid',
    '13.25000000',
    ({ contract, liquidated }) => formatDecimal(liquidated.fundDelta, contract.margin.scale),
  ),
  paidTo: rows(PAYMENT, ({ contract, liquidated }: LiquidationOf) =>
    liquidated.paidTo.map((payment) => ({ contract, payment })),
  ),
  time: timeMs('When', TIME_MS, ({ liquidated }) => liquidated.timeMs),
});

const CONTRACT: Named<string, Contract | undefined> = {
  ...optionalText('Contract; every contract if absent'),
  find: (symbol, listings) => (symbol === '' ? undefined : findContract(listings, symbol)),
};

export const INSURANCE_ENDPOINTS = {
  insurance: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/insurance`,
    summary: 'The insurance fund of every coin',
    request: {},
    response: listOf(FUND),
    answer: ({ venue }: AdminContext) =>
      venue.read((state) =>
        jsonList(state.listings.assets, (coin: Asset) =>
          FUND.write({ coin, event: state.insuranceFund(coin.assetId) }),
        ),
      ),
  }),
  fundInsurance: operatorEndpoint({
    method: 'POST',
    path: `${BASE}/insurance`,
    duty: 'run',
    summary: 'Put money into the insurance fund of a coin',
    request: { ...MONEY, clientOid: CLIENT_OID },
    response: FUNDED,
    example: { request: { coin: 'USDT', amount: '10000', clientOid: 'ticket-4712' } },
    answer: async (context: AdminContext, asked, call) => {
      const { venue } = context;
      const money = moneyOf(asked);
      if (isRefused(money)) return money;
      const { coin, clientOid } = asked;
      const command = { kind: 'fund_insurance', ...money, operatorOid: clientOid } as const;
      const written = (event: InsuranceFunded | Refused): string | Refused =>
        isRefused(event) ? event : FUNDED.write({ event, coin });
      const before = await resultBefore(venue, 'insurance_funded', command);
      if (before !== undefined) return written(before);
      const movement = { kind: 'insurance', coin, amount: money.amount, at: undefined } as const;
      return movedByOperator(context, call, { ...movement, clientOid }, async () =>
        written(await submitOnce(venue, 'insurance_funded', command)),
      );
    },
  }),
  liquidations: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/liquidations`,
    summary: 'What was liquidated, newest first (100 by default, up to 500)',
    request: {
      symbol: CONTRACT,
      before: wholeNumber('A liquidationId: only those before it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(LIQUIDATION),
    example: { request: { limit: '1' } },
    answer: async ({ live, history, historyReady }: AdminContext, asked) => {
      const { symbol, before, limit } = asked;
      await historyReady();
      const instrumentId = symbol?.instrumentId;
      const found = await history.liquidations({ instrumentId, before, limit });
      return jsonList(found, (liquidated) => {
        const contract = live.listings.contractById(liquidated.instrumentId);
        return LIQUIDATION.write({ contract: present(contract, 'contract'), liquidated });
      });
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;
