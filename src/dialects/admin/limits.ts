/** What one operator may move alone: shown, and changed by owners. */
import { isRefused } from '#domain';
import { formatTrimmed } from '#kernel';
import { askApproval, isTighter, type LimitSeen, limitsSeen, setLimit } from '#people';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { TIME_MS } from '../kit/examples.ts';
import { jsonList, listOf, row, text, timeMsOrZero } from '../kit/row.ts';
import { type AdminContext, BASE } from './context.ts';
import { AMOUNT, optional } from './fields.ts';
import { LISTED_COIN } from './money.ts';

const PATH = `${BASE}/operator-limits`;
const IN_FORCE = 'What one operator may move alone, at a time and in 24 hours; empty for anything';

const OPERATOR_LIMIT = row<LimitSeen>()({
  coin: text('Coin', 'USDT', ({ coin }) => coin),
  amount: text(IN_FORCE, '10000', ({ amount }) => amount),
  configured: text('Of the configuration; may be empty', '10000', (one) => one.configured),
  changedBy: text(
    'Who changed it; empty while the configuration holds',
    '',
    ({ changed }) => changed?.changedBy ?? '',
  ),
  changedTime: timeMsOrZero('When; 0 before', TIME_MS, ({ changed }) => changed?.changedMs ?? 0),
});

export const LIMIT_ENDPOINTS = {
  operatorLimits: operatorEndpoint({
    method: 'GET',
    path: PATH,
    summary: 'What one operator may move alone, by coin',
    request: {},
    response: listOf(OPERATOR_LIMIT),
    answer: async ({ desk }: AdminContext) =>
      jsonList(await limitsSeen(desk), OPERATOR_LIMIT.write),
  }),
  setOperatorLimit: operatorEndpoint({
    method: 'POST',
    path: PATH,
    duty: 'own',
    summary:
      'Set such a limit: a lower one holds immediately, a higher one or none when another owner ' +
      'has approved it',
    request: { coin: LISTED_COIN, amount: optional(AMOUNT, 'Decimal amount; absent for none') },
    response: listOf(OPERATOR_LIMIT),
    example: { request: { coin: 'USDT', amount: '5000' } },
    answer: async ({ desk }: AdminContext, { coin: { code, scale }, amount: asked }, call) => {
      const { operator, reason } = call;
      const units = asked?.(scale);
      if (isRefused(units)) return units;
      const limit = { coin: code, amount: units === undefined ? '' : formatTrimmed(units, scale) };
      if (!(await isTighter(desk, limit))) {
        const asks = { kind: 'limit', accountId: 0, wallet: '', clientOid: '', ...limit } as const;
        return askApproval(desk, operator, asks, reason);
      }
      await setLimit(desk, { ...limit, changedBy: operator.name });
      return jsonList(await limitsSeen(desk), OPERATOR_LIMIT.write);
    },
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;
