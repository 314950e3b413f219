/** Steps about money: what comes in and goes out, transfers, leverage and margin. */
import Type from 'typebox';
import { type Action, action } from '../action.ts';
import { answer, coin, contract, decimal, name, side, strict, wallet, whole } from '../fields.ts';
import { isContract, type Stage } from '../stage.ts';

const SWAP = '/api/swap/v3';

const movement = Type.Object(
  { as: name, coin, amount: decimal, wallet: Type.Optional(wallet) },
  strict,
);

/** Credits or debits an account as its operator does. */
export async function move(
  stage: Stage,
  kind: 'deposits' | 'withdrawals',
  { as, ...body }: { as: string; coin: string; amount: string; wallet?: string },
): Promise<void> {
  await stage.venue.operate('POST', `/admin/v1/accounts/${stage.trader(as).account}/${kind}`, body);
}

/** One end of a transfer in the words of the API. */
function endOf(which: 'from' | 'to', place: string, stage: Stage): object {
  if (!isContract(place)) return { [`${which}Type`]: 'EXCHANGE' };
  return { [`${which}Type`]: 'CONTRACT', [`${which}Symbol`]: stage.nameOf(place) };
}

export const ACCOUNT_ACTIONS: readonly Action[] = [
  action('deposit', {
    summary: 'credits an account; into the spot wallet unless a contract is named',
    example: 'deposit: { as: alice, coin: USDT, amount: 100, wallet: BTC-USDT-PERP }',
    schema: movement,
    run: async (content, stage) => {
      await move(stage, 'deposits', content);
      return `${content.as} gets ${content.amount} ${content.coin}`;
    },
  }),
  action('withdraw', {
    summary: 'debits an account, of what is available',
    example: 'withdraw: { as: alice, coin: USDT, amount: 100 }',
    schema: movement,
    run: async (content, stage) => {
      await move(stage, 'withdrawals', content);
      return `${content.as} takes ${content.amount} ${content.coin} out`;
    },
  }),
  action('transfer', {
    summary: 'a trader moves money between spot and a contract',
    example: 'transfer: { as: alice, coin: USDT, amount: 50, from: spot, to: BTC-USDT-PERP }',
    schema: Type.Object(
      { as: name, coin, amount: decimal, from: wallet, to: wallet, answer: Type.Optional(answer) },
      strict,
    ),
    run: async ({ as, coin: code, amount, from, to, answer: expected }, stage) => {
      const body = { coin: code, amount, ...endOf('from', from, stage), ...endOf('to', to, stage) };
      const path = '/api/spot/v1/wallet/transfer';
      const done = await stage.call({ as, method: 'POST', path, body, answer: expected });
      return { said: `${as} moves ${amount} ${code} from ${from} to ${to}`, misses: done.misses };
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
      const only = held === undefined ? {} : { holdSide: held === 'long' ? '1' : '2' };
      const body = { symbol: stage.nameOf(market), leverage: times, ...only };
      const path = `${SWAP}/account/leverage`;
      const done = await stage.call({ as, method: 'POST', path, body, answer: expected });
      return { said: `${as} sets the leverage of ${market} to ${times}`, misses: done.misses };
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
      const body = { symbol: stage.nameOf(market), holdModel: margin === 'isolated' ? '1' : '2' };
      const path = `${SWAP}/position/changeHoldModel`;
      const done = await stage.call({ as, method: 'POST', path, body, answer: expected });
      return { said: `${as} holds ${market} with ${margin} margin`, misses: done.misses };
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
      const positionType = held === 'long' ? '0' : '1';
      const type = amount.startsWith('-') ? '2' : '1';
      const symbol = stage.nameOf(market);
      const body = { symbol, positionType, type, amount: amount.replace('-', '') };
      const path = `${SWAP}/account/adjustMargin`;
      const done = await stage.call({ as, method: 'POST', path, body, answer: expected });
      return { said: `${as} changes the margin of the ${held} by ${amount}`, misses: done.misses };
    },
  }),
];
