/** What people ask for: money in, money out, and between their own accounts. */

import { type AccountId, type Asset, accountId, isRefused, LIMITS, type Refused } from '#domain';
import { formatDecimal } from '#kernel';
import {
  type Asking,
  askDeposit,
  askTransfer,
  askWithdrawal,
  type CoinRules,
  cancelPayment,
  coinRulesOf,
  ownPayments,
  PAYMENT_KINDS,
  type Payment,
  type PaymentSettings,
  paymentTermsOf,
} from '#people';
import type { PersonCall } from '../access/calls.ts';
import { MONEY } from '../admin/money.ts';
import { type PersonEndpoint, personEndpoint } from '../kit/endpoint.ts';
import { type Field, optionalText, pageLimit, requiredText } from '../kit/request.ts';
import { decimal, jsonList, listOf, row, rows, text, truth } from '../kit/row.ts';
import { accountIn, BASE, type PeopleDialectContext } from './context.ts';
import {
  CHAIN_FIELD,
  CLIENT_ID_FIELD,
  longText,
  optionalLongText,
  PAYMENT,
  PAYMENT_ID,
  wordOf,
} from './payment-rows.ts';
import { CHANGES, READS } from './rates.ts';

const ACCOUNT = `${BASE}/accounts/:account`;
const PER_MINUTE = { limit: 60, windowMs: 60_000 };

/** A coin, its rules, and one of its networks. */
interface OfChain {
  readonly coin: Asset;
  readonly settings: PaymentSettings;
  readonly chain: string;
}

function openFor({ coin, settings, chain }: OfChain, kind: 'deposit' | 'withdrawal'): boolean {
  return !isRefused(paymentTermsOf(settings, kind, coin, chain));
}

function figure(
  { coin, settings, chain }: OfChain,
  kind: 'deposit' | 'withdrawal',
  of: 'min' | 'fee',
): string {
  const terms = paymentTermsOf(settings, kind, coin, chain);
  return formatDecimal(isRefused(terms) ? 0n : terms[of], coin.scale);
}

const CHAIN_RULES = row<OfChain>()({
  chain: text('Network; empty for a coin without any', 'TRC20', ({ chain }) => chain),
  depositable: truth('Deposits may be announced', true, (one) => openFor(one, 'deposit')),
  withdrawable: truth('Withdrawals may be asked for', true, (one) => openFor(one, 'withdrawal')),
  needTag: truth(
    'An address needs a tag',
    false,
    ({ coin, chain }) => coin.chains.find((one) => one.chain === chain)?.needTag === true,
  ),
  minDeposit: decimal('Least deposit', '1.00000000', (one) => figure(one, 'deposit', 'min')),
  minWithdraw: decimal('Least withdrawal', '10.00000000', (one) =>
    figure(one, 'withdrawal', 'min'),
  ),
  fee: decimal('Fee of a withdrawal, besides its amount', '1.00000000', (one) =>
    figure(one, 'withdrawal', 'fee'),
  ),
});

interface OfRules {
  readonly coin: Asset;
  readonly rules: CoinRules;
  readonly settings: PaymentSettings;
}

const COIN_RULES = row<OfRules>()({
  coin: text('Coin', 'USDT', ({ coin }) => coin.code),
  dailyLimit: text(
    'What a person, and an account, may withdraw within 24 hours; empty for no limit',
    '10000',
    ({ rules }) => rules.dailyLimit ?? '',
  ),
  chains: rows(CHAIN_RULES, ({ coin, settings }: OfRules) => {
    const names = coin.chains.length === 0 ? [''] : coin.chains.map(({ chain }) => chain);
    return names.map((chain) => ({ coin, settings, chain }));
  }),
});

/** Another account of the person. */
const TO_ACCOUNT: Field<AccountId> = {
  ...requiredText('Account id: another one that the person may use'),
  read: (fields, name) => {
    const given = fields.requiredText(name);
    if (/^[1-9][0-9]{0,14}$/.test(given)) return accountId(Number(given));
    if (given !== '') fields.refuse('account_unknown', given);
    return accountId(1);
  },
};

const ASKED = { ...MONEY, clientId: CLIENT_ID_FIELD };
const EXAMPLE = { coin: 'USDT', amount: '250' };

type Asked = (asking: Asking) => Promise<Payment | Refused>;

async function asked(
  { people, payments }: PeopleDialectContext,
  call: PersonCall,
  ask: Asked,
): Promise<string | Refused> {
  const id = accountIn(call);
  if (isRefused(id)) return id;
  const made = await ask({ people, payments, session: call.session, accountId: id });
  return isRefused(made) ? made : PAYMENT.write(made);
}

