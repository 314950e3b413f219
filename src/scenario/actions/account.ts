/** Steps about money: what comes in and goes out, transfers, leverage and margin. */
import Type from 'typebox';
import { type Action, action } from '../action.ts';
import { answer, coin, contract, decimal, name, side, strict, wallet, whole } from '../fields.ts';
import type { Stage } from '../stage.ts';

const movement = Type.Object(
  { as: name, coin, amount: decimal, wallet: Type.Optional(wallet) },
  strict,
);

/** Credits or debits an account as its operator does. */
export async function move(
  stage: Stage,
  kind: 'deposit' | 'withdraw',
  { as, ...money }: { as: string; coin: string; amount: string; wallet?: string },
): Promise<void> {
  await stage.venue.admin[kind]({ account: stage.trader(as).account, ...money });
}

export const ACCOUNT_ACTIONS: readonly Action[] = [
  action('deposit', {
    summary: 'credits an account; into the spot wallet unless a contract is named',
    example: 'deposit: { as: alice, coin: USDT, amount: 100, wallet: BTC-USDT-PERP }',
    schema: movement,
    run: async (content, stage) => {
      await move(stage, 'deposit', content);
      return `${content.as} gets ${content.amount} ${content.coin}`;
    },
  }),
  action('withdraw', {
    summary: 'debits an account, of what is available',
    example: 'withdraw: { as: alice, coin: USDT, amount: 100 }',
    schema: movement,
    run: async (content, stage) => {
      await move(stage, 'withdraw', content);
      return `${content.as} takes ${content.amount} ${content.coin} out`;
    },
  }),
  action('transfer', {
    summary: 'a trader moves money between wallets',
    example: 'transfer: { as: alice, coin: USDT, amount: 50, from: spot, to: BTC-USDT-PERP }',
    schema: Type.Object(
      { as: name, coin, amount: decimal, from: wallet, to: wallet, answer: Type.Optional(answer) },
      strict,
    ),
    run: async ({ as, coin: code, amount, from, to, answer: expected }, stage) => {
      const { misses } = await stage.call(as, expected, ({ native }, within) =>
        native.transfer({ coin: code, amount, from, to }, within),
      );
      return { said: `${as} moves ${amount} ${code} from ${from} to ${to}`, misses };
    },
  }),
  action('leverage', {
    summary: 'a trader sets the leverage of a contract, of both sides unless one is named',
    example: 'leverage: { as: alice, market: BTC-USDT-PERP, times: 20 }',
    schema: Type.Object(
      {
        as: name,
        market: contract,
        times: whole,
        side: Type.Optional(side),
        answer: Type.Optional(answer),
      },
      strict,
    ),
    run: async ({ as, market, times, side: held, answer: expected }, stage) => {
      const of = (one: string) => (held === undefined || held === one ? times : undefined);
      const { misses } = await stage.call(as, expected, ({ native }, within) =>
        native.setLeverage(
          {
            symbol: market,
            crossLeverage: of('cross'),
            longLeverage: of('long'),
            shortLeverage: of('short'),
          },
          within,
        ),
      );
      return { said: `${as} sets the leverage of ${market} to ${times}`, misses };
    },
  }),
  action('mode', {
    summary: 'a trader switches a contract between isolated and cross margin',
    example: 'mode: { as: alice, market: BTC-USDT-PERP, margin: cross }',
    schema: Type.Object(
      {
        as: name,
        market: contract,
        margin: Type.Enum(['isolated', 'cross']),
        answer: Type.Optional(answer),
      },
      strict,
    ),
    run: async ({ as, market, margin, answer: expected }, stage) => {
      const { misses } = await stage.call(as, expected, ({ native }, within) =>
        native.setMarginMode({ symbol: market, marginMode: margin }, within),
      );
      return { said: `${as} holds ${market} with ${margin} margin`, misses };
    },
  }),
  action('margin', {
    summary:
      'a trader adds margin to an isolated position or, with an amount below 0, takes it out',
    example: 'margin: { as: alice, market: BTC-USDT-PERP, side: long, amount: 10 }',
    schema: Type.Object(
      { as: name, market: contract, side, amount: decimal, answer: Type.Optional(answer) },
      strict,
    ),
    run: async ({ as, market, side: held, amount, answer: expected }, stage) => {
      const terms = {
        symbol: market,
        side: held,
        move: amount.startsWith('-') ? 'remove' : 'add',
        amount: amount.replace('-', ''),
      } as const;
      const { misses } = await stage.call(as, expected, ({ native }, within) =>
        native.movePositionMargin(terms, within),
      );
      return { said: `${as} changes the margin of the ${held} by ${amount}`, misses };
    },
  }),
];