export const PAYMENT_ENDPOINTS = {
  paymentRules: personEndpoint({
    method: 'GET',
    path: `${BASE}/payment-rules`,
    rate: READS,
    summary: 'Coins that can be brought in or taken out by request, and what holds for them',
    request: {},
    response: listOf(COIN_RULES),
    answer: ({ payments, live }: PeopleDialectContext) => {
      const { settings } = payments.parts;
      const coins = live.listings.assets.flatMap((coin) => {
        const rules = coinRulesOf(settings, coin.code);
        return rules === undefined ? [] : [{ coin, rules, settings }];
      });
      return jsonList(coins, COIN_RULES.write);
    },
  }),
  payments: personEndpoint({
    method: 'GET',
    path: `${ACCOUNT}/payments`,
    rate: READS,
    summary: 'Deposits, withdrawals and transfers of an account by request, newest first',
    request: {
      kind: wordOf('Only these', PAYMENT_KINDS),
      before: optionalText('Request id: those made before it'),
      limit: pageLimit('Rows wanted', LIMITS.pageRowsDefault, LIMITS.pageRowsMax),
    },
    response: listOf(PAYMENT),
    answer: async (context: PeopleDialectContext, { kind, before, limit }, call) => {
      const id = accountIn(call);
      if (isRefused(id)) return id;
      const { people, payments } = context;
      const asking = { people, payments, session: call.session, accountId: id };
      const query = { kind, before: before === '' ? undefined : before, limit };
      const found = await ownPayments(asking, query);
      return isRefused(found) ? found : jsonList(found, PAYMENT.write);
    },
  }),
  askDeposit: personEndpoint({
    method: 'POST',
    path: `${ACCOUNT}/deposits`,
    rate: PER_MINUTE,
    summary: 'Announce money that comes in; it is credited once it is approved',
    request: {
      ...ASKED,
      chain: CHAIN_FIELD,
      reference: longText('Of the payment outside, as a transaction id'),
    },
    response: PAYMENT,
    example: {
      request: { ...EXAMPLE, chain: 'TRC20', reference: 'c0ffee' },
      data: {
        ...PAYMENT.example,
        ...{ kind: 'deposit', address: '', fee: '0.00000000', reference: 'c0ffee' },
      },
    },
    answer: async (context: PeopleDialectContext, { amount, ...given }, call) => {
      const units = amount(given.coin.scale);
      if (isRefused(units)) return units;
      return asked(context, call, (asking) => askDeposit(asking, { ...given, amount: units }));
    },
  }),
  askWithdrawal: personEndpoint({
    method: 'POST',
    path: `${ACCOUNT}/withdrawals`,
    rate: PER_MINUTE,
    summary: 'Ask for money to go out; amount and fee are kept apart until it is decided',
    request: {
      ...ASKED,
      chain: CHAIN_FIELD,
      address: longText('Where it goes'),
      tag: optionalLongText('Of the address, where the network needs one'),
    },
    response: PAYMENT,
    example: { request: { ...EXAMPLE, chain: 'TRC20', address: PAYMENT.example.address } },
    answer: async (context: PeopleDialectContext, { amount, ...given }, call) => {
      const units = amount(given.coin.scale);
      if (isRefused(units)) return units;
      return asked(context, call, (asking) => askWithdrawal(asking, { ...given, amount: units }));
    },
  }),
  askTransfer: personEndpoint({
    method: 'POST',
    path: `${ACCOUNT}/transfers`,
    rate: PER_MINUTE,
    summary: 'Move money from the spot wallet to that of another account of the person, at once',
    request: { ...ASKED, to: TO_ACCOUNT },
    response: PAYMENT,
    example: {
      request: { ...EXAMPLE, to: '2' },
      data: {
        ...PAYMENT.example,
        ...{ kind: 'transfer', state: 'done', toAccountId: '2', address: '', chain: '' },
        ...{ fee: '0.00000000', approvalsNeeded: 0 },
      },
    },
    answer: async (context: PeopleDialectContext, { amount, ...given }, call) => {
      const units = amount(given.coin.scale);
      if (isRefused(units)) return units;
      return asked(context, call, (asking) => askTransfer(asking, { ...given, amount: units }));
    },
  }),
  cancelPayment: personEndpoint({
    method: 'DELETE',
    path: `${ACCOUNT}/payments/:payment`,
    rate: CHANGES,
    summary: 'Take a request back that nobody has approved; what was kept apart is returned',
    request: {},
    response: PAYMENT,
    example: { data: { ...PAYMENT.example, paymentId: PAYMENT_ID, state: 'cancelled' } },
    answer: (context: PeopleDialectContext, _asked, call) =>
      asked(context, call, (asking) => cancelPayment(asking, call.path.payment ?? '')),
  }),
} as const satisfies Record<string, PersonEndpoint<PeopleDialectContext>>;
